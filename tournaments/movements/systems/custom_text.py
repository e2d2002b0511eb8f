"""Reads custom movements from text: lines pasted from a page or a spreadsheet."""

import csv
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from tournaments.movements.formatting import join_alternatives
from tournaments.movements.schedule import UnplayableMovement
from tournaments.movements.systems.custom import (
    MAX_NUMBERS_BY_COLUMN,
    PAIR_COLUMNS,
    PLAYER_COLUMNS,
)

_PAIR_ROW_COLUMNS = ("round", "table", *PAIR_COLUMNS, "group")
_PLAYER_ROW_COLUMNS = ("round", "table", *PLAYER_COLUMNS, "group")
_COLUMN_NAMES_BY_SPELLING = {
    "rd": "round",
    "rounds": "round",
    "tables": "table",
    "tbl": "table",
    "northsouth": "ns",
    "eastwest": "ew",
    "north": "n",
    "east": "e",
    "south": "s",
    "west": "w",
    "boardgroup": "group",
    "boards": "group",
    "boardset": "group",
    "set": "group",
    "sets": "group",
}
MAX_LINES = 10_000


def parse_schedule_rows(schedule_text: str) -> list[dict[str, object]]:
    """Parse lines of round, table, N-S, E-W and board group (or N, E, S, W and board group).

    Cells are separated by tabs, semicolons or commas, or else by spaces. The first line may
    name the columns, in any order. Board groups may be letters (A is 1).

    Raises UnplayableMovement with every line that has too many or too few cells.
    """
    numbered_lines = [
        (line_number, cells)
        for line_number, cells in enumerate(_split_cells(schedule_text), start=1)
        if any(cell for cell in cells)
    ]
    if not numbered_lines:
        raise UnplayableMovement(_("The text is empty. Enter at least one round and table."))
    if len(numbered_lines) > MAX_LINES:
        raise UnplayableMovement(
            _("The text has %(rows)s rows. The limit is %(most)s.")
            % {"rows": len(numbered_lines), "most": MAX_LINES}
        )
    columns, numbered_lines = _split_off_heading(numbered_lines)
    problems = [
        _describe_cell_count_problem(line_number, len(cells), columns)
        for line_number, cells in numbered_lines
        if not _select_columns(cells, columns)
    ]
    if problems:
        raise UnplayableMovement(*problems)
    return [
        _build_row(cells, _select_columns(cells, columns)) for _number, cells in numbered_lines
    ]


def _split_cells(schedule_text: str) -> Iterable[list[str]]:
    schedule_text = schedule_text.removeprefix("\ufeff")
    separator = next((character for character in "\t;," if character in schedule_text), "")
    lines = schedule_text.splitlines()
    if not separator:
        return (line.split() for line in lines)
    rows = csv.reader(lines, delimiter=separator)
    try:
        return [_strip_trailing_empty_cells([cell.strip() for cell in row]) for row in rows]
    except csv.Error as error:
        message = _("Line %(line)s can’t be read.")
        raise UnplayableMovement(message % {"line": rows.line_num}) from error


def _strip_trailing_empty_cells(cells: list[str]) -> list[str]:
    while cells and not cells[-1]:
        cells = cells[:-1]
    return cells


def _split_off_heading(
    numbered_lines: list[tuple[int, list[str]]],
) -> tuple[Sequence[str], list[tuple[int, list[str]]]]:
    """Return the column names if the first line has them, and the lines with the schedule."""
    line_number, heading_cells = numbered_lines[0]
    if heading_cells[0][:1].isdigit():
        return (), numbered_lines
    columns = [_parse_column_name(cell) for cell in heading_cells]
    unknown_columns = [
        cell
        for cell, column in zip(heading_cells, columns, strict=True)
        if column not in (*MAX_NUMBERS_BY_COLUMN, *PAIR_COLUMNS, *PLAYER_COLUMNS)
    ]
    if unknown_columns:
        raise UnplayableMovement(
            _(
                "Line %(line)s: “%(column)s” isn’t a column. Use round, table, ns, ew (or "
                "n, e, s, w) and group."
            )
            % {"line": line_number, "column": unknown_columns[0][:40]}
        )
    repeated_columns = [column for column in columns if columns.count(column) > 1]
    if repeated_columns:
        message = _("Line %(line)s: column %(column)s appears twice.")
        raise UnplayableMovement(message % {"line": line_number, "column": repeated_columns[0]})
    return columns, numbered_lines[1:]


def _parse_column_name(cell: str) -> str:
    column_spelling = "".join(letter for letter in cell.lower() if letter.isalpha())
    return _COLUMN_NAMES_BY_SPELLING.get(column_spelling, column_spelling)


def _select_columns(cells: list[str], columns: Sequence[str]) -> Sequence[str]:
    """Return the column name of each cell in a line; () for a wrong number of cells."""
    if columns:
        return columns if len(cells) == len(columns) else ()
    columns_by_count = {
        len(columns): columns for columns in (_PAIR_ROW_COLUMNS, _PLAYER_ROW_COLUMNS)
    }
    return columns_by_count.get(len(cells), ())


def _describe_cell_count_problem(
    line_number: int, cell_count: int, columns: Sequence[str]
) -> str:
    expected_cell_counts = (
        [len(columns)] if columns else [len(_PAIR_ROW_COLUMNS), len(_PLAYER_ROW_COLUMNS)]
    )
    message = _("Line %(line)s has %(cells)s cells. It needs %(wanted)s (%(columns)s).")
    return message % {
        "line": line_number,
        "cells": cell_count,
        "wanted": join_alternatives([str(number) for number in expected_cell_counts]),
        "columns": ", ".join(columns or _PAIR_ROW_COLUMNS),
    }


def _build_row(cells: list[str], columns: Sequence[str]) -> dict[str, object]:
    cells_by_column: dict[str, object] = dict(zip(columns, cells, strict=True))
    group_text = str(cells_by_column.get("group", ""))
    if len(group_text) == 1 and "A" <= group_text.upper() <= "Z":
        cells_by_column["group"] = ord(group_text.upper()) - ord("A") + 1
    return cells_by_column
