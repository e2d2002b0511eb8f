"""A movement's schedule as a grid of form inputs, with a square for each table and round."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from server.numbers import parse_number_or_zero
from tournaments.movements import Contest

MAX_SQUARES = 300  # with three or five inputs each; larger schedules are entered as text
MAX_TABLES_PER_ROW = 30
_INPUT_NAME_PATTERN = re.compile(r"r(\d{1,3})t(\d{1,3})-(ns|ew|n|e|s|w|group)")


@dataclass(frozen=True, slots=True)
class GridCell:
    """One input of a square of the grid."""

    name: str
    value: str
    label: str
    short_label: str


GridSquare = tuple[GridCell, ...]
"""The inputs for one table in one round."""


@dataclass(frozen=True, slots=True)
class InputGrid:
    """The grid of inputs: a row for each round, a column for each table.

    It has no rows if the schedule is too large for a grid.
    """

    tables: tuple[int, ...]
    rounds: tuple[tuple[GridSquare, ...], ...]


def build_input_grid(
    rows: Iterable[Mapping[str, Any]],
    contest_code: str,
    *,
    min_tables: int = 0,
    min_rounds: int = 0,
) -> InputGrid:
    """Return a grid of inputs with the values of `rows`.

    The grid has at least `min_rounds` rounds and `min_tables` tables.
    """
    row_by_round_and_table = {
        (str(row.get("round", "")), str(row.get("table", ""))): row for row in rows
    }
    rounds_and_tables = [
        (parse_number_or_zero(round_text), parse_number_or_zero(table_text))
        for round_text, table_text in row_by_round_and_table
    ]
    table_count = min(
        max([min_tables, *(table_number for _, table_number in rounds_and_tables)]),
        MAX_TABLES_PER_ROW,
    )
    round_count = min(
        max([min_rounds, *(round_number for round_number, _ in rounds_and_tables)]), 100
    )
    if table_count * round_count > MAX_SQUARES:
        return InputGrid((), ())
    return InputGrid(
        tables=tuple(range(1, table_count + 1)),
        rounds=tuple(
            tuple(
                _build_grid_square(
                    round_number,
                    table_number,
                    row_by_round_and_table.get((str(round_number), str(table_number)), {}),
                    contest_code,
                )
                for table_number in range(1, table_count + 1)
            )
            for round_number in range(1, round_count + 1)
        ),
    )


def parse_grid(post_data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a posted grid; empty squares are left out."""
    row_by_round_and_table: dict[tuple[int, int], dict[str, Any]] = {}
    for input_name, input_value in post_data.items():
        name_match = _INPUT_NAME_PATTERN.fullmatch(input_name)
        if name_match and str(input_value).strip():
            round_and_table = int(name_match[1]), int(name_match[2])
            row_by_round_and_table.setdefault(
                round_and_table, {"round": round_and_table[0], "table": round_and_table[1]}
            )[name_match[3]] = str(input_value).strip()
    return [
        _parse_group_letter(row_by_round_and_table[round_and_table])
        for round_and_table in sorted(row_by_round_and_table)
    ]


def format_schedule_lines(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return schedule rows as text lines, in the format for pasting."""
    if not rows:
        return ""
    columns = list(rows[0])
    lines = [" ".join(str(row.get(column, "")) for column in columns) for row in rows]
    return "\n".join([" ".join(columns), *lines])


def _build_grid_square(
    round_number: int, table_number: int, schedule_row: Mapping[str, Any], contest_code: str
) -> GridSquare:
    field_names = ("n", "e", "s", "w") if contest_code == Contest.INDIVIDUAL else ("ns", "ew")
    labels_by_field = {
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
            name=f"r{round_number}t{table_number}-{field_name}",
            value=str(schedule_row.get(field_name, "")),
            label=_("Round %(round)s, table %(table)s, %(what)s")
            % {
                "round": round_number,
                "table": table_number,
                "what": labels_by_field[field_name],
            },
            short_label=labels_by_field[field_name],
        )
        for field_name in (*field_names, "group")
    )


def _parse_group_letter(schedule_row: dict[str, Any]) -> dict[str, Any]:
    """Return a row whose board group is a number; a letter is converted (A is 1)."""
    group_text = str(schedule_row.get("group", "")).upper()
    if len(group_text) == 1 and "A" <= group_text <= "Z":
        schedule_row["group"] = ord(group_text) - ord("A") + 1
    return schedule_row
