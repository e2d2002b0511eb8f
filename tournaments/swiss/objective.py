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


COST_LEVEL_COUNT = len(CostLevel)


@dataclass(frozen=True, slots=True)
class PricedMatch:
    """A match with the cheaper of the two assignments of sides, and its cost."""

    ns: EntryId
    ew: EntryId
    costs: Costs


def build_priced_match(draw_field: DrawField, entry: Entry, other_entry: Entry) -> PricedMatch:
    """Return the match of two entries with the cheaper choice of sides; a lot breaks ties."""
    lot_number = _draw_lot(draw_field.seed, entry.id, other_entry.id)
    first_entry, second_entry = sorted(
        (entry, other_entry), key=lambda either_entry: get_id_sort_key(either_entry.id)
    )
    if lot_number & 1:
        first_entry, second_entry = second_entry, first_entry
    side_orders = [(first_entry, second_entry), (second_entry, first_entry)]
    return min(
        (
            PricedMatch(ns.id, ew.id, _compute_costs(draw_field, ns, ew, lot_number))
            for ns, ew in side_orders
        ),
        key=lambda match: match.costs,
    )


def compute_sit_out_costs(draw_field: DrawField, entry: Entry) -> Costs:
    """Return the cost of an entry's sit-out."""
    lot_number = _hash_text(f"{draw_field.seed}|{entry.id}")
    score_above_lowest = (
        0
        if draw_field.method is DrawMethod.RANDOM
        else entry.cents - draw_field.lowest_score_hundredths
    )
    return (
        0,
        draw_field.sit_out_count_by_entry[entry.id],
        0,
        0,
        score_above_lowest,
        0,
        0,
        0,
        lot_number,
    )


def sum_squared_side_balances(draw_field: DrawField) -> int:
    """Return the sum over entries of the squared balance (N-S rounds minus E-W rounds)."""
    return sum(
        draw_field.side_balance_by_entry[entry.id] ** 2 for entry in draw_field.present_entries
    )


def _compute_costs(draw_field: DrawField, ns: Entry, ew: Entry, lot_number: int) -> Costs:
    pairing = frozenset((ns.id, ew.id))
    ns_balance, ew_balance = (
        draw_field.side_balance_by_entry[ns.id],
        draw_field.side_balance_by_entry[ew.id],
    )
    return (
        0
        if draw_field.method is DrawMethod.DANISH
        else len(draw_field.rounds_by_pairing.get(pairing, ())),
        0,
        int(pairing in draw_field.separated_pairings),
        int(ew.seat is SeatPreference.STAYS),
        0,
        _compute_distance(draw_field, ns, ew),
        int(ew.seat is SeatPreference.NORTH_SOUTH),
        2 * (ns_balance - ew_balance) + 2,  # the increase of the sum of both squared balances
        lot_number,
    )


def _compute_distance(draw_field: DrawField, entry: Entry, other_entry: Entry) -> int:
    """Return the squared distance of two entries, which depends on the method.

    It is between their scores in hundredths (Swiss), or between their ranks (Danish, Monrad).
    """
    if draw_field.method is DrawMethod.RANDOM:
        return 0
    if draw_field.method is DrawMethod.SWISS:
        return (
            draw_field.score_hundredths_by_entry[entry.id]
            - draw_field.score_hundredths_by_entry[other_entry.id]
        ) ** 2
    ranks_by_entry_id = {entry: index for index, entry in enumerate(_sort_by_rank(draw_field))}
    return (ranks_by_entry_id[entry.id] - ranks_by_entry_id[other_entry.id]) ** 2


def _sort_by_rank(draw_field: DrawField) -> tuple[EntryId, ...]:
    """Return all entries in the order of the ranking; a lot orders equal ranks."""
    if "ranking" not in draw_field.__dict__:
        ranked_ids = sorted(
            (entry.id for entry in draw_field.present_entries),
            key=lambda id_: (
                draw_field.rank_by_entry[id_],
                _hash_text(f"{draw_field.seed}|{id_}"),
                get_id_sort_key(id_),
            ),
        )
        draw_field.__dict__["ranking"] = tuple(ranked_ids)
    ranking: tuple[EntryId, ...] = draw_field.__dict__["ranking"]
    return ranking


def _draw_lot(seed: str, first_id: EntryId, second_id: EntryId) -> int:
    smaller_id, larger_id = sorted((first_id, second_id), key=get_id_sort_key)
    return _hash_text(f"{seed}|{smaller_id}|{larger_id}")


def _hash_text(hash_input: str) -> int:
    return int.from_bytes(sha256(hash_input.encode()).digest()[:2], "big")
