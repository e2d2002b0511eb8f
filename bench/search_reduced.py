"""Search reduced Howells: fewer rounds, some pairs who sit, and arrows turned for balance.

Run by hand: python bench/search_reduced.py TABLES ROUNDS [--seconds 60] [--seed 1]
With t tables and r rounds, 2t - r pairs sit and each has a moving pair opposite; the other
r - t tables have two moving pairs. The moving pairs and the board groups step on by one each
round, so round 1 is enough. It needs
- different distances between two moving pairs at a table (so nobody meets twice),
- different board groups (so no two tables share), and
- different distances from each moving pair to its board group (so each plays every group).
Such a starter is found by depth-first search. Then the arrow is turned or not at each table in
each round, by annealing on the fourth powers of what two pairs sit the same way more often than
the opposite way (their "excess"). What is found is printed in the form that reduced_starters.py
keeps, whenever it is better: smaller spread of comparisons, then smaller sum of fourth powers.
"""

import argparse
import math
import random
import time
from collections.abc import Iterator
from itertools import combinations

Row = tuple[int, int, int]  # one pair, the other pair, board group, from 0
Marks = frozenset[tuple[str, int]]  # what may be used once only
Play = tuple[int, int, int]  # one row in one round
Square = list[list[int]]
STEPS_A_PLAY = 1500
PATIENCE = 5000


def starter(tables: int, rounds: int, chance: random.Random) -> list[Row]:
    """Round 1 with the sitting pairs last, or fewer rows when patience runs out."""
    rows: list[Row] = []
    patience = iter(range(PATIENCE))

    def seat(free: frozenset[int], taken: Marks) -> bool:
        if len(rows) == tables or next(patience, None) is None:
            return len(rows) == tables
        options = list(choices(len(rows), tables, rounds, free, taken))
        chance.shuffle(options)
        for row, used in options:
            rows.append(row)
            if seat(free - set(row[:2]), taken | used):
                return True
            rows.pop()
        return False

    seat(frozenset(range(rounds)), frozenset())
    sitting = [row for row in rows if row[0] >= rounds]
    return sorted(set(rows) - set(sitting), key=lambda row: row[2]) + sorted(sitting)


def choices(
    seated: int, tables: int, rounds: int, free: frozenset[int], taken: Marks
) -> Iterator[tuple[Row, Marks]]:
    """The rows that may come next, the sitting pairs first, each with what it uses up."""
    one = rounds + seated if rounds + seated < 2 * tables else min(free)
    for other in free - {one}:
        for group in range(rounds):
            used = marks(one, other, group, rounds)
            if used and not used & taken:
                yield (one, other, group), used


def marks(one: int, other: int, group: int, rounds: int) -> Marks:
    """A row's group, its distances to it and between its pairs; nothing if the row is vain."""
    used = {("group", group), ("play", (group - other) % rounds)}
    if one >= rounds:
        return frozenset(used)
    distance = min((one - other) % rounds, (other - one) % rounds)
    used |= {("meet", distance), ("play", (group - one) % rounds)}
    return frozenset(used if 2 * distance != rounds else ())


def developed(rows: list[Row], rounds: int) -> list[Play]:
    """Every meeting of the movement, round by round."""

    def moved(place: int, step: int) -> int:
        return place if place >= rounds else (place + step) % rounds

    return [
        (moved(one, step), moved(other, step), (group + step) % rounds)
        for step in range(rounds)
        for one, other, group in rows
    ]


def unturned(plays: list[Play], pairs: int, groups: int) -> tuple[Square, Square]:
    """The side of each pair on each group (+1 N-S, -1 E-W) and the excess of any two pairs."""
    side = [[0] * groups for _ in range(pairs)]
    for one, other, group in plays:
        side[one][group], side[other][group] = 1, -1
    excess = [
        [sum(x * y for x, y in zip(mine, theirs, strict=True)) for theirs in side]
        for mine in side
    ]
    for one, other, _ in plays:
        excess[one][other] += 1
        excess[other][one] += 1
    return side, excess


def anneal(
    plays: list[Play], side: Square, excess: Square, chance: random.Random
) -> tuple[Square, Square]:
    """Turn single arrows while the heat falls from 60 to 0.5."""
    steps = STEPS_A_PLAY * len(plays)
    for step in range(steps):
        heat = 60 * (0.5 / 60) ** (step / steps)
        one, other, group = chance.choice(plays)
        changes = []
        dearer = 0
        for third, mine in enumerate(side):
            if third in (one, other):
                continue
            more = 2 * side[one][group] * mine[group]
            for each, change in ((one, -more), (other, more)):
                changes.append((each, third, change))
                dearer += (excess[each][third] + change) ** 4 - excess[each][third] ** 4
        if dearer <= 0 or chance.random() < math.exp(-dearer / heat):
            side[one][group] *= -1
            side[other][group] *= -1
            for a, b, change in changes:
                excess[a][b] += change
                excess[b][a] += change
    return side, excess


def comparisons(plays: list[Play], excess: Square, groups: int) -> list[int]:
    """On how many groups any two pairs sit the same way."""
    met = {frozenset(play[:2]) for play in plays}
    return [
        (groups - (frozenset((a, b)) in met) + excess[a][b]) // 2
        for a, b in combinations(range(len(excess)), 2)
    ]


def arrows(plays: list[Play], side: Square, tables: int) -> str:
    """The arrows turned in each round, one bit a table, as hexadecimal numbers."""
    bits = [side[one][group] < 0 for one, _, group in plays]
    rounds = [bits[at : at + tables] for at in range(0, len(bits), tables)]
    return " ".join(f"{sum(bit << at for at, bit in enumerate(each)):x}" for each in rounds)


def search(tables: int, rounds: int, seconds: float, chance: random.Random) -> None:
    """Print each schedule that is better than those before it."""
    begun = time.perf_counter()
    best: tuple[int, int] | None = None
    tried = 0
    while time.perf_counter() - begun < seconds:
        rows = starter(tables, rounds, chance)
        if len(rows) < tables:
            continue
        tried += 1
        plays = developed(rows, rounds)
        side, excess = anneal(plays, *unturned(plays, 2 * tables, rounds), chance)
        counts = comparisons(plays, excess, rounds)
        fourths = sum(excess[a][b] ** 4 for a, b in combinations(range(2 * tables), 2))
        found = max(counts) - min(counts), fourths
        if best is None or found < best:
            best = found
            spent = time.perf_counter() - begun
            print(f"{tables}x{rounds}: {min(counts)}-{max(counts)}, fourth powers {fourths},")
            print(f"  after {tried} starters and {spent:.1f} s")
            print("  " + " ".join(f"{one}-{other}:{group}" for one, other, group in rows))
            print("  " + arrows(plays, side, tables), flush=True)
    print(f"{tables}x{rounds}: {tried} starters in {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", type=int)
    parser.add_argument("rounds", type=int)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    search(given.tables, given.rounds, given.seconds, random.Random(given.seed))
