"""Recount plans from the definitions, without the program's own arithmetic.

p is how often two players were partners, o how often opponents; P and O are the sums of
p(p-1)/2 and o(o-1)/2 over all pairs. b(x, m) = m·q(q-1)/2 + r·q with q, r = divmod(x, m).
"""

from collections import Counter
from itertools import combinations
from math import ceil


def count_meetings(schedule):
    """Return counters of partners and of opponents, by pairs of players."""
    partners, opponents = Counter(), Counter()
    for tables, _rest in schedule:
        for seats in tables:
            for first_seat, second_seat in combinations(range(4), 2):
                pair = frozenset((seats[first_seat], seats[second_seat]))
                (partners if second_seat - first_seat == 2 else opponents)[pair] += 1
    return partners, opponents


def count_coincidences(counter):
    return sum(n * (n - 1) // 2 for n in counter.values())


def compute_bound(x, m):
    q, r = divmod(x, m)
    return m * q * (q - 1) // 2 + r * q


def compute_bounds(schedule, players):
    """Return the bounds of P and O by the formula, without house players."""
    player_count, sittings = len(players), sum(len(tables) for tables, _rest in schedule)
    seat_counts = Counter(p for tables, _rest in schedule for seats in tables for p in seats)
    round_counts = [seat_counts[p] for p in players]
    pairs = player_count * (player_count - 1) // 2
    return tuple(
        max(
            compute_bound(2 * meetings_per_player * sittings, pairs),
            ceil(
                sum(
                    compute_bound(meetings_per_player * g, player_count - 1)
                    for g in round_counts
                )
                / 2
            ),
        )
        for meetings_per_player in (1, 2)
    )


def find_faults(schedule, players, house=()):
    """Return faults of rounds: a player missing, twice seated, or sitting out out of turn."""
    faults, rests = [], Counter(dict.fromkeys(players, 0))
    for number, (tables, rest) in enumerate(schedule, start=1):
        seats = [p for seats in tables for p in seats] + list(rest)
        if sorted(p for p in seats if p not in house) != sorted(players):
            faults.append(f"round {number}: not everybody once")
        if len({p for p in seats if p in house}) != sum(p in house for p in seats):
            faults.append(f"round {number}: a house player twice")
        rests.update(rest)
        if max(rests.values()) - min(rests.values()) > 1:
            faults.append(f"round {number}: rests differ by more than one")
    return faults
