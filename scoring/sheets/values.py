"""The sheets themselves: frozen values that pages, papers, API and exports share.

Labels are the pair numbers that players know: "3 N-S" where two fields play, else "5".
`ns` and `ew` on slips are the short numbers for a column that already says the side: "3".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from django.utils.translation import gettext as _

from boards.whist import Deal, Declared, Seat, Suit
from boards.whist.second_suits import suits_text
from printing.values import Heading
from scoring.sheets.standings_edition import Edition
from server.json_reader.values import choice, text, whole

LONG = 24
"""Lines above which a page needs ways to its parts: more than six screens of a phone."""

# ---------------------------------------------------------------- papers made before play


@dataclass(frozen=True, slots=True)
class SlipLine:
    """One printed row of a traveller: who will play the board, and when."""

    round: int
    table: str  # as players know it: "13", in one of several sections "A13"
    ns: str
    ew: str
    singles: bool = False  # each side is two players: "2 & 12"


@dataclass(frozen=True, slots=True)
class TravellerSlip:
    """The slip that goes with one board; it shows neither cards nor trump (rules D2, J6).

    Where each table declares trumps it has a column for them.
    """

    heading: Heading
    board: int
    dealer: Seat
    lines: tuple[SlipLine, ...]
    notes_trumps: bool = False
    in_points: bool = False  # whether points are written, in place of tricks


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
    place: str  # the table as players know it: "13", in one of several sections "A13"
    lines: tuple[GuideLine, ...]
    moves: tuple[str, ...] = ()  # in words: who goes where after each round
    singles: bool = False  # each side is two players: "2 & 12"


@dataclass(frozen=True, slots=True)
class ScoreSlipLine:
    """One board on a pair's own slip."""

    round: int
    table: str  # as players know it: "13", in one of several sections "A13"
    direction: str  # "N-S" or "E-W", of a single player "N"; empty in a sit-out
    opponents: str
    board: int | None  # None in a sit-out
    partner: str = ""  # of a single player


@dataclass(frozen=True, slots=True)
class ScoreSlip:
    """The personal score slip of one pair (rules J5).

    It starts in the first round that it plays: a seat told without its round would be another's
    in round 1.
    """

    heading: Heading
    label: str
    name: str
    starts_at: str  # "table 3, N-S"; empty where it never plays
    lines: tuple[ScoreSlipLine, ...]
    starts_in: int = 1  # the round
    first_table: int = 0  # of all those it comes to; 0 for none
    is_single: bool = False  # of one player, so that its name has a surname

    @property
    def start(self) -> str:
        """What it does in round 1: "table 3, N-S", "sits out round 1, then table 2, N-S"."""
        if not self.starts_at:
            return _("sits out all rounds")
        words = {"last": self.starts_in - 1, "place": self.starts_at}
        if self.starts_in == 1:
            return self.starts_at
        if self.starts_in == 2:
            return _("sits out round 1, then %(place)s") % words
        return _("sits out rounds 1 to %(last)s, then %(place)s") % words


@dataclass(frozen=True, slots=True)
class TrumpSlip:
    """The trump card and the number of a deal, written here and nowhere else (rules D1)."""

    heading: Heading
    board: int
    dealer: Seat
    turn_up: str | None  # "H6"; None prints a box to write in
    play: str = ""  # "Second play", where it has other suits than the first


# ---------------------------------------------------------------- standings


@dataclass(frozen=True, slots=True)
class RankRow:
    """One entry's placing."""

    rank: Annotated[int, whole(0)]
    tied: bool
    entry: Annotated[int, whole(1)]
    label: Annotated[str, text(20, 0)]
    name: Annotated[str, text(1000)]
    score: Fraction  # plus or minus, matchpoints, ... in the method's unit
    percent: Fraction | None  # share of one; only where the method has it
    tricks: Fraction
    boards: Annotated[int, whole(0)]
    wins_overall: bool = False
    notes: tuple[str, ...] = ()  # penalties, what was carried over, how a tie was broken
    a_board: Fraction | None = None  # the score a board, where that places the entries
    corrected: Fraction | None = None  # with the opponents' totals, where the terms ask for it
    each: Fraction | None = None  # the same, where it places another field of the event
    by_corrected: bool = False  # whether that places the entries, and parts not ties alone

    @property
    def worth(self) -> Fraction:
        """What places it among rows without a percentage."""
        if self.by_corrected and self.corrected is not None:
            return self.corrected
        return self.score if self.a_board is None else self.a_board

    @property
    def counted_boards(self) -> Fraction:
        """The boards that the score a board was divided by: those carried over count in part.

        All of them if the score a board is unknown or zero.
        """
        return self.score / self.a_board if self.a_board else Fraction(self.boards)


@dataclass(frozen=True, slots=True)
class RankField:
    """A field that is ranked together."""

    section: Annotated[str, text(2, 0)]
    field: Annotated[str, choice(("", "NS", "EW"))]
    average: Fraction | None  # of the totals of tricks, where it makes the plus and minus
    rows: tuple[RankRow, ...]

    @property
    def placings(self) -> tuple[RankRow, ...]:
        """Everybody's placing."""
        return self.rows

    @property
    def is_level(self) -> bool:
        """Whether all of the field played equal numbers of boards."""
        return len({row.boards for row in self.rows}) < 2

    @property
    def is_corrected(self) -> bool:
        """Whether the field has corrected totals."""
        return any(row.corrected is not None for row in self.rows)

    @property
    def is_by_board(self) -> bool:
        """Whether the field is placed by the score a board."""
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
    closed: bool = True  # every session, by the director
    live: bool = False  # whether a session is in play
    by_rounds: bool = False  # whether a session in play counts here round by round
    waits: tuple[int, ...] = ()  # sessions in play that count here only once they are closed
    counts_in_part: bool = False  # whether earlier sessions count only in part
    awaits_session: bool = False  # whether a session is planned after one that was opened
    edition: Edition | None = None  # for paper, which does not follow what changes

    @property
    def is_final(self) -> bool:
        """Whether nothing is to come: every result is in, and the director has closed."""
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
        """Whether any result is in; before it nobody has a rank worth showing."""
        return any(row.boards for field in self.fields for row in field.rows)


# ---------------------------------------------------------------- after play


@dataclass(frozen=True, slots=True)
class TravellerLine:
    """One table's play of a board."""

    section: str
    round: int
    table: int
    place: str  # the table as players know it: "13", in one of several sections "A13"
    ns_entry: int | None
    ns_label: str
    ns_name: str
    ew_entry: int | None
    ew_label: str
    ew_name: str
    outcome: str  # "played", "not_played", "" while it is still to come
    ns_tricks: int | None  # None too where the event counts points
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
    trump: Declared | None = None  # what the table declared, where the event notes it
    best: int | None = None  # N-S tricks with best play and the trumps of this table
    entries: tuple[int, ...] = ()  # all who sat at the table
    ns_points: int | None = None  # that N-S won, where the event counts points
    ew_points: int | None = None

    @property
    def ns_made(self) -> int | None:
        """What stands on paper for N-S: tricks, or the points it won."""
        return self.ns_tricks if self.ns_points is None else self.ns_points

    @property
    def ew_made(self) -> int | None:
        """The same for E-W."""
        return self.ew_tricks if self.ew_points is None else self.ew_points

    @property
    def ns_worth(self) -> int | None:
        """What is compared: the tricks of N-S, or its points won less those lost."""
        if self.ns_points is None or self.ew_points is None:
            return self.ns_tricks
        return self.ns_points - self.ew_points


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
    best_by_suit: tuple[tuple[Suit, int], ...] = ()  # where each table declares trumps
    notes_trumps: bool = False
    in_points: bool = False  # whether a result is points won and lost
    second_suits: Mapping[Suit, Suit] | None = None  # of a second play in other suits

    @property
    def second_suits_text(self) -> str:
        """The suits of the second play for people: "♠ → ♥, ♥ → ♠, ..."; "" for the same."""
        return suits_text(self.second_suits) if self.second_suits else ""

    @property
    def some_best(self) -> int | None:
        """What best play makes with the board's trumps, else with one suit; None: not known."""
        return self.best_by_suit[0][1] if self.best_by_suit else self.best_tricks


@dataclass(frozen=True, slots=True)
class CardLine:
    """One board on an entry's own card."""

    board: int
    round: int
    section: str
    table: int
    place: str  # the table as players know it: "13", in one of several sections "A13"
    direction: str  # "N-S" or "E-W"
    opponents: str
    opponents_label: str
    opponents_entry: int | None
    outcome: str
    tricks: int | None  # None too where the event counts points
    average: Fraction | None  # of the entry's side on this board
    score: Fraction | None
    ruled: str = ""
    counts: Fraction | None = None
    mark: str = ""
    notes: tuple[str, ...] = ()
    trump: Declared | None = None  # what the table declared, where the event notes it
    won: int | None = None  # points, where the event counts them
    lost: int | None = None
    partner: str = ""  # of a single player: "4 Ada Pole"

    @property
    def worth(self) -> int | None:
        """What is compared: tricks, or points won less those lost."""
        if self.won is None or self.lost is None:
            return self.tricks
        return self.won - self.lost


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
    is_final: bool
    field: str
    field_average: Fraction | None
    lines: tuple[CardLine, ...]
    sit_outs: tuple[int, ...] = ()  # rounds
    parts: tuple[CardPart, ...] = ()  # they add up to the rank's figures; none where one is all
    placings: tuple[RankRow, ...] = ()  # of its field
    told: tuple[tuple[int, int, Fraction], ...] = ()  # what a round at a table brought in all


@dataclass(frozen=True, slots=True)
class RecapRow:
    """One entry's tricks on every board."""

    rank: RankRow
    cells: tuple[str, ...]
    """"8", "8→6 −R", "7.50 A", "V", "–" not played, "" to come; of two plays "9/4"."""
    sides: tuple[int, ...] = ()  # a trick or more above its average 1, below it -1, else 0
    short: str = ""  # its name by surnames, for a screen with little room


@dataclass(frozen=True, slots=True)
class RecapField:
    """One field's part of the recap."""

    section: str
    field: str
    average: Fraction | None
    rows: tuple[RecapRow, ...]

    @property
    def placings(self) -> tuple[RankRow, ...]:
        """Everybody's placing."""
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
        """Whether a field after the first needs a way to it on a phone."""
        return len(self.fields) > 1 and sum(len(field.rows) for field in self.fields) > LONG

    @property
    def plays_twice(self) -> bool:
        """Whether anybody has two plays of one board, told in one square: "9/4"."""
        rows = (row for field in self.fields for row in field.rows)
        return any("/" in cell for row in rows for cell in row.cells)
