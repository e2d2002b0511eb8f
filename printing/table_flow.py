"""Paginates tables: only a table that does not fit on a page is split, by rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor


@dataclass(frozen=True, slots=True)
class TablePart:
    """Rows of one table that are drawn together on one page."""

    table: int  # index of the table
    rows: range
    continued: bool


def choose_row_height(
    counts: Sequence[int], height: float, *, extra_height: float, rows: Sequence[float]
) -> tuple[float, list[list[TablePart]]]:
    """Choose the largest row height that needs no extra page; return it with the pages."""
    tries = [
        (row, paginate_tables(counts, height, extra_height=extra_height, row=row))
        for row in rows
    ]
    return min(tries, key=lambda attempt: (len(attempt[1]), -attempt[0]))


def paginate_tables(
    counts: Sequence[int], height: float, *, extra_height: float, row: float
) -> list[list[TablePart]]:
    """Distribute tables over pages, given their numbers of rows; at least one page.

    `extra_height` is the height of each table's heading, titles and gap. A table that fits on
    an empty page is never split; a longer one continues on the next page.
    """
    pages: list[list[TablePart]] = [[]]
    height_left = height
    for table, count in enumerate(counts):
        placed_rows = 0
        while placed_rows < count or not placed_rows:
            rows_left = count - placed_rows
            max_rows = floor((height_left - extra_height) / row)
            if pages[-1] and max_rows < rows_left:
                pages.append([])
                height_left = height
                continue
            part_rows = min(rows_left, max(max_rows, 1))
            pages[-1].append(
                TablePart(table, range(placed_rows, placed_rows + part_rows), placed_rows > 0)
            )
            height_left -= extra_height + row * part_rows
            placed_rows += max(part_rows, 1)
    return pages
