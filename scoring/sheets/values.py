"""The sheets themselves: frozen values that pages, papers, API and exports share.

Labels are the pair numbers that players know: "3 N-S" where two fields play, else "5".
`ns` and `ew` on slips are the short numbers for a column that already says the side: "3".
"""

from dataclasses import dataclass
from fractions import Fraction

from boards.whist import Deal, Seat
from printing.values import Heading
from scoring.sheets.standings_edition import Edition

# ---------------------------------------------------------------- papers made before play


@dataclass(frozen=True, slots=True)
class SlipLine:
    """One printed row of a traveller: who will play the board, and when."""

    round: int
    table: int
    ns: str
    ew: str
    singles: bool = False  # each side is two players: "2 & 12"


@dataclass(frozen=True, slots=True)
class TravellerSlip:
    """The slip that goes with one board; it shows neither cards nor trump (rules D2, J6)."""

    heading: Heading
    board: int
    dealer: Seat
    lines: tuple[SlipLine, ...]


@dataclass(frozen=True, slots=True)
class GuideLine:
    """One round at one table."""

    round: int
    ns: str
    ew: str
    boards: str  # "1–4", "–" in a sit-out
    note: str = ""  # "shares boards with table 1", "sit-out", "seats turned"


@dataclass(frozen=True, slots=True)
class GuideCard:
    """What lies on one table all session: who comes, and with which boards."""

    heading: Heading
    table: int
    lines: tuple[GuideLine, ...]
    moves: tuple[str, ...] = ()  # in words: who goes where after each round
    singles: bool = False  # each side is two players: "2 & 12"


@dataclass(frozen=True, slots=True)
class ScoreSlipLine:
    """One board on a pair's own slip."""

    round: int
    table: int
    direction: str  # "N-S" or "E-W", of a single player "N"; empty in a sit-out
    opponents: str
    board: int | None  # None in a sit-out
    partner: str = ""  # of a single player


@dataclass(frozen=True, slots=True)
class ScoreSlip:
    """The personal score slip of one pair (rules J5)."""

    heading: Heading
    label: str
    name: str
    starts_at: str  # "table 3, N-S"
    lines: tuple[ScoreSlipLine, ...]


@dataclass(frozen=True, slots=True)
class TrumpSlip:
    """The trump card and the number of a deal, written here and nowhere else (rules D1)."""

    heading: Heading
    board: int
    dealer: Seat
    turn_up: str | None  # "H6"; None prints a box to write in


# ---------------------------------------------------------------- standings


@dataclass(frozen=True, slots=True)
class RankRow:
    """One entry's placing."""

    rank: int
    tied: bool
    entry: int
    label: str
    name: str
    score: Fraction  # plus or minus, matchpoints, ... in the method's unit
    percent: Fraction | None  # share of one; only where the method has it
    tricks: Fraction
    boards: int
    wins_overall: bool = False
    notes: tuple[str, ...] = ()  # penalties, what was carried over, how a tie was broken


@dataclass(frozen=True, slots=True)
class RankField:
    """A field that is ranked together."""

    section: str
    field: str  # "NS", "EW" or ""
    average: Fraction | None  # of the field's totals of tricks
    rows: tuple[RankRow, ...]


@dataclass(frozen=True, slots=True)
class RankTable:
    """The standings of an event."""

    heading: Heading
    method: str  # "plus_minus" or "matchpoints", ...
    fields: tuple[RankField, ...]
    overall: tuple[int, ...]  # entries that win overall; more than one when tied
    complete: bool
    missing: int  # results still to come
    version: int
    provisional: int = 0  # rulings that may still change what counts
    closed: bool = True  # every session, by the director
    edition: Edition | None = None  # for paper, which does not follow what changes

    @property
    def is_final(self) -> bool:
        """Whether nothing is to come: every result is in, and the director has closed."""
        return self.complete and self.closed

    @property
    def has_begun(self) -> bool:
        """Whether any result is in; before it nobody has a rank worth showing."""
        return any(row.boards for field in self.fields for row in field.rows)


# ---------------------------------------------------------------- after play


@dataclass(frozen=True, slots=True)
class TravellerLine:
    """One table's play of a board."""

    section: str
    round: int
    table: int
    ns_entry: int | None
    ns_label: str
    ns_name: str
    ew_entry: int | None
    ew_label: str
    ew_name: str
    outcome: str  # "played", "not_played", "" while it is still to come
    ns_tricks: int | None
    ew_tricks: int | None
    ns_score: Fraction | None
    ew_score: Fraction | None
    sitting: int = 0
    ns_first: int | None = None  # whose explanation tells of the N-S score: of two partners one
    ew_first: int | None = None
    ruled: str = ""  # void, average, adjusted or revoke; empty where nothing was ruled
    ns_counts: Fraction | None = None  # the tricks that count where a ruling decides them
    ew_counts: Fraction | None = None
    ns_mark: str = ""  # "−R", "+R" beside the score as made (rules H5)
    ew_mark: str = ""
    notes: tuple[str, ...] = ()  # what was ruled, in words


@dataclass(frozen=True, slots=True)
class Traveller:
    """A board with every result on it."""

    heading: Heading
    board: int
    dealer: Seat
    deal: Deal | None  # None while it is secret or not known
    best_tricks: int | None
    ns_average: Fraction | None
    lines: tuple[TravellerLine, ...]


@dataclass(frozen=True, slots=True)
class CardLine:
    """One board on an entry's own card."""

    board: int
    round: int
    table: int
    direction: str  # "N-S" or "E-W"
    opponents: str
    opponents_label: str
    opponents_entry: int | None
    outcome: str
    tricks: int | None
    average: Fraction | None  # of the entry's side on this board
    score: Fraction | None
    ruled: str = ""
    counts: Fraction | None = None
    mark: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardPart:
    """A row under a card's boards: what a session brought, or what changed that."""

    title: str
    note: str
    tricks: Fraction | None
    average: Fraction | None
    score: Fraction | None


@dataclass(frozen=True, slots=True)
class Scorecard:
    """All that one entry did, board by board."""

    heading: Heading
    entry: int
    label: str
    name: str
    players: tuple[str, ...]
    method: str
    rank: RankRow | None
    field: str
    field_average: Fraction | None
    lines: tuple[CardLine, ...]
    sit_outs: tuple[int, ...] = ()  # rounds
    parts: tuple[CardPart, ...] = ()  # they add up to the rank's figures; none where one is all


@dataclass(frozen=True, slots=True)
class RecapRow:
    """One entry's tricks on every board."""

    rank: RankRow
    cells: tuple[str, ...]  # "8", "8→6 −R", "7½ A", "V", "–" not played, "" to come


@dataclass(frozen=True, slots=True)
class RecapField:
    """One field's part of the recap."""

    section: str
    field: str
    average: Fraction | None
    rows: tuple[RecapRow, ...]


@dataclass(frozen=True, slots=True)
class Recap:
    """The whole event on one grid: entries down, boards across."""

    heading: Heading
    method: str
    boards: tuple[int, ...]
    fields: tuple[RecapField, ...]
    complete: bool
