"""The cost of a couple in a draw, as a list of levels. A level only matters if all levels
before it are equal.
"""

from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256

from tournaments.swiss.field import (
    DrawField,
    DrawMethod,
    Entry,
    Id,
    SeatPreference,
    id_sort_key,
)

Costs = tuple[int, ...]
"""The cost of a couple or a sit-out on each level, the most important level first."""


class Level(IntEnum):
    """The levels of the cost, the most important first."""

    MET = 0
    SAT_OUT = 1
    APART = 2
    STAYS = 3
    LOWEST_OUT = 4  # the sit-out's score above the lowest
    SCORES = 5
    WISHES = 6
    SIDES = 7
    LOT = 8


LEVEL_COUNT = len(Level)


@dataclass(frozen=True, slots=True)
class PricedCouple:
    """Two entries on the cheaper of the two assignments of sides, with the cost."""

    ns: Id
    ew: Id
    costs: Costs


def price_couple(field: DrawField, one: Entry, other: Entry) -> PricedCouple:
    """Return a couple with the cheaper choice of sides, and its cost; a random draw breaks
    ties.
    """
    lot_bits = _draw_lot(field.seed, one.id, other.id)
    first, second = sorted((one, other), key=lambda entry: id_sort_key(entry.id))
    if lot_bits & 1:
        first, second = second, first
    side_orders = [(first, second), (second, first)]
    return min(
        (
            PricedCouple(ns.id, ew.id, _compute_costs(field, ns, ew, lot_bits))
            for ns, ew in side_orders
        ),
        key=lambda couple: couple.costs,
    )


def price_sit_out(field: DrawField, entry: Entry) -> Costs:
    """Return the cost of an entry's sit-out."""
    lot_bits = _hash_bits(f"{field.seed}|{entry.id}")
    above = 0 if field.method is DrawMethod.RANDOM else entry.cents - field.lowest
    return (0, field.sat_out[entry.id], 0, 0, above, 0, 0, 0, lot_bits)


def sum_earlier_sides(field: DrawField) -> int:
    """Return the cost of the sides in earlier rounds: the sum of the squared differences."""
    return sum(field.sides[entry.id] ** 2 for entry in field.present)


def _compute_costs(field: DrawField, ns: Entry, ew: Entry, lot_bits: int) -> Costs:
    couple = frozenset((ns.id, ew.id))
    before_ns, before_ew = field.sides[ns.id], field.sides[ew.id]
    return (
        0 if field.method is DrawMethod.DANISH else len(field.met.get(couple, ())),
        0,
        int(couple in field.apart),
        int(ew.seat is SeatPreference.STAYS),
        0,
        _compute_distance(field, ns, ew),
        int(ew.seat is SeatPreference.NORTH_SOUTH),
        2 * (before_ns - before_ew) + 2,  # the increase of the squares of both sides
        lot_bits,
    )


def _compute_distance(field: DrawField, entry: Entry, other: Entry) -> int:
    """Return the squared difference of two entries, in hundredths of the score or in ranks."""
    if field.method is DrawMethod.RANDOM:
        return 0
    if field.method is DrawMethod.SWISS:
        return (field.cents[entry.id] - field.cents[other.id]) ** 2
    places = {entry: place for place, entry in enumerate(_rank_entries(field))}
    return (places[entry.id] - places[other.id]) ** 2


def _rank_entries(field: DrawField) -> tuple[Id, ...]:
    """Return all entries in the order of the ranking; a lot orders equal ranks."""
    if "ranking" not in field.__dict__:
        ids = sorted(
            (entry.id for entry in field.present),
            key=lambda id_: (
                field.ranks[id_],
                _hash_bits(f"{field.seed}|{id_}"),
                id_sort_key(id_),
            ),
        )
        field.__dict__["ranking"] = tuple(ids)
    ranking: tuple[Id, ...] = field.__dict__["ranking"]
    return ranking


def _draw_lot(seed: str, one: Id, other: Id) -> int:
    smaller, larger = sorted((one, other), key=id_sort_key)
    return _hash_bits(f"{seed}|{smaller}|{larger}")


def _hash_bits(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:2], "big")
