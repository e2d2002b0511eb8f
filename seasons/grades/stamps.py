"""Of which evenings a club's grades are: a text that any correction or merge makes another."""

from collections.abc import Iterable
from hashlib import sha256

from seasons.grades.club_plays import Row, graded_events, mark_of
from seasons.grades.models import GradeBook

MADE_BY = "1"
"""Another text makes every figure once more: the arithmetic itself has changed."""


def stamps_of(book: GradeBook, rows: Iterable[Row]) -> list[str]:
    """For each number of evenings, one text for all that is known after so many of them."""
    found = [sha256(f"{MADE_BY} {book.s0} {book.tau} {book.q}".encode()).hexdigest()]
    for row in rows:
        found.append(sha256(f"{found[-1]} {row.stamp}".encode()).hexdigest())
    return found


def made_from(row: Row) -> str:
    """What one evening's part is made from, in words that tell why it is another."""
    return f"{row.results} {row.people} {row.day}/{row.slug} {MADE_BY}"


def is_behind(book: GradeBook) -> bool:
    """Whether grades are not those of the standings of today."""
    return is_behind_of(book, stamps_of(book, graded_events(book.club)))


def is_behind_quickly(book: GradeBook) -> bool:
    """The same for a page, in one question: whether evenings came or were corrected since.

    Two who became one are seen by the worker's next look alone.
    """
    return bool(book.why) or book.mark != mark_of(book.club)


def is_behind_of(book: GradeBook, stamps: list[str]) -> bool:
    """The same, where the evenings have been read already."""
    is_there = book.grades.exists() or not book.evenings  # not where a club has just come
    return not is_there or book.stamp != stamps[-1]
