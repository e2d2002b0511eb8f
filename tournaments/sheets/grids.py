"""A movement's schedule as a grid of form inputs, with a square for each table and round."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from server.numbers import parse_number_or_zero
from tournaments.movements import Contest

MAX_SQUARES = 300  # with three or five inputs each; larger schedules are entered as lines
MAX_TABLES_ACROSS = 30
_INPUT_NAME = re.compile(r"r(\d{1,3})t(\d{1,3})-(ns|ew|n|e|s|w|group)")


@dataclass(frozen=True, slots=True)
class GridCell:
    """One input of a square of the grid."""

    name: str
    value: str
    label: str
    short: str


Square = tuple[GridCell, ...]


@dataclass(frozen=True, slots=True)
class InputGrid:
    """The grid of inputs: a row for each round, a column for each table.

    It has no rows if the schedule is too large for a grid.
    """

    tables: tuple[int, ...]
    rounds: tuple[tuple[Square, ...], ...]


def build_input_grid(
    rows: Iterable[Mapping[str, Any]], contest: str, *, tables: int = 0, rounds: int = 0
) -> InputGrid:
    """Return a grid of inputs with the values of `rows`.

    It has at least the given numbers of rounds and tables.
    """
    row_by_position = {
        (str(row.get("round", "")), str(row.get("table", ""))): row for row in rows
    }
    numbers = [(parse_number_or_zero(r), parse_number_or_zero(t)) for r, t in row_by_position]
    across = min(max([tables, *(table for _, table in numbers)]), MAX_TABLES_ACROSS)
    down = min(max([rounds, *(number for number, _ in numbers)]), 100)
    if across * down > MAX_SQUARES:
        return InputGrid((), ())
    return InputGrid(
        tables=tuple(range(1, across + 1)),
        rounds=tuple(
            tuple(
                _build_square(
                    number, table, row_by_position.get((str(number), str(table)), {}), contest
                )
                for table in range(1, across + 1)
            )
            for number in range(1, down + 1)
        ),
    )


def parse_grid(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a posted grid; empty squares are left out."""
    rows: dict[tuple[int, int], dict[str, Any]] = {}
    for name, value in data.items():
        match = _INPUT_NAME.fullmatch(name)
        if match and str(value).strip():
            position = int(match[1]), int(match[2])
            rows.setdefault(position, {"round": position[0], "table": position[1]})[
                match[3]
            ] = str(value).strip()
    return [_parse_group_letter(rows[position]) for position in sorted(rows)]


def format_lines(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return schedule rows as text lines, in the format for pasting."""
    if not rows:
        return ""
    columns = list(rows[0])
    lines = [" ".join(str(row.get(column, "")) for column in columns) for row in rows]
    return "\n".join([" ".join(columns), *lines])


def _build_square(number: int, table: int, row: Mapping[str, Any], contest: str) -> Square:
    names = ("n", "e", "s", "w") if contest == Contest.INDIVIDUAL else ("ns", "ew")
    labels = {
        "ns": "N-S",
        "ew": "E-W",
        "n": "N",
        "e": "E",
        "s": "S",
        "w": "W",
        "group": _("boards"),
    }
    return tuple(
        GridCell(
            name=f"r{number}t{table}-{name}",
            value=str(row.get(name, "")),
            label=_("Round %(round)s, table %(table)s, %(what)s")
            % {"round": number, "table": table, "what": labels[name]},
            short=labels[name],
        )
        for name in (*names, "group")
    )


def _parse_group_letter(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row whose board group is a number; a letter is converted (A is 1)."""
    group = str(row.get("group", "")).upper()
    if len(group) == 1 and "A" <= group <= "Z":
        row["group"] = ord(group) - ord("A") + 1
    return row
