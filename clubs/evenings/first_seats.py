"""The pairs that people form at the tables, and first-round places that move the fewest people.

This module has no database queries. People are identified by a key of the caller.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

SEATS = (1, 2, 3, 4)
"""The seats of a table, clockwise from North; 1 and 3 are partners, and 2 and 4."""
NORTH_SOUTH, EAST_WEST = "NS", "EW"
SIDE_BY_SEAT = {1: NORTH_SOUTH, 2: EAST_WEST, 3: NORTH_SOUTH, 4: EAST_WEST}
MAX_TABLES = 500
"""The largest table number at which people can check in."""


class Chair(NamedTuple):
    """One seat of a table."""

    table: int
    seat: int

    @property
    def opposite(self) -> "Chair":
        """The partner's chair."""
        return Chair(self.table, (self.seat + 1) % 4 + 1)


class Place(NamedTuple):
    """A table and the position of one entry there: a side of a pair, or a player's seat."""

    table: int
    position: str


@dataclass(frozen=True, slots=True)
class PresentPerson:
    """A person present, with their chair and the partner of their booking."""

    key: int
    chair: Chair | None = None
    partner: int | None = None


@dataclass(frozen=True, slots=True)
class FormedPair:
    """Two partners; `place` is the side where at least one of them sits, or None."""

    people: tuple[int, int]
    place: Place | None


@dataclass(frozen=True, slots=True)
class FormedPairs:
    """All pairs, by table, and the person without a partner if the number is odd.

    `introduced` are the pairs whose two people neither sit opposite each other nor booked
    together.
    """

    pairs: tuple[FormedPair, ...]
    without_partner: int | None = None
    introduced: tuple[FormedPair, ...] = ()


def form_pairs(people: Iterable[PresentPerson]) -> FormedPairs:
    """Form pairs so that the fewest people move.

    People who sit opposite each other are partners. Of the others first those who booked
    together are paired, then two of one table, then a person with a chair and one without,
    and then the rest in the order of their chairs.
    """
    unpaired = {person.key: person for person in sorted(people, key=_sort_key)}
    pairs = [_join(unpaired, one, other) for one, other in _iter_opposite(unpaired)]
    pairs += [_join(unpaired, one, other) for one, other in _iter_booked(unpaired)]
    settled = len(pairs)
    pairs += [_join(unpaired, one, other) for one, other in _iter_neighbours(unpaired)]
    pairs += [_join(unpaired, one, other) for one, other in _iter_strangers(unpaired)]
    introduced = tuple(pairs[settled:])
    return FormedPairs(
        pairs=tuple(
            sorted(
                pairs, key=lambda formed_pair: formed_pair.place or Place(MAX_TABLES + 1, "")
            )
        ),
        without_partner=next(iter(unpaired), None),
        introduced=introduced,
    )


def _sort_key(person: PresentPerson) -> tuple[Chair, int]:
    return person.chair or Chair(MAX_TABLES + 1, 0), person.key


def _join(unpaired: dict[int, PresentPerson], one: int, other: int) -> FormedPair:
    """Remove two people from those without a partner, and return their pair."""
    two = unpaired.pop(one), unpaired.pop(other)
    chairs = [person.chair for person in two if person.chair is not None]
    place = Place(chairs[0].table, SIDE_BY_SEAT[chairs[0].seat]) if chairs else None
    return FormedPair((one, other), place)


def _iter_opposite(unpaired: Mapping[int, PresentPerson]) -> Iterator[tuple[int, int]]:
    seated = {
        person.chair: person.key for person in unpaired.values() if person.chair is not None
    }
    for chair, key in list(seated.items()):
        if chair.seat < chair.opposite.seat and chair.opposite in seated:
            yield key, seated[chair.opposite]


def _iter_booked(unpaired: Mapping[int, PresentPerson]) -> Iterator[tuple[int, int]]:
    for person in list(unpaired.values()):
        partner = person.partner
        if (
            partner is not None
            and partner != person.key
            and person.key in unpaired
            and partner in unpaired
        ):
            yield person.key, partner


def _iter_neighbours(unpaired: Mapping[int, PresentPerson]) -> Iterator[tuple[int, int]]:
    tables: dict[int, list[int]] = defaultdict(list)
    for person in unpaired.values():
        if person.chair is not None:
            tables[person.chair.table].append(person.key)
    for keys in tables.values():
        yield from zip(keys[::2], keys[1::2], strict=False)


def _iter_strangers(unpaired: Mapping[int, PresentPerson]) -> Iterator[tuple[int, int]]:
    seated = [person.key for person in unpaired.values() if person.chair is not None]
    without_chair = [person.key for person in unpaired.values() if person.chair is None]
    yield from zip(seated, without_chair, strict=False)
    surplus = [*seated[len(without_chair) :], *without_chair[len(seated) :]]
    yield from zip(surplus[::2], surplus[1::2], strict=False)


Key = TypeVar("Key", bound=Hashable)


def keep_places(
    wanted_places: Mapping[Key, Place | None],
    offered: Sequence[Place | None],
    allowed: Mapping[Key, Collection[Place | None]] | None = None,
) -> dict[Key, Place | None]:
    """Assign an offered place to each key so that the fewest have to move.

    Each key gets its wanted place if it is offered, else another place at that table, else
    the next free place in the order of `offered`, with None (no table) last. `allowed` limits
    the places of some keys, which are served first. Raises ValueError if the numbers differ,
    if two keys want the same place, or if no allowed place is left.
    """
    requests = [place for place in wanted_places.values() if place is not None]
    if len(wanted_places) != len(offered):
        raise ValueError(f"{len(offered)} places for {len(wanted_places)}")
    if len(requests) != len(set(requests)):
        raise ValueError("Two want the same place.")
    free = sorted(offered, key=lambda place: place is None)
    places_by_key: dict[Key, Place | None] = {}
    for key, places in (allowed or {}).items():
        places_by_key[key] = _take_allowed(free, wanted_places[key], places, requests)
    for find in (_find_same, _find_near, _find_first):
        for key in [key for key in wanted_places if key not in places_by_key]:
            index = find(free, wanted_places[key])
            if index is not None:
                places_by_key[key] = free.pop(index)
    return places_by_key


def _find_same(free: Sequence[Place | None], wanted_place: Place | None) -> int | None:
    return (
        free.index(wanted_place) if wanted_place is not None and wanted_place in free else None
    )


def _find_near(free: Sequence[Place | None], wanted_place: Place | None) -> int | None:
    tables = [place.table if place is not None else 0 for place in free]
    return (
        tables.index(wanted_place.table)
        if wanted_place is not None and wanted_place.table in tables
        else None
    )


def _find_first(free: Sequence[Place | None], _wanted: Place | None) -> int:
    assert free
    return 0


def _take_allowed(
    free: list[Place | None],
    place: Place | None,
    allowed: Collection[Place | None],
    wanted_places: Collection[Place],
) -> Place | None:
    """Take the best allowed place: the wanted one, one of its table, one that no one wants."""
    allowed_places = [other_place for other_place in free if other_place in allowed]
    if not allowed_places:
        raise ValueError("No allowed place is left.")
    table = place.table if place is not None else 0
    best = min(
        allowed_places,
        key=lambda other_place: (
            other_place != place,
            other_place is None or other_place.table != table,
            other_place in wanted_places,
        ),
    )
    free.remove(best)
    return best


def must_move(chair: Chair | None, place: Place | None, used: Collection[Place]) -> bool:
    """Return whether a person has to leave a chair to sit at a place in round 1.

    A person who sits out (`place` is None) may stay, unless the chair is one of the `used`
    places.
    """
    if chair is None:
        return False
    own_places = {
        Place(chair.table, str(chair.seat)),
        Place(chair.table, SIDE_BY_SEAT[chair.seat]),
    }
    return not own_places.isdisjoint(used) if place is None else place not in own_places
