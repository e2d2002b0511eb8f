"""The tables of a night at which the players chose their own seats at check-in."""

from collections.abc import Iterable

from clubs.evenings.first_seats import PresentPerson
from rubbers.rubber.cuts import MAX_MEMBERS, PLAYERS_PER_TABLE
from rubbers.rubber.dummy import MIN_PLAYERS

_PREFERRED_SIZES = (1, 3, 2, 0, 4, 5)
"""The sizes of tables that one more player joins, the best first."""


def group_by_table(people: Iterable[PresentPerson]) -> dict[int, list[int]]:
    """Return the people of each table; only people without a chair or company change tables.

    A person without a chair joins a table that lacks players, or a new one. A person alone at a
    table joins another. One person in all stays alone at a table.
    """
    rows = sorted(people, key=lambda person: (person.chair or (10_000, 0), person.key))
    tables: dict[int, list[int]] = {}
    for person in rows:
        if person.chair is not None:
            tables.setdefault(person.chair.table, []).append(person.key)
    for person in rows:
        if person.chair is None:
            _join(tables, person.key)
    for number in sorted(tables, reverse=True):
        other_tables = {table: keys for table, keys in tables.items() if table != number}
        if 0 < len(tables[number]) < MIN_PLAYERS and _find_table(other_tables, MAX_MEMBERS):
            [key] = tables.pop(number)
            tables[_find_table(other_tables, MAX_MEMBERS)].append(key)
    return dict(sorted(tables.items()))


def _join(tables: dict[int, list[int]], key: int) -> None:
    table = _find_table(tables, PLAYERS_PER_TABLE) or max(tables, default=0) + 1
    tables.setdefault(table, []).append(key)


def _find_table(tables: dict[int, list[int]], most: int) -> int:
    """Return the table with room that needs a player most; 0 if none has fewer than `most`."""
    free = [
        (_PREFERRED_SIZES.index(len(keys)), table)
        for table, keys in tables.items()
        if len(keys) < most
    ]
    return min(free, default=(0, 0))[1]
