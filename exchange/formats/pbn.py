"""The export of a session's boards as PBN, with all results if the session is closed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext_lazy

from boards import pbn, proof
from boards.whist import Deal, Seat, Side, Suit
from exchange.formats.values import BoardFileFormat, DownloadPage
from scoring.methods.matchpoints import METHOD as MATCHPOINTS
from scoring.secrecy import can_see_hands
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.proofs import get_published_proof
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.records import load_best_play_tables
from scoring.sheets.travellers import load_travellers
from scoring.sheets.values import RankedGroup, RankTable, Traveller, TravellerLine
from scoring.standings_engine.scores import find_scoring_method
from server.formatting import format_two_decimals
from tournaments.models import Event

TRUMP_NAMES = ("NT", *Suit)
"""The names of trumps in PBN, in the order of a board's stored best-play table."""

SEAT_ORDER = (Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST)


def format_pbn(snapshot: SessionSnapshot) -> bytes:
    """Return a session's boards as a PBN file.

    If the session is closed, the file includes results, rankings and the proof of the deals.
    Before the close, it contains cards, dealers and turn-ups for a dealing machine.
    """
    deals_by_board = snapshot.session.load_known_deals()
    event = snapshot.session.event
    table_text_by_board, proof_header = {}, ""
    if can_see_hands(snapshot.session):
        best_play_table_by_board = load_best_play_tables(snapshot)
        columns = _ResultTableColumns(
            has_matchpoints=find_scoring_method(event) is MATCHPOINTS,
            players_by_sitting=_map_individual_players(snapshot)
            if event.contest == Event.Contest.INDIVIDUAL
            else None,
            has_trumps=event.has_declared_trumps,
        )
        table_text_by_board = {
            traveller.board: _format_board_tables(
                traveller, best_play_table_by_board.get(traveller.board, ""), columns
            )
            for traveller in load_travellers(snapshot)
        }
        for board_number, ranking in _format_rankings(
            load_rank_table(event), columns, sorted(deals_by_board)
        ).items():
            table_text_by_board[board_number] = (
                table_text_by_board.get(board_number, "") + ranking
            )
        published_proof = get_published_proof(snapshot.session)
        proof_header = proof.format_proof_header(published_proof) if published_proof else ""
    return pbn.format_pbn(
        deals_by_board,
        event_name=event.name,
        site=event.club.name,
        date=snapshot.session.day.strftime("%Y.%m.%d"),
        scoring=format_scoring_tag(event),
        header=proof_header,
        extra_lines_by_board=table_text_by_board,
    ).encode()


@dataclass(frozen=True, slots=True)
class _ResultTableColumns:
    """The columns of the result tables in a PBN file.

    `players_by_sitting` has the players' numbers at North, East, South and West. It is None
    except in individual events, in which the partners of a side are separate entries.
    """

    has_matchpoints: bool
    players_by_sitting: Mapping[int, Sequence[int]] | None
    has_trumps: bool = False  # whether there is a column with each table's declared trumps

    @property
    def id_columns(self) -> tuple[str, ...]:
        """The names of the columns with the numbers of pairs or players."""
        if self.players_by_sitting is None:
            return ("PairId_NS", "PairId_EW")
        return tuple(f"PlayerId_{seat.name.title()}" for seat in SEAT_ORDER)

    @property
    def rank_id_column(self) -> str:
        """The name of the ranking column with the entry's number."""
        return "PairId" if self.players_by_sitting is None else "PlayerId"

    def format_ids(self, result_line: TravellerLine) -> str:
        """Return the numbers of a result's pairs or players, in the order of `id_columns`."""
        if self.players_by_sitting is None:
            return f"{result_line.ns_entry or '-':>3} {result_line.ew_entry or '-':>3}"
        return " ".join(
            f"{player_number:>3}"
            for player_number in self.players_by_sitting[result_line.sitting_id]
        )


def _map_individual_players(snapshot: SessionSnapshot) -> dict[int, Sequence[int]]:
    """Return the players' numbers in each sitting of an individual event, in SEAT_ORDER."""
    entry_numbers_by_place = {
        place.pk: place.entry.number for place in snapshot.places if place.entry is not None
    }
    players_by_sitting: dict[int, Sequence[int]] = {}
    for table in snapshot.tables:
        north, south, east, west = (
            *_get_side_places(table.ns.places),
            *_get_side_places(table.ew.places),
        )
        place_pks = (north, east, south, west)
        if all(place_pk in entry_numbers_by_place for place_pk in place_pks):
            players_by_sitting[table.sitting_id] = tuple(
                entry_numbers_by_place[place_pk] for place_pk in place_pks
            )
    return players_by_sitting


def _get_side_places(place_pks: Sequence[int]) -> tuple[int, int]:
    """Return the places of a side's two players; a pair has the same place twice."""
    return place_pks[0], place_pks[-1]


def format_scoring_tag(event: Event) -> str:
    """Return the PBN Scoring tag: a standard value if possible, else the method's name."""
    method = find_scoring_method(event)
    if method is MATCHPOINTS:
        return "MatchPoints"
    return method.name.title().replace("_", "")


def _format_board_tables(
    traveller: Traveller, best_play_table: str, columns: _ResultTableColumns
) -> str:
    tables_text = _format_best_play(traveller, best_play_table)
    table_rows = [
        _format_score_line(traveller.deal, result_line, tricks, columns)
        for result_line in traveller.lines
        if traveller.deal is not None
        and (tricks := get_counted_ns_tricks(result_line)) is not None
    ]
    if table_rows:
        id_columns = ";".join(f"{name}\\3R" for name in columns.id_columns)
        optional_columns_text = ";MP_NS\\6R;MP_EW\\6R" if columns.has_matchpoints else ""
        optional_columns_text += ";Trumps" if columns.has_trumps else ""
        tables_text += (
            f'[ScoreTable "Section;Table\\2R;Round\\2R;{id_columns};'
            f'Contract\\2R;Declarer;Result\\2R;Score_NS\\4R;Score_EW\\4R{optional_columns_text}"]\n'
        )
        tables_text += "".join(table_rows)
    return tables_text


def get_counted_ns_tricks(result_line: TravellerLine) -> int | None:
    """Return the tricks that count for N-S, or None if the board has no valid result."""
    if result_line.ruling_kind in ("void", "average"):
        return None
    counted_tricks = result_line.ns_counted_tricks
    if (
        counted_tricks is not None
        and result_line.ew_counted_tricks == 13 - counted_tricks
        and counted_tricks.denominator == 1
    ):
        return int(counted_tricks)
    return result_line.ns_tricks


def _format_best_play(traveller: Traveller, best_play_table: str) -> str:
    """Return a PBN table of the tricks with best play, with twenty rows or one.

    The twenty rows are for each seat and trump suit. The table has one row if only the tricks
    of the dealer with the turn-up's suit as trumps are known.
    """
    table_rows = []
    if best_play_table:
        digits = iter(best_play_table)
        table_rows = [
            f"{seat} {trump_name:>2} {int(next(digits), 16):>2}"
            for seat in Seat
            for trump_name in TRUMP_NAMES
        ]
    elif (
        traveller.deal is not None
        and traveller.best_ns_tricks is not None
        and traveller.deal.trumps
    ):
        dealer_tricks = _count_dealer_tricks(traveller.deal, traveller.best_ns_tricks)
        table_rows = [f"{traveller.deal.dealer} {traveller.deal.trumps:>2} {dealer_tricks:>2}"]
    if not table_rows:
        return ""
    header = '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]'
    return "\n".join([header, *table_rows]) + "\n"


def _format_score_line(
    deal: Deal, result_line: TravellerLine, ns_tricks: int, columns: _ResultTableColumns
) -> str:
    dealer_tricks = _count_dealer_tricks(deal, ns_tricks)
    points = compute_bridge_score(deal.trumps, dealer_tricks)
    ns_points = points if deal.dealer.side is Side.NS else -points
    score_columns = f"{ns_points:>4}    -" if ns_points > 0 else f"   - {-ns_points:>4}"
    if columns.has_matchpoints:
        ns_score, ew_score = (
            _format_score(score) for score in (result_line.ns_score, result_line.ew_score)
        )
        score_columns += f" {ns_score:>6} {ew_score:>6}"
    if columns.has_trumps:
        score_columns += f" {result_line.trump.code if result_line.trump else '-'}"
    return (
        f"{result_line.section} {result_line.table:>2} {result_line.round:>2} "
        f"{columns.format_ids(result_line)} "
        f"1{deal.trumps or 'NT'} {deal.dealer} {dealer_tricks:>2} {score_columns}\n"
    )


def compute_bridge_score(trumps: Suit | None, tricks: int) -> int:
    """Return the score in bridge for winning these tricks in a contract of one, e.g. 1♥.

    With the same trumps at all tables, the score increases with the tricks, so that bridge
    programs rank the tables as whist does. If each table declares its trumps, `trumps` is None
    for all tables, because bridge scores in different suits would change the ranks.

    Source: The Laws of Duplicate Bridge, law 77; neither doubled nor vulnerable.
    """
    if tricks < 7:
        return -50 * (7 - tricks)
    if trumps is None:
        return 60 + (tricks - 6) * 30
    return 50 + (tricks - 6) * (30 if trumps in (Suit.SPADES, Suit.HEARTS) else 20)


def _format_rankings(
    rank_table: RankTable, columns: _ResultTableColumns, board_numbers: Sequence[int]
) -> dict[int, str]:
    """Return the rankings as PBN tables by board number, one for each field.

    A PBN game has only one TotalScoreTable, and the ranks of each field begin with 1. Therefore
    each field has its own table, attached to a separate board. If there are more fields than
    boards, some fields share a table, and the column Field shows the field of each row.
    """
    ranked_groups = [ranked_group for ranked_group in rank_table.fields if ranked_group.rows]
    ranking_by_board = {}
    for group_index, board_number in enumerate(board_numbers[: len(ranked_groups)]):
        board_ranked_groups = ranked_groups[group_index :: len(board_numbers)]
        ranking_by_board[board_number] = _format_ranking(
            board_ranked_groups, columns, rank_table.method
        )
    return ranking_by_board


def _format_ranking(
    ranked_groups: Sequence[RankedGroup], columns: _ResultTableColumns, method: str
) -> str:
    score_column = "TotalScoreMP" if method == MATCHPOINTS.name else "TotalScore"
    id_column = columns.rank_id_column
    header = (
        f'[TotalScoreTable "Section;Field;Rank\\3R;{id_column}\\3R;{score_column}\\8R;'
        'Names\\40L"]\n'
    )
    return header + "".join(
        f"{ranked_group.section or '-'} {ranked_group.field or '-'} "
        f"{rank_row.rank:>3} {rank_row.entry:>3} "
        f'{_format_score(rank_row.score):>8} "{_clean_name(rank_row.name)}"\n'
        for ranked_group in ranked_groups
        for rank_row in ranked_group.rows
    )


def _count_dealer_tricks(deal: Deal, ns_tricks: int) -> int:
    """Return the tricks of the dealer's side, which bridge programs show as the result."""
    return ns_tricks if deal.dealer.side is Side.NS else 13 - ns_tricks


def _format_score(score: Fraction | None) -> str:
    return "-" if score is None else format_two_decimals(score).replace("−", "-")


def _clean_name(name: str) -> str:
    return name.replace('"', "'")


FORMAT = BoardFileFormat(
    name="pbn",
    title="PBN",
    media_type="application/x-pbn",
    extension="pbn",
    has_cards=True,
    labels_by_page={
        DownloadPage.HANDS: gettext_lazy("Save as PBN"),
        DownloadPage.DIRECTOR: gettext_lazy("Save as PBN"),
        DownloadPage.DEALING_MACHINE: gettext_lazy("PBN for the dealing machine"),
    },
    write_file=format_pbn,
)
