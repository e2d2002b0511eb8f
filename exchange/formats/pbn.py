"""The boards of a session as PBN, with every result once it is closed.

Its tables carry the whole event: what each table took on each board, and the ranking. Source:
Portable Bridge Notation 2.1 (ScoreTable, TotalScoreTable, OptimumResultTable).
"""

from fractions import Fraction

from django.utils.translation import gettext_lazy

from boards import pbn, proof
from boards.whist import Deal, Seat, Side, Suit
from boards.whist.figures import decimals
from exchange.formats.values import Format, Place
from scoring.methods.matchpoints import METHOD as MATCHPOINTS
from scoring.reckoning.scores import method_of
from scoring.secrecy import hands_may_be_seen
from scoring.sheets.proofs import proof_of
from scoring.sheets.ranks import rank_table
from scoring.sheets.records import whole_tables
from scoring.sheets.travellers import travellers
from scoring.sheets.values import RankTable, Traveller, TravellerLine
from scoring.sittings import SeatedSession

WORDS = ("NT", *Suit)
"""Trumps in the order in which a board's table is kept."""


def write(room: SeatedSession) -> bytes:
    """Write the boards of a session; results, ranking and proof only once it is closed.

    Before that it is the file for a dealing machine: cards, dealers and turn-ups, nothing else.
    """
    board_set = room.session.board_set
    deals = board_set.deals() if board_set else {}
    event = room.session.event
    tables, head = {}, ""
    if hands_may_be_seen(room.session):
        known = whole_tables(room)
        is_matchpoints = method_of(event) is MATCHPOINTS
        tables = {
            sheet.board: _tables(
                sheet,
                known.get(sheet.board, ""),
                matchpoints=is_matchpoints,
            )
            for sheet in travellers(room)
        }
        first = min(deals, default=0)
        tables[first] = tables.get(first, "") + _ranking(rank_table(event))
        published = proof_of(room.session)
        head = proof.header(published) if published else ""
    return pbn.write(
        deals,
        event=event.name,
        site=event.club.name,
        date=room.session.day.strftime("%Y.%m.%d"),
        head=head,
        tables=tables,
    ).encode()


def _tables(sheet: Traveller, table: str, *, matchpoints: bool) -> str:
    found = _best_play(sheet, table)
    rows = [
        _line(sheet.deal, line, tricks, matchpoints=matchpoints)
        for line in sheet.lines
        if sheet.deal is not None and (tricks := _tricks(line)) is not None
    ]
    if rows:
        extra = ";MP_NS\\6R;MP_EW\\6R" if matchpoints else ""
        found += (
            '[ScoreTable "Section;Table\\2R;Round\\2R;PairId_NS\\3R;PairId_EW\\3R;'
            f'Contract\\2R;Declarer;Result\\2R;Score_NS\\4R;Score_EW\\4R{extra}"]\n'
        )
        found += "".join(rows)
    return found


def _tricks(line: TravellerLine) -> int | None:
    """The tricks that count for N/S; none where nothing was played or a ruling took it away."""
    if line.ruled in ("void", "average"):
        return None
    counts = line.ns_counts
    if counts is not None and line.ew_counts == 13 - counts and counts.denominator == 1:
        return int(counts)
    return line.ns_tricks


def _best_play(sheet: Traveller, table: str) -> str:
    """Write best play as bridge programs read it: twenty rows, or the one that whist knows.

    The row of the dealer and the turn-up's suit is the board's own.
    """
    rows = []
    if table:
        cells = iter(table)
        rows = [
            f"{seat} {word:>2} {int(next(cells), 16):>2}" for seat in Seat for word in WORDS
        ]
    elif sheet.deal is not None and sheet.best_tricks is not None:
        best = _dealers(sheet.deal, sheet.best_tricks)
        rows = [f"{sheet.deal.dealer} {sheet.deal.trumps:>2} {best:>2}"]
    if not rows:
        return ""
    head = '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]'
    return "\n".join([head, *rows]) + "\n"


def _line(deal: Deal, line: TravellerLine, ns_tricks: int, *, matchpoints: bool) -> str:
    pairs = f"{line.ns_entry or '-':>3} {line.ew_entry or '-':>3}"
    tricks = _dealers(deal, ns_tricks)
    points = bridge_score(deal.trumps, tricks)
    ns = points if deal.dealer.side is Side.NS else -points
    scores = f"{ns:>4}    -" if ns > 0 else f"   - {-ns:>4}"
    if matchpoints:
        scores += f" {_figure(line.ns_score):>6} {_figure(line.ew_score):>6}"
    return (
        f"{line.section} {line.table:>2} {line.round:>2} {pairs} 1{deal.trumps} {deal.dealer} "
        f"{tricks:>2} {scores}\n"
    )


def bridge_score(trumps: Suit, tricks: int) -> int:
    """What a bridge program gives the declarer for so many tricks in one of a suit.

    It rises with the tricks in every suit, so a field's ranks on a board are those of whist.
    Source: The Laws of Duplicate Bridge, law 77; neither doubled nor vulnerable.
    """
    if tricks < 7:
        return -50 * (7 - tricks)
    return 50 + (tricks - 6) * (30 if trumps in (Suit.SPADES, Suit.HEARTS) else 20)


def _ranking(table: RankTable) -> str:
    rows = [row for field in table.fields for row in field.rows]
    if not rows:
        return ""
    unit = "TotalScoreMP" if table.method == MATCHPOINTS.name else "TotalScore"
    head = f'[TotalScoreTable "Rank\\3R;PairId\\3R;{unit}\\8R;Names\\40L"]\n'
    return head + "".join(
        f'{row.rank:>3} {row.entry:>3} {_figure(row.score):>8} "{_plain(row.name)}"\n'
        for row in rows
    )


def _dealers(deal: Deal, ns_tricks: int) -> int:
    """The tricks of the dealer's side, as bridge programs count a contract's result."""
    return ns_tricks if deal.dealer.side is Side.NS else 13 - ns_tricks


def _figure(score: Fraction | None) -> str:
    return "-" if score is None else decimals(score).replace("−", "-")


def _plain(name: str) -> str:
    return name.replace('"', "'")


FORMAT = Format(
    name="pbn",
    title="PBN",
    media_type="application/x-pbn",
    extension="pbn",
    tells_cards=True,
    offers={
        Place.HANDS: gettext_lazy("Save as PBN"),
        Place.DIRECTOR: gettext_lazy("Save as PBN"),
        Place.MACHINE: gettext_lazy("PBN for the dealing machine"),
    },
    write=write,
)
