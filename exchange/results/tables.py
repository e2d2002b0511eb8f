"""The data tables of an event: standings, results, boards, movement and people."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from boards.whist import Seat
from boards.whist.notation import format_hands
from exchange.data_tables import Cell, DataTable, DateCell, ExactNumber, encode_csv
from exchange.results.event_results import EventResults, get_side_scores
from exchange.results.stage_tables import STAGE_TABLES_BY_NAME

Rows = list[list[Cell]]


def build_tables(results: EventResults) -> dict[str, DataTable]:
    """Return all data tables of an event by name."""
    tables_by_name = {
        name: _build_table(
            name, _rename_point_columns(results, column_keys), build_rows(results)
        )
        for name, (column_keys, build_rows) in _TABLE_BUILDERS_BY_NAME.items()
    }
    return {
        name: table
        for name, table in tables_by_name.items()
        if table.rows or name not in STAGE_TABLES_BY_NAME
    }


class TableFile(NamedTuple):
    """A data table as a CSV file, with the names of its columns."""

    column_keys: tuple[str, ...]
    csv: bytes


def build_table_files(results: EventResults) -> dict[str, TableFile]:
    """Return all data tables of an event as CSV files, by table name."""
    return {
        name: TableFile(tuple(table.column_keys), encode_csv(table))
        for name, table in build_tables(results).items()
    }


def build_csv_folder(results: EventResults) -> dict[str, bytes]:
    """Return all data tables as CSV files by file name, with a README about their columns."""
    csv_file_by_name = {
        f"{name}.csv": encode_csv(table) for name, table in build_tables(results).items()
    }
    column_lines = [
        f"{name}.csv: {', '.join(_rename_point_columns(results, column_keys))}"
        for name, (column_keys, _build_rows) in _TABLE_BUILDERS_BY_NAME.items()
        if f"{name}.csv" in csv_file_by_name
    ]
    return {**csv_file_by_name, "README.txt": ("\r\n".join(column_lines) + "\r\n").encode()}


def _rename_point_columns(
    results: EventResults, column_keys: tuple[str, ...]
) -> tuple[str, ...]:
    """Return column names, with "points" instead of "tricks" for an event scored in points."""
    if not results.event.is_scored_in_points:
        return column_keys
    return tuple(column_key.replace("tricks", "points") for column_key in column_keys)


def _build_table(name: str, column_keys: tuple[str, ...], rows: Rows) -> DataTable:
    return DataTable(name=name, column_keys=column_keys, rows=rows)


def _build_standings_rows(results: EventResults) -> Rows:
    rows: Rows = []
    for ranked_group in results.rank_table.fields:
        for rank_row in ranked_group.rows:
            entry = results.entry_names_by_number[rank_row.entry]
            percent = None if rank_row.percent is None else rank_row.percent * 100
            rows.append(
                [
                    rank_row.rank,
                    "yes" if rank_row.tied else "no",
                    ranked_group.section,
                    ranked_group.field,
                    rank_row.entry,
                    entry.name,
                    "; ".join(entry.player_names),
                    rank_row.boards,
                    *_build_rounded_and_exact_cells(rank_row.tricks),
                    *_build_rounded_and_exact_cells(rank_row.score),
                    *_build_rounded_and_exact_cells(percent),
                    *_build_rounded_and_exact_cells(rank_row.a_board),
                    *_build_rounded_and_exact_cells(rank_row.corrected),
                ]
            )
    return rows


def _build_result_rows(results: EventResults) -> Rows:
    rows: Rows = []
    days_by_session = {
        snapshot.session.number: snapshot.session.day for snapshot in results.sessions
    }
    for play in results.plays:
        ns_score, ew_score = get_side_scores(play)
        rows.append(
            [
                DateCell(days_by_session[play.session_number].isoformat()),
                play.session_number,
                play.section_letter,
                play.round_number,
                play.table_number,
                play.board_number,
                *(
                    play.names_by_seat[seat]
                    for seat in (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
                ),
                _build_entry_numbers_cell(play.ns_entries),
                _build_entry_numbers_cell(play.ew_entries),
                play.traveller_line.ns_result,
                play.traveller_line.ew_result,
                play.traveller_line.outcome,
                play.traveller_line.ruling_kind,
                *_build_rounded_and_exact_cells(ns_score),
                *_build_rounded_and_exact_cells(ew_score),
            ]
        )
    return rows


def _build_board_rows(results: EventResults) -> Rows:
    return [
        [
            session_number,
            board_number,
            deal.dealer.value,
            "" if deal.turn_up is None else deal.turn_up.code,
            "" if deal.trumps is None else deal.trumps.value,
            format_hands(deal, Seat.NORTH),
        ]
        for (session_number, board_number), deal in sorted(results.deals_by_board.items())
    ]


def _build_movement_rows(results: EventResults) -> Rows:
    return [
        [
            snapshot.session.number,
            table.section,
            table.round,
            table.table_number,
            _build_entry_numbers_cell(table.ns.entries),
            _build_entry_numbers_cell(table.ew.entries),
            " ".join(map(str, table.boards)),
        ]
        for snapshot in results.sessions
        for table in snapshot.tables
    ]


def _build_people_rows(results: EventResults) -> Rows:
    return [
        [entry.entry_number, entry.name, person_number, person]
        for entry in results.entry_names_by_number.values()
        for person_number, person in enumerate(entry.player_names, start=1)
    ]


def _build_rounded_and_exact_cells(number: Fraction | int | None) -> tuple[Cell, Cell]:
    """Return the rounded and the exact cell of a number; both are empty for None."""
    if number is None:
        return None, None
    return Fraction(number), ExactNumber(Fraction(number))


def _build_entry_numbers_cell(entries: tuple[int, ...]) -> Cell:
    return entries[0] if len(entries) == 1 else " ".join(map(str, entries))


_TABLE_BUILDERS_BY_NAME: Mapping[
    str, tuple[tuple[str, ...], Callable[[EventResults], Rows]]
] = {
    "standings": (
        (
            *("rank", "tied", "section", "field", "entry", "name", "people", "boards"),
            *("tricks", "tricks_exact", "score", "score_exact", "percent", "percent_exact"),
            *("a_board", "a_board_exact", "corrected", "corrected_exact"),
        ),
        _build_standings_rows,
    ),
    "results": (
        (
            *("date", "session", "section", "round", "table", "board"),
            *("north", "south", "east", "west", "ns_entry", "ew_entry"),
            *("ns_tricks", "ew_tricks", "outcome", "ruling"),
            *("ns_score", "ns_score_exact", "ew_score", "ew_score_exact"),
        ),
        _build_result_rows,
    ),
    "boards": (("session", "board", "dealer", "turn_up", "trumps", "hands"), _build_board_rows),
    "movement": (
        ("session", "section", "round", "table", "ns_entry", "ew_entry", "boards"),
        _build_movement_rows,
    ),
    "people": (("entry", "name", "order", "person"), _build_people_rows),
    **STAGE_TABLES_BY_NAME,
}
TABLE_NAMES = tuple(_TABLE_BUILDERS_BY_NAME)
"""The names of all data tables."""
