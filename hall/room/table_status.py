"""The state of each table: entered results, and the table's round compared with the clock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.models import Agreement, Doubt, Result
from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.score_slips import format_score_slip_key


@dataclass(frozen=True, slots=True)
class TableStatus:
    """The state of one table during play."""

    table_label: str  # "13", or "A13" if there are several sections
    round_number: int  # the table's current round; 0 if it never plays
    entered_count: int  # the number of results entered in that round
    expected_count: int
    earlier_missing_result_count: int  # the number of missing results of earlier rounds
    queried_result_count: int
    unconfirmed_result_count: int
    pace: str
    """The round compared with the clock's: "behind", "with" or "ahead"; "" without a clock.

    The value is "out" if the table sits out, and "done" if it has played all its rounds.
    """
    sit_out_round_number: int = 0  # the current round, if the table does not play in it
    sit_out_text: str = ""  # the labels and names of the entries that sit out in that round
    sit_out_labels: str = ""  # only the labels of these entries
    grid_anchor: str = ""  # the anchor of the current round in the score grid


def build_table_statuses(
    snapshot: SessionSnapshot, clock_round_number: int = 0
) -> list[TableStatus]:
    """Return the state of every table; `clock_round_number` is 0 if the clock is stopped."""
    played_tables_by_key = {
        table_key: [table for table in tables if table.is_played]
        for table_key, tables in snapshot.rounds_by_table.items()
    }
    rounds_by_section = _get_section_rounds(snapshot, played_tables_by_key)
    return [
        _build_table_status(
            snapshot,
            section_letter,
            table_number,
            tables,
            clock_round_number,
            clock_round_number or rounds_by_section.get(section_letter, 0),
        )
        for (section_letter, table_number), tables in played_tables_by_key.items()
    ]


def list_late_table_names(snapshot: SessionSnapshot, clock_round_number: int) -> list[str]:
    """Return the names of the tables whose round is earlier than the clock's."""
    return [
        _("table %(table)s") % {"table": table_status.table_label}
        for table_status in build_table_statuses(snapshot, clock_round_number)
        if table_status.pace == "behind"
    ]


def _get_section_rounds(
    snapshot: SessionSnapshot,
    played_tables_by_key: Mapping[tuple[str, int], Sequence[SeatedTable]],
) -> dict[str, int]:
    """Return the earliest round still in play in each section, for sessions without a clock."""
    rounds_by_section: dict[str, int] = {}
    for (section_letter, _number), tables in played_tables_by_key.items():
        current_round = _find_current_round(snapshot, tables)
        if current_round is not None and _count_missing_results(snapshot, current_round):
            rounds_by_section[section_letter] = min(
                current_round.round, rounds_by_section.get(section_letter, current_round.round)
            )
    return rounds_by_section


def _build_table_status(
    snapshot: SessionSnapshot,
    section_letter: str,
    table_number: int,
    tables: Sequence[SeatedTable],
    clock_round_number: int,
    section_round_number: int,
) -> TableStatus:
    """Return the state of one table.

    The status counts the results of the current round, and the queries of all rounds.
    """
    current_round = _find_current_round(snapshot, tables)
    is_sitting_out = current_round is None or (
        current_round.round > section_round_number > 0
        and all(table.round != section_round_number for table in tables)
    )
    optional_results = [
        snapshot.find_result(table, board_number)
        for table in tables
        for board_number in table.boards
    ]
    results = [result for result in optional_results if result is not None]
    missing_count = sum(_count_missing_results(snapshot, table) for table in tables)
    sit_outs = (
        _list_sit_outs(
            snapshot.rounds_by_table[section_letter, table_number], section_round_number
        )
        if is_sitting_out
        else []
    )
    return TableStatus(
        table_label=snapshot.format_table_label(section_letter, table_number),
        round_number=current_round.round if current_round else 0,
        entered_count=len(current_round.boards)
        - _count_missing_results(snapshot, current_round)
        if current_round
        else 0,
        expected_count=len(current_round.boards) if current_round else 0,
        earlier_missing_result_count=sum(
            _count_missing_results(snapshot, table)
            for table in tables
            if current_round and table.round < current_round.round
        ),
        queried_result_count=sum(map(_is_queried, results)),
        unconfirmed_result_count=sum(map(_is_awaiting_confirmation, results)),
        pace="out"
        if is_sitting_out
        else _get_progress_state(current_round, missing_count, clock_round_number),
        sit_out_round_number=section_round_number if is_sitting_out else 0,
        sit_out_text=", ".join(f"{side.label} {side.name}" for side in sit_outs),
        sit_out_labels=", ".join(side.label for side in sit_outs),
        grid_anchor=format_score_slip_key(current_round) if current_round else "",
    )


def _is_queried(result: Result) -> bool:
    return result.doubt == Doubt.QUERIED


def _is_awaiting_confirmation(result: Result) -> bool:
    return result.agreement == Agreement.AWAITED


def _list_sit_outs(tables: Sequence[SeatedTable], round_number: int) -> list[SeatedSide]:
    """Return the sides that sit out at a table in a round."""
    idle_tables = [
        table for table in tables if table.round == round_number and not table.is_played
    ]
    return [side for table in idle_tables for side in (table.ns, table.ew) if side.entries]


def _find_current_round(
    snapshot: SessionSnapshot, tables: Sequence[SeatedTable]
) -> SeatedTable | None:
    """Return a table's last round with a result, or the next one if that round is complete."""
    begun_rounds = [
        table for table in tables if _count_missing_results(snapshot, table) < len(table.boards)
    ]
    if not begun_rounds:
        return tables[0] if tables else None
    later_tables = [table for table in tables if table.round > begun_rounds[-1].round]
    return (
        begun_rounds[-1]
        if _count_missing_results(snapshot, begun_rounds[-1]) or not later_tables
        else later_tables[0]
    )


def _count_missing_results(snapshot: SessionSnapshot, table: SeatedTable) -> int:
    return sum(
        (table.sitting_id, board_number) not in snapshot.settled_plays
        and snapshot.find_result_to_replace(table, board_number) is None
        for board_number in table.boards
    )


def _get_progress_state(
    table: SeatedTable | None, missing_count: int, clock_round_number: int
) -> str:
    if table is None or not missing_count:
        return "done"
    if not clock_round_number or table.round == clock_round_number:
        return "with" if clock_round_number else ""
    return "behind" if table.round < clock_round_number else "ahead"
