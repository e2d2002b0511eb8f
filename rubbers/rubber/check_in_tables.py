"""The tables of a night at which the players chose their own seats at check-in."""

from collections.abc import Iterable

from clubs.evenings.first_seats import PresentPerson
from rubbers.rubber.cuts import MAX_MEMBERS, PLAYERS_PER_TABLE
from rubbers.rubber.dummy import MIN_PLAYERS

_PREFERRED_SIZES = (1, 3, 2, 0, 4, 5)
"""The numbers of players of tables that one more player may join, in order of preference."""


def group_by_table(people: Iterable[PresentPerson]) -> dict[int, list[int]]:
    """Return the keys of the people at each table, by table number.

    People stay at the table that they chose. Two exceptions: a person without a chair joins a
    table that lacks players, or a new table, and a person alone at a table joins another one.
    """
    sorted_people = sorted(people, key=lambda person: (person.chair or (10_000, 0), person.key))
    keys_by_table: dict[int, list[int]] = {}
    for person in sorted_people:
        if person.chair is not None:
            keys_by_table.setdefault(person.chair.table, []).append(person.key)
    for person in sorted_people:
        if person.chair is None:
            _seat_at_a_table(keys_by_table, person.key)
    for table_number in sorted(keys_by_table, reverse=True):
        other_keys_by_table = {
            table: keys for table, keys in keys_by_table.items() if table != table_number
        }
        if 0 < len(keys_by_table[table_number]) < MIN_PLAYERS and _find_table(
            other_keys_by_table, MAX_MEMBERS
        ):
            [key] = keys_by_table.pop(table_number)
            keys_by_table[_find_table(other_keys_by_table, MAX_MEMBERS)].append(key)
    return dict(sorted(keys_by_table.items()))


def _seat_at_a_table(keys_by_table: dict[int, list[int]], key: int) -> None:
    table_number = (
        _find_table(keys_by_table, PLAYERS_PER_TABLE) or max(keys_by_table, default=0) + 1
    )
    keys_by_table.setdefault(table_number, []).append(key)


def _find_table(keys_by_table: dict[int, list[int]], max_players: int) -> int:
    """Return the number of the table that needs a player most; 0 if no table has fewer players
    than `max_players`.
    """
    tables_with_space = [
        (_PREFERRED_SIZES.index(len(keys)), table)
        for table, keys in keys_by_table.items()
        if len(keys) < max_players
    ]
    return min(tables_with_space, default=(0, 0))[1]
