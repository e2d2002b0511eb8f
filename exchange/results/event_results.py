"""The results of an event, loaded once for all export files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from boards.whist import Deal, Seat
from boards.whist.cards import Suit
from scoring.methods import METHODS_BY_NAME, Method
from scoring.seated_sides import SeatedSide
from scoring.second_plays import is_played_in_other_suits
from scoring.secrecy import can_see_hands
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.travellers import load_travellers
from scoring.sheets.values import RankTable, TravellerLine
from scoring.standings_engine import standings
from scoring.standings_engine.result_lines import PlayKey, load_tally
from scoring.standings_engine.scores import SideValues, compute_play_values, find_scoring_method
from tournaments.entry_words import join_player_names
from tournaments.models import Entry, Event, Place

SEAT_ORDER = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)


@dataclass(frozen=True, slots=True)
class EntryNames:
    """The number and name of an entry, and the names of its players."""

    entry_number: int
    name: str
    player_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardPlayResult:
    """One play of a board, with its seating, its result and its score."""

    session_number: int
    section_letter: str
    round_number: int
    table_number: int
    board_number: int
    dealer: Seat
    trumps: Suit | None  # None if unknown, or if tables declare trumps
    names_by_seat: Mapping[Seat, str]  # for a team of four or more: its name at North or East
    ns_entries: tuple[int, ...]  # entry numbers
    ew_entries: tuple[int, ...]
    traveller_line: TravellerLine
    matchpoints: SideValues
    pool: str = ""  # the section with which this play is compared; "" for all sections
    is_in_other_suits: bool = False  # whether it is a second play with exchanged suits


@dataclass(frozen=True, slots=True)
class EventResults:
    """The standings and plays of an event, and its hands once they may be shown."""

    event: Event
    method: Method
    entry_names_by_number: Mapping[int, EntryNames]
    rank_table: RankTable
    sessions: tuple[SessionSnapshot, ...]
    plays: tuple[BoardPlayResult, ...]
    deals_by_board: Mapping[tuple[int, int], Deal]  # public deals by session and board number


def load_results(event: Event, *, has_full_names: bool) -> EventResults:
    """Load all results of an event, for the club's own use.

    If `has_full_names` is True, names are the full names instead of the public display names.
    """
    standings.update_standings(event)
    entry_names_by_number = _load_entry_names(event, has_full_names=has_full_names)
    matchpoints_by_play = _compute_matchpoints(event)
    snapshots, plays = [], []
    deals_by_board: dict[tuple[int, int], Deal] = {}
    for session in event.sessions.order_by("number"):
        snapshot = load_session_snapshot(session)
        snapshots.append(snapshot)
        known_deals = session.load_known_deals()
        plays += _build_plays(snapshot, entry_names_by_number, matchpoints_by_play, known_deals)
        if can_see_hands(session):
            deals_by_board |= {
                (session.number, board_number): deal
                for board_number, deal in known_deals.items()
            }
    rank_table = load_rank_table(event, should_include_hidden_results=True)
    return EventResults(
        event,
        find_scoring_method(event),
        entry_names_by_number,
        rank_table,
        tuple(snapshots),
        tuple(plays),
        deals_by_board,
    )


def load_plays(snapshot: SessionSnapshot) -> list[BoardPlayResult]:
    """Return the plays of a session with public names but without matchpoints.

    The hands of the session must be public.
    """
    entry_names_by_number = _load_entry_names(snapshot.session.event, has_full_names=False)
    return _build_plays(
        snapshot, entry_names_by_number, {}, snapshot.session.load_known_deals()
    )


def _load_entry_names(event: Event, *, has_full_names: bool) -> dict[int, EntryNames]:
    names_by_entry = {}
    for entry in event.entries.prefetch_related("memberships__player"):
        players = [membership.player for membership in entry.memberships.all()]
        shown_names = [player.shown_name for player in players]
        player_names = [player.name for player in players] if has_full_names else shown_names
        has_own_name = entry.name != join_player_names(shown_names)
        shown_name = (
            entry.name
            if has_own_name or not has_full_names
            else join_player_names(player_names)
        )
        names_by_entry[entry.number] = EntryNames(entry.number, shown_name, tuple(player_names))
    return names_by_entry


def _compute_matchpoints(event: Event) -> Mapping[PlayKey, SideValues]:
    """Return the matchpoints of every play, even if the event uses another method."""
    if event.contest not in METHODS_BY_NAME["matchpoints"].contests:
        return {}
    values_by_play = compute_play_values(load_tally(event), METHODS_BY_NAME["matchpoints"])
    return {play: play_values.scores for play, play_values in values_by_play.items()}


def _build_plays(
    snapshot: SessionSnapshot,
    entry_names_by_number: Mapping[int, EntryNames],
    matchpoints_by_play: Mapping[PlayKey, SideValues],
    deals_by_board: Mapping[int, Deal],
) -> list[BoardPlayResult]:
    tables_by_sitting = {table.sitting_id: table for table in snapshot.tables}
    places_by_pk = {place.pk: place for place in snapshot.places}
    plays = []
    for traveller in load_travellers(snapshot, should_include_hidden_results=True):
        deal = deals_by_board.get(traveller.board)
        for traveller_line in traveller.lines:
            table = tables_by_sitting[traveller_line.sitting_id]
            plays.append(
                BoardPlayResult(
                    session_number=snapshot.session.number,
                    section_letter=traveller_line.section,
                    round_number=traveller_line.round,
                    table_number=traveller_line.table,
                    board_number=traveller.board,
                    dealer=traveller.dealer,
                    trumps=deal.trumps if deal and not traveller.has_declared_trumps else None,
                    names_by_seat=_map_seat_names(table, places_by_pk, entry_names_by_number),
                    ns_entries=table.ns.entries,
                    ew_entries=table.ew.entries,
                    traveller_line=traveller_line,
                    matchpoints=matchpoints_by_play.get(
                        (traveller_line.sitting_id, traveller.board), (None, None)
                    ),
                    pool="" if snapshot.session.across_sections else traveller_line.section,
                    is_in_other_suits=is_played_in_other_suits(
                        snapshot, table, traveller.board
                    ),
                )
            )
    return plays


def _map_seat_names(
    table: SeatedTable,
    places_by_pk: Mapping[int, Place],
    entry_names_by_number: Mapping[int, EntryNames],
) -> dict[Seat, str]:
    names_by_side = (
        _list_side_names(table.ns, places_by_pk, entry_names_by_number),
        _list_side_names(table.ew, places_by_pk, entry_names_by_number),
    )
    return dict(zip(SEAT_ORDER, (*names_by_side[0], *names_by_side[1]), strict=True))


def _list_side_names(
    side: SeatedSide,
    places_by_pk: Mapping[int, Place],
    entry_names_by_number: Mapping[int, EntryNames],
) -> tuple[str, str]:
    """Return the names of a side's two players.

    It is not recorded which members of a team of four or more sat here. Then the result is the
    name of the team and "".
    """
    seated_entries = [
        entry for place_pk in side.places if (entry := places_by_pk[place_pk].entry) is not None
    ]
    entry_numbers = list(dict.fromkeys(entry.number for entry in seated_entries))
    if len(entry_numbers) == 2:
        first_entry_name, second_entry_name = (
            entry_names_by_number[entry_number].name for entry_number in entry_numbers
        )
        return first_entry_name, second_entry_name
    player_names = _get_player_names(seated_entries, entry_names_by_number)
    if len(player_names) == 2:
        return player_names[0], player_names[1]
    return (entry_names_by_number[entry_numbers[0]].name if entry_numbers else side.name), ""


def _get_player_names(
    seated_entries: Sequence[Entry], entry_names_by_number: Mapping[int, EntryNames]
) -> tuple[str, ...]:
    return (
        entry_names_by_number[seated_entries[0].number].player_names if seated_entries else ()
    )


def get_side_scores(play: BoardPlayResult) -> tuple[Fraction | None, Fraction | None]:
    """Return the scores of N-S and E-W for a play, by the event's scoring method."""
    return play.traveller_line.ns_score, play.traveller_line.ew_score
