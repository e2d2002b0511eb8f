"""The cost of a match in a draw, as a list of levels.

A level only matters if all levels before it are equal.
"""

from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256

from tournaments.swiss.field import (
    DrawField,
    DrawMethod,
    Entry,
    EntryId,
    SeatPreference,
    get_id_sort_key,
)

Costs = tuple[int, ...]
"""The cost of a match or a sit-out on each level, the most important level first."""


class CostLevel(IntEnum):
    """The levels of the cost, the most important first."""

    EARLIER_MEETINGS = 0  # the earlier meetings of the two entries
    EARLIER_SIT_OUTS = 1  # the earlier sit-outs of the entry that sits out
    AVOIDED_MATCH = 2  # whether the two entries should be kept apart
    STATIONARY_CONFLICT = 3  # whether both entries must keep their seats
    SIT_OUT_SCORE = 4  # the difference between the sit-out's score and the lowest score
    SCORES = 5  # the squared difference of the scores or ranks
    SIDE_WISHES = 6  # whether the East-West entry prefers North-South
    SIDE_BALANCE = 7  # the imbalance of North-South and East-West over all rounds
    LOT = 8  # a random number that breaks ties


LEVEL_COUNT = len(CostLevel)


@dataclass(frozen=True, slots=True)
class PricedMatch:
    """A match with the cheaper of the two assignments of sides, and its cost."""

    ns: EntryId
    ew: EntryId
    costs: Costs


def build_priced_match(field: DrawField, entry: Entry, other_entry: Entry) -> PricedMatch:
    """Return the match of two entries with the cheaper choice of sides; a lot breaks ties."""
    lot_bits = _draw_lot(field.seed, entry.id, other_entry.id)
    first_entry, second_entry = sorted(
        (entry, other_entry), key=lambda either_entry: get_id_sort_key(either_entry.id)
    )
    if lot_bits & 1:
        first_entry, second_entry = second_entry, first_entry
    side_orders = [(first_entry, second_entry), (second_entry, first_entry)]
    return min(
        (
            PricedMatch(ns.id, ew.id, _compute_costs(field, ns, ew, lot_bits))
            for ns, ew in side_orders
        ),
        key=lambda match: match.costs,
    )


def price_sit_out(field: DrawField, entry: Entry) -> Costs:
    """Return the cost of an entry's sit-out."""
    lot_bits = _hash_bits(f"{field.seed}|{entry.id}")
    score_above_lowest = (
        0 if field.method is DrawMethod.RANDOM else entry.cents - field.lowest_score_hundredths
    )
    return (0, field.sit_out_counts[entry.id], 0, 0, score_above_lowest, 0, 0, 0, lot_bits)


def sum_squared_side_balances(field: DrawField) -> int:
    """Return the sum over entries of the squared balance (N-S rounds minus E-W rounds)."""
    return sum(field.side_balances[entry.id] ** 2 for entry in field.present_entries)


def _compute_costs(field: DrawField, ns: Entry, ew: Entry, lot_bits: int) -> Costs:
    pairing = frozenset((ns.id, ew.id))
    ns_balance, ew_balance = field.side_balances[ns.id], field.side_balances[ew.id]
    return (
        0
        if field.method is DrawMethod.DANISH
        else len(field.rounds_by_pairing.get(pairing, ())),
        0,
        int(pairing in field.apart),
        int(ew.seat is SeatPreference.STAYS),
        0,
        _compute_distance(field, ns, ew),
        int(ew.seat is SeatPreference.NORTH_SOUTH),
        2 * (ns_balance - ew_balance) + 2,  # the increase of the sum of both squared balances
        lot_bits,
    )


def _compute_distance(field: DrawField, entry: Entry, other_entry: Entry) -> int:
    """Return the squared distance of two entries, which depends on the method.

    It is between their scores in hundredths (Swiss), or between their ranks (Danish, Monrad).
    """
    if field.method is DrawMethod.RANDOM:
        return 0
    if field.method is DrawMethod.SWISS:
        return (field.cents[entry.id] - field.cents[other_entry.id]) ** 2
    ranks_by_entry = {entry: index for index, entry in enumerate(_sort_by_rank(field))}
    return (ranks_by_entry[entry.id] - ranks_by_entry[other_entry.id]) ** 2


def _sort_by_rank(field: DrawField) -> tuple[EntryId, ...]:
    """Return all entries in the order of the ranking; a lot orders equal ranks."""
    if "ranking" not in field.__dict__:
        ids = sorted(
            (entry.id for entry in field.present_entries),
            key=lambda id_: (
                field.ranks[id_],
                _hash_bits(f"{field.seed}|{id_}"),
                get_id_sort_key(id_),
            ),
        )
        field.__dict__["ranking"] = tuple(ids)
    ranking: tuple[EntryId, ...] = field.__dict__["ranking"]
    return ranking


def _draw_lot(seed: str, first_id: EntryId, second_id: EntryId) -> int:
    smaller_id, larger_id = sorted((first_id, second_id), key=get_id_sort_key)
    return _hash_bits(f"{seed}|{smaller_id}|{larger_id}")


def _hash_bits(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:2], "big")
