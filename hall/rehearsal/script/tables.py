"""The values for one table in one round of a simulated event."""

from typing import NamedTuple


class TableKey(NamedTuple):
    """The section, round and table number, which identify a table regardless of its players."""

    section_letter: str
    round_number: int
    table_number: int


class TableSitting(NamedTuple):
    """The entries and boards at a table in a round."""

    table_key: TableKey
    ns_entries: tuple[int, ...]  # entry numbers
    ew_entries: tuple[int, ...]
    board_numbers: tuple[int, ...]
