"""The forming of pairs at the tables, and the choice of their places in round 1.

Both keep the number of people who have to change seats low.
This module has no database queries. People are identified by a key that the caller chooses.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

SEAT_NUMBERS = (1, 2, 3, 4)
"""The seats of a table, clockwise from North; 1 and 3 are partners, and 2 and 4."""
NORTH_SOUTH, EAST_WEST = "NS", "EW"
SIDE_BY_SEAT = {1: NORTH_SOUTH, 2: EAST_WEST, 3: NORTH_SOUTH, 4: EAST_WEST}
MAX_TABLE_NUMBER = 500
"""The largest table number at which people can check in."""


class Chair(NamedTuple):
    """One seat of a table."""

    table_number: int
    seat_number: int

    @property
    def opposite(self) -> "Chair":
        """The partner's chair."""
        return Chair(self.table_number, (self.seat_number + 1) % 4 + 1)


class TablePosition(NamedTuple):
    """A table, and the position of a pair or a player at this table."""

    table_number: int
    position: str  # the side of a pair ("NS"), or the seat of a player ("1")


@dataclass(frozen=True, slots=True)
class PresentPerson:
    """A person present, with their chair and the partner of their booking."""

    person_key: int
    chair: Chair | None = None
    partner_key: int | None = None


@dataclass(frozen=True, slots=True)
class FormedPair:
    """Two partners; `place` is the side where at least one of them sits, or None."""

    person_keys: tuple[int, int]
    place: TablePosition | None


@dataclass(frozen=True, slots=True)
class FormedPairs:
    """All pairs in the order of their tables.

    `unpaired_person_key` is the key of the remaining person if the number of people is odd.
    `newly_matched_pairs` are the pairs whose two people neither sit opposite each other nor
    booked together.
    """

    pairs: tuple[FormedPair, ...]
    unpaired_person_key: int | None = None
    newly_matched_pairs: tuple[FormedPair, ...] = ()


def form_pairs(people: Iterable[PresentPerson]) -> FormedPairs:
    """Form pairs so that as few people as possible have to change seats.

    First, people who sit opposite each other become partners, then people who booked together.
    The other people are paired in this order: two people at the same table, a person with a
    chair and one without, and the rest in the order of the chairs.
    """
    unpaired_people_by_key = {
        person.person_key: person for person in sorted(people, key=_get_sort_key)
    }
    pairs = [
        _join_pair(unpaired_people_by_key, first_person_key, second_person_key)
        for first_person_key, second_person_key in _iter_opposite_pairs(unpaired_people_by_key)
    ]
    pairs += [
        _join_pair(unpaired_people_by_key, first_person_key, second_person_key)
        for first_person_key, second_person_key in _iter_booked_pairs(unpaired_people_by_key)
    ]
    prearranged_pair_count = len(pairs)
    pairs += [
        _join_pair(unpaired_people_by_key, first_person_key, second_person_key)
        for first_person_key, second_person_key in _iter_neighbour_pairs(unpaired_people_by_key)
    ]
    pairs += [
        _join_pair(unpaired_people_by_key, first_person_key, second_person_key)
        for first_person_key, second_person_key in _iter_remaining_pairs(unpaired_people_by_key)
    ]
    newly_matched_pairs = tuple(pairs[prearranged_pair_count:])
    return FormedPairs(
        pairs=tuple(
            sorted(
                pairs,
                key=lambda formed_pair: (
                    formed_pair.place or TablePosition(MAX_TABLE_NUMBER + 1, "")
                ),
            )
        ),
        unpaired_person_key=next(iter(unpaired_people_by_key), None),
        newly_matched_pairs=newly_matched_pairs,
    )


def _get_sort_key(person: PresentPerson) -> tuple[Chair, int]:
    return person.chair or Chair(MAX_TABLE_NUMBER + 1, 0), person.person_key


def _join_pair(
    unpaired_people_by_key: dict[int, PresentPerson],
    first_person_key: int,
    second_person_key: int,
) -> FormedPair:
    """Remove two people from those without a partner, and return their pair."""
    people = (
        unpaired_people_by_key.pop(first_person_key),
        unpaired_people_by_key.pop(second_person_key),
    )
    chairs = [person.chair for person in people if person.chair is not None]
    place = (
        TablePosition(chairs[0].table_number, SIDE_BY_SEAT[chairs[0].seat_number])
        if chairs
        else None
    )
    return FormedPair((first_person_key, second_person_key), place)


def _iter_opposite_pairs(
    unpaired_people_by_key: Mapping[int, PresentPerson],
) -> Iterator[tuple[int, int]]:
    person_keys_by_chair = {
        person.chair: person.person_key
        for person in unpaired_people_by_key.values()
        if person.chair is not None
    }
    for chair, person_key in list(person_keys_by_chair.items()):
        if (
            chair.seat_number < chair.opposite.seat_number
            and chair.opposite in person_keys_by_chair
        ):
            yield person_key, person_keys_by_chair[chair.opposite]


def _iter_booked_pairs(
    unpaired_people_by_key: Mapping[int, PresentPerson],
) -> Iterator[tuple[int, int]]:
    for person in list(unpaired_people_by_key.values()):
        partner_key = person.partner_key
        if (
            partner_key is not None
            and partner_key != person.person_key
            and person.person_key in unpaired_people_by_key
            and partner_key in unpaired_people_by_key
        ):
            yield person.person_key, partner_key


def _iter_neighbour_pairs(
    unpaired_people_by_key: Mapping[int, PresentPerson],
) -> Iterator[tuple[int, int]]:
    person_keys_by_table: dict[int, list[int]] = defaultdict(list)
    for person in unpaired_people_by_key.values():
        if person.chair is not None:
            person_keys_by_table[person.chair.table_number].append(person.person_key)
    for person_keys in person_keys_by_table.values():
        yield from zip(person_keys[::2], person_keys[1::2], strict=False)


def _iter_remaining_pairs(
    unpaired_people_by_key: Mapping[int, PresentPerson],
) -> Iterator[tuple[int, int]]:
    person_keys_with_chair = [
        person.person_key
        for person in unpaired_people_by_key.values()
        if person.chair is not None
    ]
    person_keys_without_chair = [
        person.person_key for person in unpaired_people_by_key.values() if person.chair is None
    ]
    yield from zip(person_keys_with_chair, person_keys_without_chair, strict=False)
    surplus_person_keys = [
        *person_keys_with_chair[len(person_keys_without_chair) :],
        *person_keys_without_chair[len(person_keys_with_chair) :],
    ]
    yield from zip(surplus_person_keys[::2], surplus_person_keys[1::2], strict=False)


KeyT = TypeVar("KeyT", bound=Hashable)


def assign_places(
    wanted_places_by_key: Mapping[KeyT, TablePosition | None],
    offered_places: Sequence[TablePosition | None],
    allowed_places_by_key: Mapping[KeyT, Collection[TablePosition | None]] | None = None,
) -> dict[KeyT, TablePosition | None]:
    """Assign an offered place to each key so that as few keys as possible have to move.

    Each key gets the wanted place if it is offered, else another place at the same table. The
    other keys get the free places in the order of `offered_places`, with None (no table) last.
    A key in `allowed_places_by_key` gets one of its allowed places, before all other keys.
    Raises ValueError if there are more or fewer keys than places, if two keys want the same
    place, or if no allowed place is left.
    """
    wanted_places = [place for place in wanted_places_by_key.values() if place is not None]
    if len(wanted_places_by_key) != len(offered_places):
        raise ValueError(f"{len(offered_places)} places for {len(wanted_places_by_key)}")
    if len(wanted_places) != len(set(wanted_places)):
        raise ValueError("Two want the same place.")
    free_places = sorted(offered_places, key=lambda place: place is None)
    places_by_key: dict[KeyT, TablePosition | None] = {}
    for key, possible_places in (allowed_places_by_key or {}).items():
        places_by_key[key] = _take_allowed_place(
            free_places, wanted_places_by_key[key], possible_places, wanted_places
        )
    for find_index in (_find_wanted_place_index, _find_same_table_index, _find_first_index):
        for key in [key for key in wanted_places_by_key if key not in places_by_key]:
            place_index = find_index(free_places, wanted_places_by_key[key])
            if place_index is not None:
                places_by_key[key] = free_places.pop(place_index)
    return places_by_key


def _find_wanted_place_index(
    free_places: Sequence[TablePosition | None], wanted_place: TablePosition | None
) -> int | None:
    return (
        free_places.index(wanted_place)
        if wanted_place is not None and wanted_place in free_places
        else None
    )


def _find_same_table_index(
    free_places: Sequence[TablePosition | None], wanted_place: TablePosition | None
) -> int | None:
    table_numbers = [place.table_number if place is not None else 0 for place in free_places]
    return (
        table_numbers.index(wanted_place.table_number)
        if wanted_place is not None and wanted_place.table_number in table_numbers
        else None
    )


def _find_first_index(
    free_places: Sequence[TablePosition | None], _wanted_place: TablePosition | None
) -> int:
    assert free_places
    return 0


def _take_allowed_place(
    free_places: list[TablePosition | None],
    wanted_place: TablePosition | None,
    allowed_places: Collection[TablePosition | None],
    wanted_places: Collection[TablePosition],
) -> TablePosition | None:
    """Remove the best allowed place from the free places, and return it.

    The best place is the wanted one, else one at the same table, else one that no key wants.
    """
    allowed_free_places = [
        candidate for candidate in free_places if candidate in allowed_places
    ]
    if not allowed_free_places:
        raise ValueError("No allowed place is left.")
    table_number = wanted_place.table_number if wanted_place is not None else 0
    best_place = min(
        allowed_free_places,
        key=lambda candidate: (
            candidate != wanted_place,
            candidate is None or candidate.table_number != table_number,
            candidate in wanted_places,
        ),
    )
    free_places.remove(best_place)
    return best_place


def must_change_seat(
    chair: Chair | None, place: TablePosition | None, used_places: Collection[TablePosition]
) -> bool:
    """Return whether a person has to leave a chair to sit at a place in round 1.

    A person who sits out (`place` is None) may stay, unless the chair is one of the
    `used_places`.
    """
    if chair is None:
        return False
    chair_places = {
        TablePosition(chair.table_number, str(chair.seat_number)),
        TablePosition(chair.table_number, SIDE_BY_SEAT[chair.seat_number]),
    }
    return (
        not chair_places.isdisjoint(used_places) if place is None else place not in chair_places
    )
