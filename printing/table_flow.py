"""Pagination of tables: only a table that does not fit a page is split, by rows."""

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
    counts: Sequence[int], height: float, *, around: float, rows: Sequence[float]
) -> tuple[float, list[list[TablePart]]]:
    """Choose the largest row height that needs no extra page; return it with the pages."""
    tries = [(row, paginate_tables(counts, height, around=around, row=row)) for row in rows]
    return min(tries, key=lambda found: (len(found[1]), -found[0]))


def paginate_tables(
    counts: Sequence[int], height: float, *, around: float, row: float
) -> list[list[TablePart]]:
    """Distribute tables over pages of a height, given their numbers of rows; at least one page.

    `around` is the height of each table's heading, titles and gap. A table that fits an empty
    page is never split; a longer one continues on the next page.
    """
    pages: list[list[TablePart]] = [[]]
    room = height
    for table, count in enumerate(counts):
        done = 0
        while done < count or not done:
            left = count - done
            fits = floor((room - around) / row)
            if pages[-1] and fits < left:
                pages.append([])
                room = height
                continue
            taken = min(left, max(fits, 1))
            pages[-1].append(TablePart(table, range(done, done + taken), done > 0))
            room -= around + row * taken
            done += max(taken, 1)
    return pages
