"""Custom movements as text: lines pasted from a page or a spreadsheet."""

import csv
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from tournaments.movements.schedule import UnplayableMovement
from tournaments.movements.systems.custom import MAX_NUMBERS, PAIRS, PLAYERS
from tournaments.movements.words import either

_PAIR_COLUMNS = ("round", "table", *PAIRS, "group")
_PLAYER_COLUMNS = ("round", "table", *PLAYERS, "group")
_SPELLINGS = {
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
MOST_LINES = 10_000


def rows_of_text(text: str) -> list[dict[str, object]]:
    """Read lines of round, table, N-S, E-W and board group (or N, E, S, W and board group).

    Cells are separated by tabs, semicolons or commas, or by spaces when there are none. The
    first line may name the columns, in any order. Board groups may be letters, A being 1.
    Raises UnplayableMovement with every line that has too many or too few cells.
    """
    lines = [
        (number, cells)
        for number, cells in enumerate(_cells(text), start=1)
        if any(cell for cell in cells)
    ]
    if not lines:
        raise UnplayableMovement(
            _("The text holds no rows: give at least one round and table.")
        )
    if len(lines) > MOST_LINES:
        raise UnplayableMovement(
            _("The text has %(rows)s rows, more than the %(most)s that can be read.")
            % {"rows": len(lines), "most": MOST_LINES}
        )
    columns, lines = _headed(lines)
    problems = [
        _wrong_cells(number, len(cells), columns)
        for number, cells in lines
        if not _columns_for(cells, columns)
    ]
    if problems:
        raise UnplayableMovement(*problems)
    return [_row(cells, _columns_for(cells, columns)) for _number, cells in lines]


def _cells(text: str) -> Iterable[list[str]]:
    text = text.removeprefix("\ufeff")
    separator = next((each for each in "\t;," if each in text), "")
    lines = text.splitlines()
    if not separator:
        return (line.split() for line in lines)
    rows = csv.reader(lines, delimiter=separator)
    try:
        return [_without_empty_ends([cell.strip() for cell in row]) for row in rows]
    except csv.Error as error:
        words = _("Line %(line)s cannot be read as cells.")
        raise UnplayableMovement(words % {"line": rows.line_num}) from error


def _without_empty_ends(cells: list[str]) -> list[str]:
    while cells and not cells[-1]:
        cells = cells[:-1]
    return cells


def _headed(
    lines: list[tuple[int, list[str]]],
) -> tuple[Sequence[str], list[tuple[int, list[str]]]]:
    """Return the columns named by the first line, if any, and the lines after it."""
    number, first = lines[0]
    if first[0][:1].isdigit():
        return (), lines
    columns = [_column(cell) for cell in first]
    strange = [
        cell
        for cell, column in zip(first, columns, strict=True)
        if column not in (*MAX_NUMBERS, *PAIRS, *PLAYERS)
    ]
    if strange:
        raise UnplayableMovement(
            _(
                "Line %(line)s: “%(column)s” is not a column: use round, table, ns, ew "
                "(or n, e, s, w) and group."
            )
            % {"line": number, "column": strange[0][:40]}
        )
    repeated = [column for column in columns if columns.count(column) > 1]
    if repeated:
        words = _("Line %(line)s: the column %(column)s is named twice.")
        raise UnplayableMovement(words % {"line": number, "column": repeated[0]})
    return columns, lines[1:]


def _column(cell: str) -> str:
    name = "".join(letter for letter in cell.lower() if letter.isalpha())
    return _SPELLINGS.get(name, name)


def _columns_for(cells: list[str], columns: Sequence[str]) -> Sequence[str]:
    """Return the columns of a line, as named or by its number of cells; none if they differ."""
    if columns:
        return columns if len(cells) == len(columns) else ()
    fitting = {len(each): each for each in (_PAIR_COLUMNS, _PLAYER_COLUMNS)}
    return fitting.get(len(cells), ())


def _wrong_cells(line: int, cells: int, columns: Sequence[str]) -> str:
    wanted = [len(columns)] if columns else [len(_PAIR_COLUMNS), len(_PLAYER_COLUMNS)]
    words = _("Line %(line)s: %(cells)s cells where %(wanted)s are needed (%(columns)s).")
    return words % {
        "line": line,
        "cells": cells,
        "wanted": either([str(number) for number in wanted]),
        "columns": ", ".join(columns or _PAIR_COLUMNS),
    }


def _row(cells: list[str], columns: Sequence[str]) -> dict[str, object]:
    row: dict[str, object] = dict(zip(columns, cells, strict=True))
    group = str(row.get("group", ""))
    if len(group) == 1 and "A" <= group.upper() <= "Z":
        row["group"] = ord(group.upper()) - ord("A") + 1
    return row
