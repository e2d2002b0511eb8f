"""The values of sheets: frozen dataclasses that pages, papers, API and exports share.

Labels are the pair numbers that players know: "3 N-S" if there are two fields, else "5". `ns`
and `ew` on slips are short labels for a column that already has the side: "3".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from django.utils.translation import gettext as _

from boards.whist import Deal, Declaration, Seat, Suit
from boards.whist.second_suits import format_suit_exchange
from printing.values import Heading
from scoring.sheets.standings_edition import Edition
from server.json_reader.values import (
    build_choice_reader,
    build_text_reader,
    build_whole_number_reader,
)

MAX_LINES_WITHOUT_LINKS = 24
"""A page with more rows than this (six screens of a phone) has links to its parts."""

# ---------------------------------------------------------------- papers made before play


@dataclass(frozen=True, slots=True)
class TravellerSlipLine:
    """One printed row of a traveller: the round, and the pairs that will play the board."""

    round_number: int
    table_label: str  # displayed: "13", with several sections "A13"
    ns: str  # the short label: "3"
    ew: str
    is_for_singles: bool = False  # each side is two players: "2 & 12"


@dataclass(frozen=True, slots=True)
class TravellerSlip:
    """The slip that moves with one board from table to table.

    It shows neither the cards nor the turn-up (rules D2, J6).

    If each table declares trumps, the slip has a column for them.
    """

    heading: Heading
    board_number: int
    dealer: Seat
    lines: tuple[TravellerSlipLine, ...]
    has_declared_trumps: bool = False
    is_in_points: bool = False  # whether points are written instead of tricks


@dataclass(frozen=True, slots=True)
class GuideCardRound:
    """One round at one table."""

    round_number: int
    ns: str
    ew: str
    boards: str  # "1–4", "–" in a sit-out
    note: str = ""  # "shares boards with table 1", "sit-out", "seats turned"


@dataclass(frozen=True, slots=True)
class GuideCard:
    """The guide card of one table for the session: the pairs and boards of each round."""

    heading: Heading
    table_number: int
    table_label: str  # the displayed table: "13", with several sections "A13"
    lines: tuple[GuideCardRound, ...]
    moves: tuple[str, ...] = ()  # the moves after each round, in sentences
    is_for_singles: bool = False  # each side is two players: "2 & 12"


@dataclass(frozen=True, slots=True)
class ScoreSlipLine:
    """One board on a pair's own slip."""

    round_number: int
    table_label: str  # displayed: "13", with several sections "A13"
    direction: str  # "N-S" or "E-W", for a single player "N"; "" in a sit-out
    opponents: str
    board_number: int | None  # None in a sit-out
    partner: str = ""  # for a single player: the partner of this board


@dataclass(frozen=True, slots=True)
class ScoreSlip:
    """The personal score slip of one pair (rules J5).

    The pair may start in a later round than round 1, if another pair has the seat until then.
    """

    heading: Heading
    label: str
    name: str
    start_seat_text: str  # "table 3, N-S"; "" if the pair never plays
    lines: tuple[ScoreSlipLine, ...]
    start_round_number: int = 1  # the first round that the pair plays
    first_table_number: int = 0  # the number of the pair's first table; 0 without a table
    is_single: bool = False  # whether the slip is for a single player

    @property
    def start_text(self) -> str:
        """The pair's start: "table 3, N-S", or "sits out round 1, then table 2, N-S"."""
        if not self.start_seat_text:
            return _("sits out all rounds")
        placeholders = {"last": self.start_round_number - 1, "place": self.start_seat_text}
        if self.start_round_number == 1:
            return self.start_seat_text
        if self.start_round_number == 2:
            return _("sits out round 1, then %(place)s") % placeholders
        return _("sits out rounds 1–%(last)s, then %(place)s") % placeholders


@dataclass(frozen=True, slots=True)
class TrumpSlip:
    """The turn-up of one board; no other paper shows turn-ups before the close (rules D1)."""

    heading: Heading
    board_number: int
    dealer: Seat
    turn_up: str | None  # "H6"; None prints a box to write in
    play_name: str = ""  # "Second play", if its suits differ from the first


# ---------------------------------------------------------------- standings


@dataclass(frozen=True, slots=True)
class RankRow:
    """One entry's row in the standings."""

    rank: Annotated[int, build_whole_number_reader(0)]
    tied: bool
    entry: Annotated[int, build_whole_number_reader(1)]
    label: Annotated[str, build_text_reader(20, 0)]
    name: Annotated[str, build_text_reader(1000)]
    score: Fraction  # plus or minus, matchpoints, ... in the method's unit
    percent: Fraction | None  # a fraction of 1, if the method has percentages
    tricks: Fraction
    boards: Annotated[int, build_whole_number_reader(0)]
    wins_overall: bool = False
    notes: tuple[str, ...] = ()  # penalties, carry-over, tie-breaks
    a_board: Fraction | None = None  # the score per board, if the field is ranked by it
    corrected: Fraction | None = None  # corrected total, if the terms use it
    each: Fraction | None = None  # as `a_board`, in a field with equal numbers of boards
    by_corrected: bool = False  # whether `corrected` ranks the entries

    @property
    def ranking_value(self) -> Fraction:
        """The value that ranks the row: corrected total, score per board, or score.

        The percentage, which ranks the row if there is one, is not used.
        """
        if self.by_corrected and self.corrected is not None:
            return self.corrected
        return self.score if self.a_board is None else self.a_board

    @property
    def counted_boards(self) -> Fraction:
        """The number of boards by which the score is divided.

        Boards of earlier sessions may count only in part. Equals `boards` if the score per
        board is unknown or zero.
        """
        return self.score / self.a_board if self.a_board else Fraction(self.boards)


@dataclass(frozen=True, slots=True)
class RankedGroup:
    """The entries that are ranked together."""

    section: Annotated[str, build_text_reader(2, 0)]
    field: Annotated[str, build_choice_reader(("", "NS", "EW"))]
    average: Fraction | None  # the mean of the totals, if plus and minus are relative to it
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
    def has_corrected_totals(self) -> bool:
        """Whether the field has corrected totals."""
        return any(row.corrected is not None for row in self.rows)

    @property
    def is_scored_by_board(self) -> bool:
        """Whether the field is ranked by the score per board."""
        return any(row.a_board is not None for row in self.rows)


@dataclass(frozen=True, slots=True)
class RankTable:
    """The standings of an event."""

    heading: Heading
    method: str  # "plus_minus" or "matchpoints", ...
    fields: tuple[RankedGroup, ...]
    overall_winners: tuple[int, ...]  # the numbers of entries; several if they are tied
    complete: bool
    missing: int  # the number of results not entered yet
    version: int
    provisional: int = 0  # the number of rulings whose effect may still change
    is_closed: bool = True  # whether the director has closed every session
    is_live: bool = False  # whether a session is in play
    is_counted_by_rounds: bool = False  # whether only complete rounds count during play
    waiting_session_numbers: tuple[
        int, ...
    ] = ()  # sessions in play that count only after their close
    has_partial_carry_over: bool = False  # whether earlier sessions count only in part
    has_upcoming_session: bool = False  # whether a session is planned after one that was opened
    edition: Edition | None = None  # set on papers: the version that is printed

    @property
    def is_final(self) -> bool:
        """Whether every result is in and the director has closed the event."""
        return self.complete and self.is_closed

    @property
    def is_over(self) -> bool:
        """Whether every planned result is in: of all rounds and of all sessions."""
        return self.complete and not self.has_upcoming_session

    @property
    def has_round_to_draw(self) -> bool:
        """Whether all results are in but a later round is not drawn yet."""
        return not self.complete and not self.missing and self.has_begun

    @property
    def has_begun(self) -> bool:
        """Whether any result is in; before that, ranks are meaningless."""
        return any(row.boards for ranked_group in self.fields for row in ranked_group.rows)


# ---------------------------------------------------------------- after play


@dataclass(frozen=True, slots=True)
class TravellerLine:
    """One table's play of a board."""

    section: str
    round: int
    table: int
    table_label: str  # the displayed table: "13", with several sections "A13"
    ns_entry: int | None
    ns_label: str
    ns_name: str
    ew_entry: int | None
    ew_label: str
    ew_name: str
    outcome: str  # "played", "not_played", "" while missing
    ns_tricks: int | None  # also None if the event counts points
    ew_tricks: int | None
    ns_score: Fraction | None
    ew_score: Fraction | None
    sitting_id: int = 0  # the key of the table's sitting
    ns_explained_entry: int | None = None  # the N-S entry whose page explains `ns_score`
    ew_explained_entry: int | None = None
    ruling_kind: str = ""  # void, average, adjusted or revoke; "" without a ruling
    ns_counted_tricks: Fraction | None = None  # the tricks that count, if a ruling decides them
    ew_counted_tricks: Fraction | None = None
    ns_mark: str = ""  # "−R", "+R" next to the entered score (rules H5)
    ew_mark: str = ""
    notes: tuple[str, ...] = ()  # the rulings in words
    trump: Declaration | None = None  # the table's declaration, if the event records it
    best: int | None = None  # N-S tricks with best play and the trumps of this table
    entries: tuple[int, ...] = ()  # the entries that sat at the table
    ns_points: int | None = None  # won by N-S, if the event counts points
    ew_points: int | None = None
    is_hidden: bool = False  # whether someone may still play the board

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
    best_ns_tricks: int | None
    ns_average: Fraction | None
    lines: tuple[TravellerLine, ...]
    best_by_suit: tuple[tuple[Suit, int], ...] = ()  # N-S tricks by trumps, if tables declare
    has_declared_trumps: bool = False
    is_in_points: bool = False  # whether a result is points won and lost
    # In memory duplicate: the suit in the second play, by the suit in the first play.
    second_suits: Mapping[Suit, Suit] | None = None

    @property
    def second_suits_text(self) -> str:
        """The suits of the second play: "♠ → ♥, ♥ → ♠, ..."; "" if they are the same."""
        return format_suit_exchange(self.second_suits) if self.second_suits else ""

    @property
    def shown_best_tricks(self) -> int | None:
        """The N-S tricks of best play with the board's trumps, else with one suit, or None."""
        return self.best_by_suit[0][1] if self.best_by_suit else self.best_ns_tricks


@dataclass(frozen=True, slots=True)
class ScorecardLine:
    """One board on an entry's scorecard."""

    board: int
    round: int
    section: str
    table: int
    table_label: str  # the displayed table: "13", with several sections "A13"
    direction: str  # "N-S" or "E-W"
    opponents: str
    opponents_label: str
    opponents_entry: int | None
    outcome: str
    tricks: int | None  # also None if the event counts points
    average: Fraction | None  # the average of the entry's side on this board
    score: Fraction | None
    ruling_kind: str = ""  # void, average, adjusted or revoke; "" without a ruling
    counted_tricks: Fraction | None = None  # the tricks that count, if a ruling decides them
    mark: str = ""  # the revoke mark: "−R", "+R"
    notes: tuple[str, ...] = ()
    trump: Declaration | None = None  # the table's declaration, if the event records it
    won: int | None = None  # the points won, if the event counts points
    lost: int | None = None  # the points lost
    partner: str = ""  # the partner of a single player: "4 Ada Pole"
    is_hidden: bool = False  # whether someone may still play the board

    @property
    def compared_value(self) -> int | None:
        """The value to compare with other tables: tricks, or points won less points lost."""
        if self.won is None or self.lost is None:
            return self.tricks
        return self.won - self.lost


@dataclass(frozen=True, slots=True)
class ScorecardFooterRow:
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
    lines: tuple[ScorecardLine, ...]
    sit_outs: tuple[int, ...] = ()  # the rounds in which the entry sits out
    parts: tuple[ScorecardFooterRow, ...] = ()  # rows that add up to the score; not if only one
    placings: tuple[RankRow, ...] = ()  # all rows of the entry's field
    # The round, the table, and the entry's total of each complete round.
    round_totals: tuple[tuple[int, int, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class RecapRow:
    """One entry's tricks on every board."""

    rank: RankRow
    cells: tuple[str, ...]
    """"8", "8→6 −R", "7.50 A", "V", "–" not played, "" to come; of two plays "9/4"."""
    # By board: 1 if at least a trick above the average, -1 if at least a trick below, else 0.
    average_comparisons: tuple[int, ...] = ()
    short_name: str = ""  # the entry's surnames, for narrow screens


@dataclass(frozen=True, slots=True)
class RecapGroup:
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
    """All results of a session in one grid: a row for each entry, a column for each board."""

    heading: Heading
    method: str
    boards: tuple[int, ...]
    fields: tuple[RecapGroup, ...]
    is_complete: bool

    @property
    def is_long(self) -> bool:
        """Whether fields after the first need a link on a phone."""
        return (
            len(self.fields) > 1
            and sum(len(recap_group.rows) for recap_group in self.fields)
            > MAX_LINES_WITHOUT_LINKS
        )

    @property
    def has_two_plays_per_cell(self) -> bool:
        """Whether any entry has two plays of one board in one cell: "9/4"."""
        rows = (row for recap_group in self.fields for row in recap_group.rows)
        return any("/" in cell for row in rows for cell in row.cells)
