"""The tiles of the room page: each table in its position, with its players and results."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hall.room.clock import ClockFace
from hall.room.table_status import TableStatus, build_table_statuses
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.current_round import (
    ClockState,
    CurrentRound,
    count_missing_results,
    find_current_round_by_clock,
)
from scoring.sheets.short_names import shorten_to_surnames

MAX_TABLES_WITH_NAMES = 12
"""The maximum number of tables whose tiles show names; with more tables they show only numbers
and pips (one dot for each board).
"""
MAX_TABLES_WITHOUT_SECTION_CHOICE = 40
"""The maximum number of tables up to which the page shows all sections together.

With more tables and several sections, the page shows one section.
"""
UNPLACED_ROW = 1000
"""The row number of tables that have no position in the plan of the hall."""
MAX_COLUMNS = 8
"""The maximum number of tile columns that fit on a laptop screen."""
PlayKey = tuple[int, int]  # a sitting and a board


@dataclass(frozen=True, slots=True)
class Tile:
    """The tile of one table in the plan of the hall."""

    section_letter: str
    table_number: int
    table_label: str  # "13", or "A13" if there are several sections
    state: str  # "call", "query", "slip", "behind", "out", "done", "ahead", "play"
    state_label: str  # the state in a word
    surnames: tuple[str, ...]  # the surnames of N-S and of E-W; empty without play
    board_states: tuple[str, ...]  # one per board: "in", "asked" (queried), "none"
    result_count_text: str  # the number of results in words
    notes: tuple[str, ...] = ()
    gap: str = ""  # one space for each empty position before the tile


@dataclass(frozen=True, slots=True)
class SectionSummary:
    """The summary of one section of a large hall: results of the round, and open tasks."""

    section_letter: str
    entered_count: int
    expected_count: int
    call_count: int
    results_to_check_count: int
    late_count: int  # the number of tables behind the clock


@dataclass
class SessionInPlay:
    """A session during play: its tables, its clock and its open tasks."""

    snapshot: SessionSnapshot
    clock_face: ClockFace
    queried_plays: Collection[PlayKey] = ()  # the plays whose results need a check
    calling_tables: Collection[tuple[str, int]] = ()  # section and number of each table
    room_plan: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """The row and column of each table in the club's hall, by table label."""

    @property
    def is_timed(self) -> bool:
        """Whether a clock determines the current round."""
        return self.clock_face.state in ("running", "paused", "over")

    def get_position(self, table_key: tuple[str, int]) -> tuple[int, int]:
        """Return the row and column of a table; tables without a position come last."""
        row, column = self.room_plan.get(
            self.snapshot.format_table_label(*table_key), (UNPLACED_ROW, 0)
        )
        return row, column

    @cached_property
    def last_round(self) -> int:
        """The number of the session's last round."""
        return self.snapshot.planned_round_count

    @cached_property
    def has_begun(self) -> bool:
        """Whether a result has been entered or the clock has been started."""
        return self.is_timed or bool(
            self.snapshot.results_by_play or self.snapshot.settled_plays
        )

    @cached_property
    def _current_round(self) -> CurrentRound:
        """The current round, and whether it is over while another one follows."""
        clock = (
            ClockState(self.clock_face.round, self.clock_face.phase) if self.is_timed else None
        )
        return find_current_round_by_clock(self.snapshot, clock)

    @property
    def round(self) -> int:
        """The current round by the clock, or else the first round with missing results."""
        return self._current_round.round_number

    @property
    def is_round_over(self) -> bool:
        """Whether the round is over and the director can call the next one."""
        return self._current_round.is_over

    @cached_property
    def entered_count(self) -> int:
        """The number of results entered in the current round."""
        return self._count_entered_results(self.round)

    @cached_property
    def expected_count(self) -> int:
        """The number of results expected in the current round."""
        return sum(len(table.boards) for table in self._list_tables_in_round(self.round))

    @cached_property
    def playing_table_names(self) -> list[str]:
        """The labels of the tables with missing results in the current round."""
        return [
            table.label
            for table in self._list_tables_in_round(self.round)
            if self.count_missing_results(table)
        ]

    @cached_property
    def statuses_by_table(self) -> dict[tuple[str, int], TableStatus]:
        """The state of each table, by section letter and table number."""
        clock_round_number = self.clock_face.round if self.is_timed else 0
        return dict(
            zip(
                self.snapshot.rounds_by_table,
                build_table_statuses(self.snapshot, clock_round_number),
                strict=True,
            )
        )

    @cached_property
    def incomplete_past_rounds(self) -> list[SeatedTable]:
        """The past rounds of tables that still lack results, earliest round first.

        A round is past if the table or the whole session has begun a later one, or if the clock
        has run out.
        """
        begun_rounds_by_table: dict[tuple[str, int], int] = {}
        for table in self.snapshot.tables:
            if self.count_missing_results(table) < len(table.boards) and table.is_played:
                begun_rounds_by_table[table.section, table.table_number] = table.round
        incomplete_tables = [
            table
            for table in self.snapshot.tables
            if self.count_missing_results(table)
            and (
                self.clock_face.state == "over"
                or table.round
                < max(
                    self.round,
                    begun_rounds_by_table.get((table.section, table.table_number), 0),
                )
            )
        ]
        return sorted(
            incomplete_tables,
            key=lambda table: (table.round, table.section, table.table_number),
        )

    def count_missing_results(self, table: SeatedTable) -> int:
        """Return the number of missing results of one round at a table."""
        return count_missing_results(self.snapshot, table)

    def _list_tables_in_round(self, round_number: int) -> list[SeatedTable]:
        return [
            table
            for table in self.snapshot.tables
            if table.round == round_number and table.is_played
        ]

    def _count_entered_results(self, round_number: int) -> int:
        return sum(
            len(table.boards) - self.count_missing_results(table)
            for table in self._list_tables_in_round(round_number)
        )


def choose_section(session_in_play: SessionInPlay, requested_letter: str) -> str:
    """Return the section that the page of a large hall shows.

    It is the requested section, or else the first one with a call. It is empty if the page
    shows all tables.
    """
    section_letters = [section.letter for section in session_in_play.snapshot.sections]
    if (
        len(session_in_play.snapshot.rounds_by_table) <= MAX_TABLES_WITHOUT_SECTION_CHOICE
        or len(section_letters) < 2
    ):
        return ""
    if requested_letter in section_letters:
        return requested_letter
    return next(
        (
            section_letter
            for section_letter, _table_number in sorted(session_in_play.calling_tables)
        ),
        section_letters[0],
    )


def list_section_summaries(session_in_play: SessionInPlay) -> list[SectionSummary]:
    """Return the summary of each section of a large hall."""
    tables_by_sitting = {table.sitting_id: table for table in session_in_play.snapshot.tables}
    section_summaries = []
    for section_row in session_in_play.snapshot.sections:
        section_tables = [
            table
            for table in session_in_play.snapshot.tables
            if table.section == section_row.letter and table.is_played
        ]
        current_tables = [
            table for table in section_tables if table.round == session_in_play.round
        ]
        expected_count = sum(len(table.boards) for table in current_tables)
        section_summaries.append(
            SectionSummary(
                section_letter=section_row.letter,
                entered_count=expected_count
                - sum(map(session_in_play.count_missing_results, current_tables)),
                expected_count=expected_count,
                call_count=sum(
                    section_letter == section_row.letter
                    for section_letter, _table_number in session_in_play.calling_tables
                ),
                results_to_check_count=sum(
                    tables_by_sitting[sitting_pk].section == section_row.letter
                    for sitting_pk, _board in session_in_play.queried_plays
                ),
                late_count=sum(
                    status.pace == "behind"
                    for (
                        section_letter,
                        _table_number,
                    ), status in session_in_play.statuses_by_table.items()
                    if section_letter == section_row.letter
                ),
            )
        )
    return section_summaries


def build_tiles(session_in_play: SessionInPlay, section_letter: str = "") -> list[Tile]:
    """Return the tiles of all tables, or of one section, in the order of the hall's plan."""
    surnames_by_name = shorten_to_surnames(
        side.name
        for table in session_in_play.snapshot.tables
        for side in (table.ns, table.ew)
        if side.name
    )
    table_keys = [
        table_key
        for table_key in session_in_play.statuses_by_table
        if section_letter in ("", table_key[0])
    ]
    table_keys.sort(key=lambda table_key: (session_in_play.get_position(table_key), table_key))
    tiles = [
        _build_tile(
            session_in_play,
            table_key,
            session_in_play.statuses_by_table[table_key],
            surnames_by_name,
        )
        for table_key in table_keys
    ]
    column_count = count_columns(session_in_play, table_keys)
    if not column_count:
        return tiles
    rows_and_columns = (session_in_play.get_position(table_key) for table_key in table_keys)
    positions = [row * column_count + column for row, column in rows_and_columns]
    first_position = (
        positions[0] - positions[0] % column_count + 1
        if positions[0] % column_count
        else positions[0] - column_count + 1
    )
    gaps = (
        position - previous_position - 1
        for previous_position, position in pairwise([first_position - 1, *positions])
    )
    return [replace(tile, gap=" " * gap) for tile, gap in zip(tiles, gaps, strict=True)]


def count_columns(session_in_play: SessionInPlay, table_keys: Sequence[tuple[str, int]]) -> int:
    """Return the number of columns that the tables need in the plan of the hall.

    The result is 0 if a table has no position, or if the plan is too wide for a laptop screen.
    """
    positions = [session_in_play.get_position(table_key) for table_key in table_keys]
    if not positions or any(row == UNPLACED_ROW for row, _column in positions):
        return 0
    column_count = max(column for _row, column in positions)
    return column_count if 1 < column_count <= MAX_COLUMNS else 0


def _build_tile(
    session_in_play: SessionInPlay,
    table_key: tuple[str, int],
    status: TableStatus,
    surnames_by_name: Mapping[str, str],
) -> Tile:
    section_letter, table_number = table_key
    shown_table = (
        None
        if status.pace == "out"
        else _choose_shown_table(
            session_in_play, session_in_play.snapshot.rounds_by_table[table_key], status
        )
    )
    board_states = _build_board_states(session_in_play, shown_table)
    entered_count = len(board_states) - board_states.count("none")
    tile_state = _get_tile_state(
        session_in_play,
        table_key,
        status,
        shown_table,
        has_all_results="none" not in board_states,
    )
    count_text = _("%(entered)s of %(expected)s") % {
        "entered": entered_count,
        "expected": len(board_states),
    }
    return Tile(
        section_letter=section_letter,
        table_number=table_number,
        table_label=status.table_label,
        state=tile_state,
        state_label=_format_tile_state(tile_state) or count_text,
        surnames=(
            surnames_by_name.get(shown_table.ns.name, ""),
            surnames_by_name.get(shown_table.ew.name, ""),
        )
        if shown_table
        else ("", ""),
        board_states=board_states,
        result_count_text=_("%(entered)s of %(expected)s in")
        % {"entered": entered_count, "expected": len(board_states)},
        notes=tuple(_list_notes(session_in_play, status, shown_table, tile_state)),
    )


def _choose_shown_table(
    session_in_play: SessionInPlay, table_rounds: Sequence[SeatedTable], status: TableStatus
) -> SeatedTable | None:
    """Return the round that a table's tile shows.

    A table that is ahead of the hall's current round shows its own round only once it has
    results in that round.
    """
    played_rounds = [table for table in table_rounds if table.is_played]
    current_round = next(
        (table for table in played_rounds if table.round == status.round_number), None
    )
    if (
        current_round is None
        or current_round.round <= session_in_play.round
        or status.entered_count
    ):
        return current_round
    return next(
        (table for table in reversed(played_rounds) if table.round <= session_in_play.round),
        current_round,
    )


def _build_board_states(
    session_in_play: SessionInPlay, shown_table: SeatedTable | None
) -> tuple[str, ...]:
    if shown_table is None:
        return ()
    return tuple(
        "asked"
        if (shown_table.sitting_id, board_number) in session_in_play.queried_plays
        else "in"
        if session_in_play.snapshot.has_result_or_ruling(shown_table, board_number)
        else "none"
        for board_number in shown_table.boards
    )


def _get_tile_state(
    session_in_play: SessionInPlay,
    table_key: tuple[str, int],
    status: TableStatus,
    shown_table: SeatedTable | None,
    *,
    has_all_results: bool,
) -> str:
    sitting_pks = {
        table.sitting_id for table in session_in_play.snapshot.rounds_by_table[table_key]
    }
    if table_key in session_in_play.calling_tables:
        return "call"
    if any(sitting_pk in sitting_pks for sitting_pk, _board in session_in_play.queried_plays):
        return "query"
    if any(
        (table.section, table.table_number) == table_key
        for table in session_in_play.incomplete_past_rounds
    ):
        return (
            "behind"
            if status.pace == "behind" and not status.earlier_missing_result_count
            else "slip"
        )
    if shown_table is None:
        return "out"
    return (
        "done"
        if has_all_results
        else "ahead"
        if shown_table.round > session_in_play.round
        else "play"
    )


def _format_tile_state(tile_state: str) -> str:
    """Return the label of a table's state; empty if the tile's numbers already show it."""
    return {
        "call": _("Calls"),
        "query": _("Check"),
        "slip": _("Slip missing"),
        "out": _("Sits out"),
    }.get(tile_state, "")


def _list_notes(
    session_in_play: SessionInPlay,
    status: TableStatus,
    shown_table: SeatedTable | None,
    tile_state: str,
) -> list[str]:
    """Return the notes that a tile shows below the names if the table's state is unusual."""
    notes = []
    if status.sit_out_text:
        # in the state "out", the label of the tile already says "Sits out"
        note_template = "%(who)s" if tile_state == "out" else _("Sits out: %(who)s")
        has_few_tables = len(session_in_play.snapshot.rounds_by_table) <= MAX_TABLES_WITH_NAMES
        notes.append(
            note_template
            % {"who": status.sit_out_text if has_few_tables else status.sit_out_labels}
        )
    elif shown_table is None:
        notes.append(_("No one plays here now"))
    elif shown_table.round < session_in_play.round and _has_finished(
        session_in_play, status, shown_table
    ):
        notes.append(_("all rounds played"))
    elif shown_table.round != session_in_play.round:
        message = (
            _("already in round %(round)s")
            if tile_state == "ahead"
            else _("in round %(round)s")
        )
        notes.append(message % {"round": shown_table.round})
    if status.earlier_missing_result_count:
        note_template = ngettext(
            "%(count)s missing from earlier rounds",
            "%(count)s missing from earlier rounds",
            status.earlier_missing_result_count,
        )
        notes.append(note_template % {"count": status.earlier_missing_result_count})
    if status.unconfirmed_result_count:
        note_template = ngettext(
            "%(count)s not confirmed",
            "%(count)s not confirmed",
            status.unconfirmed_result_count,
        )
        notes.append(note_template % {"count": status.unconfirmed_result_count})
    return notes


def _has_finished(
    session_in_play: SessionInPlay, status: TableStatus, shown_table: SeatedTable
) -> bool:
    """Return whether a table has played the last round of its section.

    Other sections may have more rounds.
    """
    return (
        status.pace == "done"
        and shown_table.round
        == session_in_play.snapshot.find_last_planned_round(shown_table.section)
    )
