"""One table in one round, as a made-up evening sees it."""

from typing import NamedTuple


class At(NamedTuple):
    """A table in a round: it keeps its name when others come to sit there."""

    section: str
    round: int
    table: int


class Sat(NamedTuple):
    """Who sits at a table in a round, with which boards."""

    at: At
    ns: tuple[int, ...]  # the numbers of the entries
    ew: tuple[int, ...]
    boards: tuple[int, ...]
