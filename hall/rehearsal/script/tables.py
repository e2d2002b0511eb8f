"""One table in one round of a simulated evening."""

from typing import NamedTuple


class TableKey(NamedTuple):
    """The key of a table in a round, which does not depend on its players."""

    section: str
    round: int
    table: int


class TableSitting(NamedTuple):
    """The entries and boards at a table in a round."""

    at: TableKey
    ns: tuple[int, ...]  # the numbers of the entries
    ew: tuple[int, ...]
    boards: tuple[int, ...]
