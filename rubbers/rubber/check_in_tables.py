"""Forms the tables of a rubber night from the chairs that players chose at check-in."""

from collections.abc import Iterable

from clubs.evenings.first_seats import PresentPerson
from rubbers.rubber.cuts import MAX_TABLE_MEMBERS, PLAYERS_PER_TABLE
from rubbers.rubber.dummy import MIN_PLAYERS

_PREFERRED_TABLE_SIZES = (1, 3, 2, 0, 4, 5)
"""The sizes of tables that another player joins, the preferred size first."""


def group_people_by_table(people: Iterable[PresentPerson]) -> dict[int, list[int]]:
    """Return the keys of the people at each table, by table number.

    People stay at the table that they chose, with two exceptions. A person without a chair
    joins a table that needs a player, or a new table. A person who sits at a table without
    other players joins another table.
    """
    sorted_people = sorted(
        people, key=lambda person: (person.chair or (10_000, 0), person.person_key)
    )
    person_keys_by_table: dict[int, list[int]] = {}
    for person in sorted_people:
        if person.chair is not None:
            person_keys_by_table.setdefault(person.chair.table_number, []).append(
                person.person_key
            )
    for person in sorted_people:
        if person.chair is None:
            _seat_person_at_table(person_keys_by_table, person.person_key)
    for table_number in sorted(person_keys_by_table, reverse=True):
        other_keys_by_table = {
            other_table_number: person_keys
            for other_table_number, person_keys in person_keys_by_table.items()
            if other_table_number != table_number
        }
        if 0 < len(person_keys_by_table[table_number]) < MIN_PLAYERS and _find_table_with_space(
            other_keys_by_table, MAX_TABLE_MEMBERS
        ):
            [person_key] = person_keys_by_table.pop(table_number)
            person_keys_by_table[
                _find_table_with_space(other_keys_by_table, MAX_TABLE_MEMBERS)
            ].append(person_key)
    return dict(sorted(person_keys_by_table.items()))


def _seat_person_at_table(person_keys_by_table: dict[int, list[int]], person_key: int) -> None:
    table_number = (
        _find_table_with_space(person_keys_by_table, PLAYERS_PER_TABLE)
        or max(person_keys_by_table, default=0) + 1
    )
    person_keys_by_table.setdefault(table_number, []).append(person_key)


def _find_table_with_space(person_keys_by_table: dict[int, list[int]], max_players: int) -> int:
    """Return the number of the table that needs a player most.

    Returns 0 if all tables have at least `max_players` players.
    """
    tables_with_space = [
        (_PREFERRED_TABLE_SIZES.index(len(person_keys)), table_number)
        for table_number, person_keys in person_keys_by_table.items()
        if len(person_keys) < max_players
    ]
    return min(tables_with_space, default=(0, 0))[1]
