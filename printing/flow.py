"""How tables flow over pages: whole ones where they fit, long ones cut between rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor


@dataclass(frozen=True, slots=True)
class Piece:
    """Some rows of one table, drawn together on one page."""

    table: int  # its place among the tables
    rows: range
    continued: bool


def roomiest(
    counts: Sequence[int], height: float, *, around: float, rows: Sequence[float]
) -> tuple[float, list[list[Piece]]]:
    """Return the highest of some row heights that costs no page more, and the pages."""
    tries = [(row, over_pages(counts, height, around=around, row=row)) for row in rows]
    return min(tries, key=lambda found: (len(found[1]), -found[0]))


def over_pages(
    counts: Sequence[int], height: float, *, around: float, row: float
) -> list[list[Piece]]:
    """Lay tables of so many rows out on pages of a height; at least one page comes of it.

    `around` is what each table's heading, titles and gap take. A table that fits a fresh page
    is never cut; one that is longer than a page goes on overleaf.
    """
    pages: list[list[Piece]] = [[]]
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
            pages[-1].append(Piece(table, range(done, done + taken), done > 0))
            room -= around + row * taken
            done += max(taken, 1)
    return pages
