"""The data of one table's page on a phone: only its own rounds, seats, boards and results."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from boards.whist import Declaration
from boards.whist.seats import Side
from clubs.evenings.tables import TableState, format_call_time, get_author_side
from clubs.models import TableLink
from hall.phones.comparison import build_comparison
from hall.phones.own_table import (
    OwnTable,
    compute_result_signature,
    find_current_round,
    find_last_call,
    format_seated_entries,
    load_own_table,
)
from hall.phones.table_moves import (
    SectionSittings,
    describe_board_sharing,
    describe_table_moves,
)
from scoring.models import Agreement, Outcome, ResultVersion
from scoring.secrecy import are_results_shown_by_board
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from tournaments.models import Session

MAX_ENTERED_VALUES = 4
"""The maximum number of entered values shown for one board; the latest ones are shown."""


def parse_result_mark(result_mark: str) -> tuple[int | None, int | None]:
    """Return the values of N-S and E-W in a mark: tricks for "8", points for "120-40"."""
    ns_text, separator, ew_text = result_mark.partition("-")
    if not ns_text.isdigit():
        return None, None
    return int(ns_text), int(ew_text) if separator else 13 - int(ns_text)


class BoardValue:
    """A result on a board: its mark, and the code of the declaration if it is recorded."""

    __slots__ = ()
    mark: str
    trump: str

    @property
    def ns(self) -> int | None:
        """The tricks of N-S, or the points that N-S won."""
        return parse_result_mark(self.mark)[0]

    @property
    def ew(self) -> int | None:
        """The tricks of E-W, or the points that E-W won."""
        return parse_result_mark(self.mark)[1]

    @property
    def trump_label(self) -> str:
        """The name of the declaration; empty if none is recorded."""
        return Declaration.parse(self.trump).word if self.trump else ""


@dataclass(frozen=True, slots=True)
class EnteredValue(BoardValue):
    """A value that someone entered for a board, with its source.

    Phones read the fields of this class, and of the other page classes, as JSON.
    """

    by: str  # "NS", "EW", "table" (one of the two), "desk" (a director or scorer)
    mark: str
    trump: str = ""  # the code of the declaration, if the event records it: "H"

    @property
    def word(self) -> str:
        """The display name of the source."""
        if self.by in list(Side):
            return Side(self.by).word
        return _("this table") if self.by == "table" else _("the director")


@dataclass(frozen=True, slots=True)
class TableBoard(BoardValue):
    """One board of a round with its current result."""

    board: int
    mark: str  # "8", "-" not played, "" missing
    awaits: bool = False  # whether the result awaits the confirmation of the other side
    ruled: bool = False  # whether the director has ruled, so no result is needed
    said: tuple[EnteredValue, ...] = ()  # all entered values, the latest last
    trump: str = ""  # the code of the declaration, if the event records it (Law IV §11)
    stamp: str = ""  # a hash with which a phone detects changes of the result
    ticket: str = ""  # proof that a phone saw the result during the round

    @property
    def confirming_side(self) -> str:
        """The side that has to confirm the result, which is the side that did not enter it."""
        return "NS" if self.said and self.said[-1].by == "EW" else "EW"

    @property
    def confirming_side_label(self) -> str:
        """The display name of the side that has to confirm the result."""
        return Side(self.confirming_side).word

    @property
    def source_label(self) -> str:
        """The display name of the source of the current result."""
        return self.said[-1].word if self.said else ""

    @property
    def last_values(self) -> list[EnteredValue]:
        """The last value from each source, in order of entry."""
        values_by_source = {entered_value.by: entered_value for entered_value in self.said}
        return sorted(values_by_source.values(), key=self.said.index)

    @property
    def is_disputed(self) -> bool:
        """Whether two sources entered different values."""
        return (
            len(
                {
                    (entered_value.mark, entered_value.trump)
                    for entered_value in self.last_values
                }
            )
            > 1
        )

    @property
    def is_done(self) -> bool:
        """Whether the board has a confirmed result or a ruling."""
        return self.ruled or (bool(self.mark) and not self.awaits)


@dataclass(frozen=True, slots=True)
class TableRound:
    """One round at the table, with its entries and boards."""

    round: int
    sitting: int
    is_played: bool
    ns_label: str
    ns_name: str
    ew_label: str
    ew_name: str
    boards: tuple[TableBoard, ...]
    moves: tuple[str, ...]  # sentences about the moves after the round
    seats: str  # the entries at the table, which each request sends back as a check
    shares: str = ""  # a sentence about the tables that share the boards

    @property
    def is_done(self) -> bool:
        """Whether all boards of the round are done and the table may start the next one."""
        return all(board.is_done for board in self.boards)


@dataclass(frozen=True, kw_only=True, slots=True)
class TablePage(TableState):
    """The data of a table's page: its current round and its later rounds."""

    last: int  # the session's last round
    rounds: tuple[TableRound, ...]  # the current round, then the later ones
    past: TableRound | None  # the previous round, without its results
    tells_each: bool  # whether others' results on a board are shown as soon as it is done
    undrawn: str = ""  # a sentence about rounds that are not drawn yet

    @property
    def is_over(self) -> bool:
        """Whether the table has played all its rounds and no further round will be drawn."""
        is_last = len(self.rounds) == 1 and not self.undrawn
        return is_last and self.rounds[0].is_done

    @property
    def previous_round_while_moving(self) -> TableRound | None:
        """The previous round, until the current round has a result; None afterwards.

        The page shows its moves while the players change tables.
        """
        has_begun = any(board.mark or board.ruled for board in self.rounds[0].boards)
        return None if has_begun else self.past


def load_table_page(link: TableLink) -> TablePage:
    """Load the page data of a link's table, from its current round to its last."""
    return build_table_page(load_own_table(link))


def build_page_data(link: TableLink, own_table: OwnTable | None) -> Mapping[str, object]:
    """Return the template context of a table's page; after a confirmation it includes `others`.

    `others` are the results of other tables, for the players who have just confirmed a result.
    A repeated confirmation does not show them, because other players may sit at the table then.
    """
    own_table = own_table or load_own_table(link)
    page = build_table_page(own_table)
    if own_table.confirmed_play is None:
        return {"page": page}
    sitting_pk, board_number = own_table.confirmed_play
    is_over = page.is_over and page.rounds[0].sitting == sitting_pk
    has_left_round = page.past is not None and page.past.sitting == sitting_pk
    if not (page.tells_each or is_over or has_left_round):
        return {"page": page}
    comparison = build_comparison(
        own_table, sitting_pk, only_board_number=board_number if page.tells_each else None
    )
    return {"page": page} | ({"others": comparison} if comparison else {})


def build_table_page(own_table: OwnTable) -> TablePage:
    """Return the page data of a table that has already been loaded."""
    link, snapshot = own_table.link, own_table.own_rounds_snapshot
    current_round_number = find_current_round(snapshot)
    previous_round = _find_previous_round(snapshot, current_round_number)
    section_sittings = SectionSittings.from_snapshot(own_table.snapshot, link.section)
    values_by_result = _group_entered_values(own_table.versions)
    last_call = find_last_call(link)
    return TablePage(
        table=own_table.label,
        last=snapshot.find_last_planned_round(link.section),
        rounds=tuple(
            _build_round(snapshot, table, section_sittings, values_by_result)
            for table in snapshot.tables
            if table.round >= current_round_number
        ),
        past=_hide_results(_build_round(snapshot, previous_round, section_sittings, {}))
        if previous_round
        else None,
        state=Session.State(snapshot.session.state),
        called=format_call_time(last_call),
        coming=last_call is not None and last_call.is_being_answered,
        tells_each=are_results_shown_by_board(snapshot.session),
        undrawn=snapshot.describe_undrawn_rounds(link.section),
    )


def _find_previous_round(
    snapshot: SessionSnapshot, current_round_number: int
) -> SeatedTable | None:
    """Return the table's round before round `current_round_number`, or None."""
    return next(
        (table for table in reversed(snapshot.tables) if table.round < current_round_number),
        None,
    )


def _hide_results(table_round: TableRound) -> TableRound:
    """Return a copy of a round without its results.

    The next players at the table may still have its boards to play.
    """
    boards = tuple(
        replace(board, mark="", awaits=False, said=(), trump="", ticket="")
        for board in table_round.boards
    )
    return replace(table_round, boards=boards)


EnteredValues = Mapping[int, tuple[EnteredValue, ...]]
"""The entered values by result key, without those before the result was last cleared."""


def _group_entered_values(versions: Iterable[ResultVersion]) -> EnteredValues:
    values_by_result: dict[int, tuple[EnteredValue, ...]] = {}
    for version in versions:
        entered_value = EnteredValue(get_author_side(version.by), version.mark, version.trump)
        values_since_cleared = (
            ()
            if version.outcome == Outcome.CLEARED
            else (*values_by_result.get(version.result_id, ()), entered_value)
        )
        values_by_result[version.result_id] = values_since_cleared[-MAX_ENTERED_VALUES:]
    return values_by_result


def _build_board(
    snapshot: SessionSnapshot,
    table: SeatedTable,
    board_number: int,
    values_by_result: EnteredValues | None = None,
) -> TableBoard:
    result = snapshot.find_result_to_replace(table, board_number)
    current_mark = result.mark if result else ""
    is_ruled = (table.sitting_id, board_number) in snapshot.settled_plays
    return TableBoard(
        board=board_number,
        mark=current_mark,
        awaits=result is not None and result.agreement == Agreement.AWAITED,
        ruled=is_ruled,
        trump=result.trump if result else "",
        said=values_by_result.get(result.pk, ()) if values_by_result and result else (),
        stamp=_compute_result_hash(
            table.sitting_id, board_number, "ruled" if is_ruled else current_mark
        ),
        ticket=compute_result_signature(table.sitting_id, board_number, current_mark),
    )


def _compute_result_hash(sitting_pk: int, board_number: int, result_state: str) -> str:
    """Return a keyed hash of a result, from which no one can infer the result."""
    hash_input = f"{sitting_pk}/{board_number}/{result_state}"
    return salted_hmac("hall.phones.stamp", hash_input, algorithm="sha256").hexdigest()[:16]


def _build_round(
    snapshot: SessionSnapshot,
    table: SeatedTable,
    section_sittings: SectionSittings,
    values_by_result: EnteredValues,
) -> TableRound:
    board_numbers = table.boards if table.is_played else range(0)
    return TableRound(
        round=table.round,
        sitting=table.sitting_id,
        is_played=table.is_played,
        ns_label=table.ns.short_label,
        ns_name=table.ns.name,
        ew_label=table.ew.short_label,
        ew_name=table.ew.name,
        boards=tuple(
            _build_board(snapshot, table, board_number, values_by_result)
            for board_number in board_numbers
        ),
        moves=tuple(describe_table_moves(snapshot, table, section_sittings)),
        seats=format_seated_entries(table),
        shares=describe_board_sharing(snapshot, table, section_sittings),
    )
