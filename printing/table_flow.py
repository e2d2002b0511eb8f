"""Paginates tables: only a table that does not fit on a page is split, by rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor


@dataclass(frozen=True, slots=True)
class TablePart:
    """Rows of one table that are drawn together on one page."""

    table_index: int
    rows: range
    is_continued: bool


def choose_row_height(
    row_counts: Sequence[int],
    page_height: float,
    *,
    extra_height: float,
    row_heights: Sequence[float],
) -> tuple[float, list[list[TablePart]]]:
    """Return the largest row height that gives the fewest pages, and these pages."""
    paginations = [
        (
            row_height,
            paginate_tables(
                row_counts, page_height, extra_height=extra_height, row_height=row_height
            ),
        )
        for row_height in row_heights
    ]
    return min(paginations, key=lambda pagination: (len(pagination[1]), -pagination[0]))


def paginate_tables(
    row_counts: Sequence[int], page_height: float, *, extra_height: float, row_height: float
) -> list[list[TablePart]]:
    """Distribute tables over one or more pages; `row_counts` has each table's number of rows.

    `extra_height` is the height of each table's heading, titles and gap. A table that fits on
    an empty page is never split; a longer one continues on the next page.
    """
    pages: list[list[TablePart]] = [[]]
    remaining_height = page_height
    for table_index, row_count in enumerate(row_counts):
        placed_row_count = 0
        while placed_row_count < row_count or not placed_row_count:
            remaining_row_count = row_count - placed_row_count
            max_rows = floor((remaining_height - extra_height) / row_height)
            if pages[-1] and max_rows < remaining_row_count:
                pages.append([])
                remaining_height = page_height
                continue
            placed_count = min(remaining_row_count, max(max_rows, 1))
            pages[-1].append(
                TablePart(
                    table_index,
                    range(placed_row_count, placed_row_count + placed_count),
                    placed_row_count > 0,
                )
            )
            remaining_height -= extra_height + row_height * placed_count
            placed_row_count += max(placed_count, 1)
    return pages
