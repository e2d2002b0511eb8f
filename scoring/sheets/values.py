"""The values of sheets: frozen dataclasses that pages, papers, API and exports share.

Labels are the pair numbers that players know: "3 N-S" if two fields play, else "5". `ns` and
`ew` on slips are the short numbers for a column that already has the side: "3".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from django.utils.translation import gettext as _

from boards.whist import Deal, Declaration, Seat, Suit
from boards.whist.second_suits import format_suits
from printing.values import Heading
from scoring.sheets.standings_edition import Edition
from server.json_reader.values import choice, text, whole_number

MAX_LINES_WITHOUT_LINKS = 24
"""With more lines a page has links to its parts: it is longer than six screens of a phone."""

# ---------------------------------------------------------------- papers made before play


@dataclass(frozen=True, slots=True)
class SlipLine:
    """One printed row of a traveller: the pairs that will play the board, and the round."""

    round: int
    table: str  # displayed: "13", with several sections "A13"
    ns: str
    ew: str
    singles: bool = False  # each side is two players: "2 & 12"


@dataclass(frozen=True, slots=True)
class TravellerSlip:
    """The slip that travels with one board; it shows neither the cards nor the trump (rules D2,
    J6).

    If each table declares trumps, it has a column for them.
    """

    heading: Heading
    board: int
    dealer: Seat
    lines: tuple[SlipLine, ...]
    notes_trumps: bool = False
    is_in_points: bool = False  # whether points are written instead of tricks


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
    """The guide card of one table for the session: the pairs and boards of each round."""

    heading: Heading
    table: int
    place: str  # the displayed table: "13", with several sections "A13"
    lines: tuple[GuideLine, ...]
    moves: tuple[str, ...] = ()  # the moves after each round, in sentences
    singles: bool = False  # each side is two players: "2 & 12"


@dataclass(frozen=True, slots=True)
class ScoreSlipLine:
    """One board on a pair's own slip."""

    round: int
    table: str  # displayed: "13", with several sections "A13"
    direction: str  # "N-S" or "E-W", for a single player "N"; "" in a sit-out
    opponents: str
    board: int | None  # None in a sit-out
    partner: str = ""  # of a single player


@dataclass(frozen=True, slots=True)
class ScoreSlip:
    """The personal score slip of one pair (rules J5).

    It starts in the pair's first round, because in round 1 another pair has that seat.
    """

    heading: Heading
    label: str
    name: str
    start_place: str  # "table 3, N-S"; "" if it never plays
    lines: tuple[ScoreSlipLine, ...]
    start_round: int = 1  # the round
    first_table: int = 0  # the first of its tables; 0 without one
    is_single: bool = False  # the slip of one player, whose name has a surname

    @property
    def start(self) -> str:
        """The pair's start: "table 3, N-S", or "sits out round 1, then table 2, N-S"."""
        if not self.start_place:
            return _("sits out all rounds")
        placeholders = {"last": self.start_round - 1, "place": self.start_place}
        if self.start_round == 1:
            return self.start_place
        if self.start_round == 2:
            return _("sits out round 1, then %(place)s") % placeholders
        return _("sits out rounds 1 to %(last)s, then %(place)s") % placeholders


@dataclass(frozen=True, slots=True)
class TrumpSlip:
    """The trump card and the number of a deal; no other paper shows them (rules D1)."""

    heading: Heading
    board: int
    dealer: Seat
    turn_up: str | None  # "H6"; None prints a box to write in
    play: str = ""  # "Second play", if its suits differ from the first


# ---------------------------------------------------------------- standings


@dataclass(frozen=True, slots=True)
class RankRow:
    """One entry's rank."""

    rank: Annotated[int, whole_number(0)]
    tied: bool
    entry: Annotated[int, whole_number(1)]
    label: Annotated[str, text(20, 0)]
    name: Annotated[str, text(1000)]
    score: Fraction  # plus or minus, matchpoints, ... in the method's unit
    percent: Fraction | None  # a fraction of 1, if the method has percentages
    tricks: Fraction
    boards: Annotated[int, whole_number(0)]
    wins_overall: bool = False
    notes: tuple[str, ...] = ()  # penalties, carry-over, tie-breaks
    a_board: Fraction | None = None  # the score a board, if it ranks the entries
    corrected: Fraction | None = None  # with the opponents' totals, if the terms require it
    each: Fraction | None = None  # the same, if it ranks another field of the event
    by_corrected: bool = False  # whether that ranks the entries instead of only breaking ties

    @property
    def ranking_value(self) -> Fraction:
        """The value by which the row is ranked among rows without a percentage."""
        if self.by_corrected and self.corrected is not None:
            return self.corrected
        return self.score if self.a_board is None else self.a_board

    @property
    def counted_boards(self) -> Fraction:
        """The divisor of the score: the number of boards; carried-over boards count in part.

        All boards if the score a board is unknown or zero.
        """
        return self.score / self.a_board if self.a_board else Fraction(self.boards)


@dataclass(frozen=True, slots=True)
class RankField:
    """The entries that are ranked together."""

    section: Annotated[str, text(2, 0)]
    field: Annotated[str, choice(("", "NS", "EW"))]
    average: Fraction | None  # of the totals of tricks, if plus and minus are relative to it
    rows: tuple[RankRow, ...]

    @property
    def placings(self) -> tuple[RankRow, ...]:
        """All rows of the field."""
        return self.rows

    @property
    def is_level(self) -> bool:
        """Whether all entries of the field played equal numbers of boards."""
        return len({row.boards for row in self.rows}) < 2

    @property
    def is_corrected(self) -> bool:
        """Whether the field has corrected totals."""
        return any(row.corrected is not None for row in self.rows)

    @property
    def is_by_board(self) -> bool:
        """Whether the field is ranked by the score a board."""
        return any(row.a_board is not None for row in self.rows)


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
    closed: bool = True  # whether the director has closed every session
    is_live: bool = False  # whether a session is in play
    by_rounds: bool = False  # whether a session in play counts here round by round
    waits: tuple[int, ...] = ()  # sessions in play that count only after their close
    counts_in_part: bool = False  # whether earlier sessions count only in part
    awaits_session: bool = False  # whether a session is planned after one that was opened
    edition: Edition | None = None  # for paper, which does not follow changes

    @property
    def is_final(self) -> bool:
        """Whether every result is in and the director has closed the event."""
        return self.complete and self.closed

    @property
    def is_over(self) -> bool:
        """Whether every planned result is in: of all rounds and of all sessions."""
        return self.complete and not self.awaits_session

    @property
    def awaits_draw(self) -> bool:
        """Whether all results are in but a later round is not drawn yet."""
        return not self.complete and not self.missing and self.has_begun

    @property
    def has_begun(self) -> bool:
        """Whether any result is in; before that, ranks are meaningless."""
        return any(row.boards for field in self.fields for row in field.rows)


# ---------------------------------------------------------------- after play


@dataclass(frozen=True, slots=True)
class TravellerLine:
    """One table's play of a board."""

    section: str
    round: int
    table: int
    place: str  # the displayed table: "13", with several sections "A13"
    ns_entry: int | None
    ns_label: str
    ns_name: str
    ew_entry: int | None
    ew_label: str
    ew_name: str
    outcome: str  # "played", "not_played", "" while missing
    ns_tricks: int | None  # None also if the event counts points
    ew_tricks: int | None
    ns_score: Fraction | None
    ew_score: Fraction | None
    sitting: int = 0  # the key of the table's sitting
    ns_first: int | None = None  # the first N-S entry; its explanation has the N-S score
    ew_first: int | None = None
    ruled: str = ""  # void, average, adjusted or revoke; "" without a ruling
    ns_counts: Fraction | None = None  # the tricks that count, if a ruling decides them
    ew_counts: Fraction | None = None
    ns_mark: str = ""  # "−R", "+R" next to the entered score (rules H5)
    ew_mark: str = ""
    notes: tuple[str, ...] = ()  # the rulings in words
    trump: Declaration | None = None  # the table's declaration, if the event records it
    best: int | None = None  # N-S tricks with best play and the trumps of this table
    entries: tuple[int, ...] = ()  # all who sat at the table
    ns_points: int | None = None  # won by N-S, if the event counts points
    ew_points: int | None = None
    is_hidden: bool = False  # someone may still play the board

    @property
    def ns_result(self) -> int | None:
        """The result of N-S as printed: its tricks, or the points it won."""
        return self.ns_tricks if self.ns_points is None else self.ns_points

    @property
    def ew_result(self) -> int | None:
        """The result of E-W as printed: its tricks, or the points it won."""
        return self.ew_tricks if self.ew_points is None else self.ew_points

    @property
    def ns_value(self) -> int | None:
        """The N-S value compared with other tables: tricks, or points won less those lost."""
        if self.ns_points is None or self.ew_points is None:
            return self.ns_tricks
        return self.ns_points - self.ew_points


@dataclass(frozen=True, slots=True)
class Traveller:
    """A board with the results of all tables."""

    heading: Heading
    board: int
    dealer: Seat
    deal: Deal | None  # None while secret or unknown
    best_tricks: int | None
    ns_average: Fraction | None
    lines: tuple[TravellerLine, ...]
    best_by_suit: tuple[tuple[Suit, int], ...] = ()  # if each table declares trumps
    notes_trumps: bool = False
    is_in_points: bool = False  # whether a result is points won and lost
    second_suits: Mapping[Suit, Suit] | None = None  # of a second play in other suits

    @property
    def second_suits_text(self) -> str:
        """The suits of the second play: "♠ → ♥, ♥ → ♠, ..."; "" if they are the same."""
        return format_suits(self.second_suits) if self.second_suits else ""

    @property
    def any_best_tricks(self) -> int | None:
        """The best-play tricks with the board's trumps, else with any suit; None if unknown."""
        return self.best_by_suit[0][1] if self.best_by_suit else self.best_tricks


@dataclass(frozen=True, slots=True)
class CardLine:
    """One board on an entry's scorecard."""

    board: int
    round: int
    section: str
    table: int
    place: str  # the displayed table: "13", with several sections "A13"
    direction: str  # "N-S" or "E-W"
    opponents: str
    opponents_label: str
    opponents_entry: int | None
    outcome: str
    tricks: int | None  # None also if the event counts points
    average: Fraction | None  # of the entry's side on this board
    score: Fraction | None
    ruled: str = ""
    counts: Fraction | None = None
    mark: str = ""
    notes: tuple[str, ...] = ()
    trump: Declaration | None = None  # the table's declaration, if the event records it
    won: int | None = None  # points, if the event counts them
    lost: int | None = None
    partner: str = ""  # of a single player: "4 Ada Pole"
    is_hidden: bool = False  # someone may still play the board

    @property
    def compared_value(self) -> int | None:
        """The value to compare with other tables: tricks, or points won less points lost."""
        if self.won is None or self.lost is None:
            return self.tricks
        return self.won - self.lost


@dataclass(frozen=True, slots=True)
class CardPart:
    """A row below a scorecard's boards: a session's total, a penalty, or the carry-over."""

    title: str
    note: str
    tricks: Fraction | None
    average: Fraction | None
    score: Fraction | None


@dataclass(frozen=True, slots=True)
class Scorecard:
    """All results of one entry, board by board."""

    heading: Heading
    entry: int
    label: str
    name: str
    players: tuple[str, ...]
    method: str
    rank: RankRow | None
    is_final: bool
    field: str
    field_average: Fraction | None
    lines: tuple[CardLine, ...]
    sit_outs: tuple[int, ...] = ()  # rounds
    parts: tuple[CardPart, ...] = ()  # they add up to the rank's totals; empty for a single one
    placings: tuple[RankRow, ...] = ()  # of its field
    round_totals: tuple[
        tuple[int, int, Fraction], ...
    ] = ()  # round, table, and the round's total


@dataclass(frozen=True, slots=True)
class RecapRow:
    """One entry's tricks on every board."""

    rank: RankRow
    cells: tuple[str, ...]
    """"8", "8→6 −R", "7.50 A", "V", "–" not played, "" to come; of two plays "9/4"."""
    sides: tuple[int, ...] = ()  # 1: a trick or more above its average, -1: below, else 0
    short: str = ""  # its surnames, for narrow screens


@dataclass(frozen=True, slots=True)
class RecapField:
    """One field's part of the recap."""

    section: str
    field: str
    average: Fraction | None
    rows: tuple[RecapRow, ...]

    @property
    def placings(self) -> tuple[RankRow, ...]:
        """All rows of the field."""
        return tuple(row.rank for row in self.rows)


@dataclass(frozen=True, slots=True)
class Recap:
    """The whole event on one grid: entries down, boards across."""

    heading: Heading
    method: str
    boards: tuple[int, ...]
    fields: tuple[RecapField, ...]
    complete: bool

    @property
    def is_long(self) -> bool:
        """Whether fields after the first need a link on a phone."""
        return (
            len(self.fields) > 1
            and sum(len(field.rows) for field in self.fields) > MAX_LINES_WITHOUT_LINKS
        )

    @property
    def has_two_plays_per_cell(self) -> bool:
        """Whether any entry has two plays of one board in one cell: "9/4"."""
        rows = (row for field in self.fields for row in field.rows)
        return any("/" in cell for row in rows for cell in row.cells)
