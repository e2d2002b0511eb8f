"""The state of each table: its entered results, and its round compared with the clock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.models import Agreement, Doubt, Result
from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.score_slips import format_round_key


@dataclass(frozen=True, slots=True)
class TableStatus:
    """The state of one table during play."""

    place: str  # the table as players know it: "13", in one of several sections "A13"
    round: int  # its current round; 0 if it never plays
    entered_results: int  # the number of results of that round
    expected_results: int
    earlier: int  # the number of missing results of earlier rounds
    queried: int
    unconfirmed: int
    pace: str  # "behind", "with", "ahead" of the clock; "" without a clock; "out"; "done"
    sits_out: int = 0  # the current round, if the table does not play in it
    sit_outs: str = ""  # the entries that sit out here in that round
    sit_out_places: str = ""  # the labels of their places only
    grid_anchor: str = ""  # the anchor of its round in the score grid


def build_table_statuses(snapshot: SessionSnapshot, clock_round: int = 0) -> list[TableStatus]:
    """Return the state of every table; `clock_round` is 0 if the clock is not running."""
    rounds_played = {
        table_key: [table for table in tables if table.is_played]
        for table_key, tables in snapshot.rounds_by_table.items()
    }
    halls = _get_section_rounds(snapshot, rounds_played)
    return [
        _build_table_status(
            snapshot, section, number, tables, clock_round, clock_round or halls.get(section, 0)
        )
        for (section, number), tables in rounds_played.items()
    ]


def list_tables_behind(snapshot: SessionSnapshot, clock_round: int) -> list[str]:
    """Return the names of the tables whose round is earlier than the clock's."""
    return [
        _("table %(table)s") % {"table": table_status.place}
        for table_status in build_table_statuses(snapshot, clock_round)
        if table_status.pace == "behind"
    ]


def _get_section_rounds(
    snapshot: SessionSnapshot, played: Mapping[tuple[str, int], Sequence[SeatedTable]]
) -> dict[str, int]:
    """Return the earliest round still in play in each section, for sessions without a clock."""
    rounds: dict[str, int] = {}
    for (section, _number), tables in played.items():
        current_round = _find_current_round(snapshot, tables)
        if current_round is not None and _count_missing(snapshot, current_round):
            rounds[section] = min(current_round.round, rounds.get(section, current_round.round))
    return rounds


def _build_table_status(
    snapshot: SessionSnapshot,
    section: str,
    number: int,
    tables: Sequence[SeatedTable],
    clock_round: int,
    section_round: int,
) -> TableStatus:
    """Return the state of one table.

    It counts the results of the current round, and the queries of all rounds.
    """
    current_round = _find_current_round(snapshot, tables)
    is_out = current_round is None or (
        current_round.round > section_round > 0
        and all(table.round != section_round for table in tables)
    )
    plays = [snapshot.find_result(table, board) for table in tables for board in table.boards]
    results = [result for result in plays if result is not None]
    missing_count = sum(_count_missing(snapshot, table) for table in tables)
    sit_outs = (
        _list_sit_outs(snapshot.rounds_by_table[section, number], section_round)
        if is_out
        else []
    )
    return TableStatus(
        place=snapshot.format_table_label(section, number),
        round=current_round.round if current_round else 0,
        entered_results=len(current_round.boards) - _count_missing(snapshot, current_round)
        if current_round
        else 0,
        expected_results=len(current_round.boards) if current_round else 0,
        earlier=sum(
            _count_missing(snapshot, table)
            for table in tables
            if current_round and table.round < current_round.round
        ),
        queried=sum(map(_is_queried, results)),
        unconfirmed=sum(map(_awaits_confirmation, results)),
        pace="out" if is_out else _get_pace(current_round, missing_count, clock_round),
        sits_out=section_round if is_out else 0,
        sit_outs=", ".join(f"{chair.label} {chair.name}" for chair in sit_outs),
        sit_out_places=", ".join(chair.label for chair in sit_outs),
        grid_anchor=format_round_key(current_round) if current_round else "",
    )


def _is_queried(result: Result) -> bool:
    return result.doubt == Doubt.QUERIED


def _awaits_confirmation(result: Result) -> bool:
    return result.agreement == Agreement.AWAITED


def _list_sit_outs(tables: Sequence[SeatedTable], round_: int) -> list[SeatedSide]:
    """Return the sides that sit out at a table in a round."""
    idle_tables = [table for table in tables if table.round == round_ and not table.is_played]
    return [chair for table in idle_tables for chair in (table.ns, table.ew) if chair.entries]


def _find_current_round(
    snapshot: SessionSnapshot, tables: Sequence[SeatedTable]
) -> SeatedTable | None:
    """Return a table's last round with a result, or the next round if that is complete."""
    begun_rounds = [
        table for table in tables if _count_missing(snapshot, table) < len(table.boards)
    ]
    if not begun_rounds:
        return tables[0] if tables else None
    later = [table for table in tables if table.round > begun_rounds[-1].round]
    return (
        begun_rounds[-1]
        if _count_missing(snapshot, begun_rounds[-1]) or not later
        else later[0]
    )


def _count_missing(snapshot: SessionSnapshot, table: SeatedTable) -> int:
    return sum(
        (table.sitting, board) not in snapshot.settled_plays
        and snapshot.find_result_to_enter(table, board) is None
        for board in table.boards
    )


def _get_pace(table: SeatedTable | None, missing: int, clock_round: int) -> str:
    if table is None or not missing:
        return "done"
    if not clock_round or table.round == clock_round:
        return "with" if clock_round else ""
    return "behind" if table.round < clock_round else "ahead"
