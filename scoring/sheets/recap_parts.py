"""The part of a large recap that one page shows: some rows of one field, some of its boards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.sheets.values import Recap, RecapField

MAX_CELLS = 1500
"""A recap with at most this many cells is shown whole: 20 pairs on 75 boards."""
MAX_ROWS = 50
MAX_BOARDS = 28


@dataclass(frozen=True, slots=True)
class RowRange:
    """A link to some rows of a field."""

    part: int  # counted from 1
    field: RecapField  # with these rows only
    span: str  # "51–100" where a field has more than one part, otherwise ""


@dataclass(frozen=True, slots=True)
class BoardRange:
    """A link to some boards."""

    part: int  # counted from 1
    span: str


@dataclass(frozen=True, slots=True)
class RecapPart:
    """What a page shows of a recap, and the ways to the rest."""

    sheet: Recap
    fields: tuple[RecapField, ...]  # all of the recap
    part: int  # 0 where the whole recap is shown
    boards_part: int
    rows: tuple[RowRange, ...]  # all of them, as the next
    boards: tuple[BoardRange, ...]


def recap_part(sheet: Recap, *, part: int, boards_part: int) -> RecapPart:
    """Choose the rows and boards of a page; numbers out of range lead to the first part."""
    cells = len(sheet.boards) * sum(len(field.rows) for field in sheet.fields)
    if cells <= MAX_CELLS:
        return RecapPart(sheet, sheet.fields, 0, 0, (), ())
    rows = _row_ranges(sheet.fields)
    boards = _pieces(len(sheet.boards), MAX_BOARDS)
    part = part if 1 <= part <= len(rows) else 1
    boards_part = boards_part if 1 <= boards_part <= len(boards) else 1
    start, end = boards[boards_part - 1]
    field = rows[part - 1].field
    narrowed = replace(
        field,
        rows=tuple(
            replace(row, cells=row.cells[start:end], sides=row.sides[start:end])
            for row in field.rows
        ),
    )
    ranges = tuple(
        BoardRange(number, _span(sheet.boards[first], sheet.boards[last - 1]))
        for number, (first, last) in enumerate(boards, start=1)
    )
    shown = replace(sheet, boards=sheet.boards[start:end], fields=(narrowed,))
    return RecapPart(shown, sheet.fields, part, boards_part, rows, ranges)


def _row_ranges(fields: Sequence[RecapField]) -> tuple[RowRange, ...]:
    found: list[RowRange] = []
    for field in fields:
        pieces = _pieces(len(field.rows), MAX_ROWS)
        for start, end in pieces:
            span = _span(start + 1, end) if len(pieces) > 1 else ""
            part = replace(field, rows=field.rows[start:end])
            found.append(RowRange(len(found) + 1, part, span))
    return tuple(found)


def _pieces(count: int, most: int) -> list[tuple[int, int]]:
    """Divide so many rows or boards evenly: start and end of each piece."""
    pieces = max(1, -(-count // most))
    size = max(1, -(-count // pieces))
    return [(at, min(at + size, count)) for at in range(0, max(count, 1), size)]


def _span(first: int, last: int) -> str:
    return f"{first}–{last}" if last > first else str(first)
