"""Search Howells of 2q + 2 pairs in two halves, perfectly balanced, for a prime power q.

Run by hand: python -m bench.search_howell_halves PAIRS [--seed 1]
One cycle of all the moving pairs cannot be perfect for 40, 52 or 56 pairs. Two cycles of q can:
the pairs are a(0) … a(q-1), b(0) … b(q-1), a moving pair Q and the sitting pair P; the board
groups are c(0) …, d(0) … and a single e; the rounds are two halves of q and a last one.
1. Sides: circulants of quadratic characters with a border are a Hadamard matrix (R. E. A. C.
   Paley, On Orthogonal Matrices, 1933), so any two pairs sit the same way equally often.
2. Who meets whom: on c(0) and on d(0) the N-S pairs are put beside the E-W pairs so that every
   difference comes once in all, but for one of a to b, which group e takes; by annealing swaps.
3. Rounds: every meeting on c(0) and d(0) gets a half and a step, so that each half has every
   pair once and no group twice; one meeting of a and b is left to the last round. An exact
   cover by depth-first search, the item with fewest choices first.
Prints the halves in the form that howell_halves.py keeps, with their comparisons and the time.
"""

import argparse
import math
import random
import time
from collections import Counter
from itertools import combinations

from tournaments.movements.systems.fields import Field

STEPS = 8000
NODES = 400

Pair = int | None  # a(x) is x, b(x) is q + x, Q is 2q and P is None
Row = tuple[Pair, Pair, int]  # North-South, East-West, board group: c(x), d(x) and e likewise
Class = tuple[str, int]


class Halves:
    """The pairs and groups of one prime power, and how they are added and told apart."""

    def __init__(self, q: int) -> None:
        self.q = q
        self.field = Field.of(q)
        minus, squares = self.field.minus, self.field.squares
        self.less = [[minus(x, y) for y in range(q)] for x in range(q)]
        self.pairs: list[Pair] = [*range(2 * q + 1), None]
        same = q % 4 == 3
        self.one = [1 if x == 0 or x in squares else -1 for x in range(q)]
        self.other = [sign if same or x == 0 else -sign for x, sign in enumerate(self.one)]

    def sign(self, pair: Pair, group: int) -> int:
        """+1 if the pair sits N-S on group c(0) (0), d(0) (q) or e (2q), else -1."""
        q, first = self.q, group == 0
        if pair is None:
            return 1
        if pair == 2 * q:
            return 1 if first else -1
        x = pair % q
        if group == 2 * q:
            return 1 if pair < q else -1
        if pair < q:
            return -(self.one if first else self.other)[self.less[0][x]]
        return -self.other[x] if first else self.one[x]

    def move(self, element: int | None, step: int) -> int | None:
        """Take a step off a pair or group that moves."""
        if element is None or element == 2 * self.q:
            return element
        part, x = divmod(element, self.q)
        return part * self.q + self.less[x][step]

    def kind(self, one: Pair, other: Pair) -> Class:
        """The class of two pairs: all its members come from one of them by adding."""
        names = sorted((self.name(one), self.name(other)))
        if "P" in names or "Q" in names:
            return "".join(names), 0
        assert one is not None
        assert other is not None
        x, y = (pair % self.q for pair in sorted((one, other)))
        step = self.less[y][x]
        if names == ["a", "b"]:
            return "ab", step
        return "".join(names), min(step, self.less[0][step])

    def name(self, pair: Pair) -> str:
        """The letter of a pair."""
        return "P" if pair is None else "abQ"[pair // self.q]


def columns(halves: Halves, chance: random.Random) -> tuple[list[Row], int] | None:
    """The meetings on c(0) and d(0), and the difference left to e, or nothing."""
    q = halves.q
    sides = []
    for group in (0, q):
        north = [pair for pair in halves.pairs if halves.sign(pair, group) > 0]
        east = [pair for pair in halves.pairs if halves.sign(pair, group) < 0]
        chance.shuffle(east)
        sides.append((north, east))
    counts = Counter(halves.kind(*each) for side in sides for each in zip(*side, strict=True))
    wanted = {halves.kind(*each) for each in combinations(halves.pairs, 2)} - {("PQ", 0)}
    spoilt = sum(cost(each, counts[each]) for each in wanted | {("PQ", 0)})
    steps = STEPS * q
    for step in range(steps):
        heat = 0.8 * (0.12 / 0.8) ** (step / steps)
        north, east = chance.choice(sides)
        i, j = chance.sample(range(q + 1), 2)
        gone = [halves.kind(north[i], east[i]), halves.kind(north[j], east[j])]
        come = [halves.kind(north[i], east[j]), halves.kind(north[j], east[i])]
        dearer = swapped(counts, gone, come)
        if dearer > 0 and chance.random() >= math.exp(-dearer / heat):
            swapped(counts, come, gone)
            continue
        east[i], east[j] = east[j], east[i]
        spoilt += dearer
        missing = [each for each in wanted if not counts[each]] if spoilt == 1 else []
        if len(missing) == 1 and missing[0][0] == "ab":
            found = zip(sides, (0, q), strict=True)
            return [
                (ns, ew, group) for side, group in found for ns, ew in zip(*side, strict=True)
            ], missing[0][1]
    return None


def cost(kind: Class, times: int) -> int:
    """What it costs that a class comes so many times: P and Q meet on e, not here."""
    return 4 * times if kind == ("PQ", 0) else (times - 1) ** 2


def swapped(counts: Counter[Class], gone: list[Class], come: list[Class]) -> int:
    """Change the counts of classes and say by how much their cost grows."""
    kinds = {*gone, *come}
    before = sum(cost(kind, counts[kind]) for kind in kinds)
    counts.subtract(gone)
    counts.update(come)
    return sum(cost(kind, counts[kind]) for kind in kinds) - before


def rounds(halves: Halves, found: list[Row], left: int, chance: random.Random) -> list[Row]:
    """The rows of both halves and of the last round, in that order, or none."""
    q = halves.q
    mixed = [row for row in found if {halves.name(row[0]), halves.name(row[1])} == {"a", "b"}]
    last = chance.choice(mixed)
    single: Row = (0, q + halves.less[left][0], 2 * q)
    placed = [row for row in [*found, single] if row is not last]
    place = {pair: number for number, pair in enumerate(halves.pairs)}
    seats, tables = len(place), 2 * len(place) + len(placed)
    options = []
    for number, row in enumerate(placed):
        for half in (0, 1):
            for step in range(q):
                ns, ew, group = (halves.move(each, step) for each in row)
                assert group is not None
                mask = 1 << half * seats + place[ns] | 1 << half * seats + place[ew]
                mask |= 1 << 2 * seats + number
                mask |= 1 << tables + half * (2 * q + 1) + group
                options.append((mask, half, (ns, ew, group)))
    chosen = covered(options, (1 << tables) - 1, chance)
    return [row for _, row in sorted(chosen, key=lambda each: each[0])] + [last] * bool(chosen)


def covered(
    options: list[tuple[int, int, Row]], items: int, chance: random.Random
) -> list[tuple[int, Row]]:
    """An exact cover of the items, nothing else twice; empty if none was found soon."""
    nodes = iter(range(NODES))
    chosen: list[tuple[int, Row]] = []

    def solve(live: list[tuple[int, int, Row]], open_items: list[int]) -> bool:
        if not open_items:
            return True
        if next(nodes, None) is None:
            return False
        choices = Counter(item for item in open_items for each in live if each[0] & item)
        tightest = min(open_items, key=lambda item: choices[item])
        fitting = [each for each in live if each[0] & tightest]
        for mask, half, row in chance.sample(fitting, len(fitting)):
            chosen.append((half, row))
            rest = [each for each in live if not each[0] & mask]
            if solve(rest, [item for item in open_items if not item & mask]):
                return True
            chosen.pop()
        return False

    solve(options, [1 << bit for bit in range(items.bit_length())])
    return chosen


def comparisons(halves: Halves, rows: list[Row]) -> Counter[int]:
    """Recount from the written-out movement: how often any two pairs sit the same way."""
    q = halves.q
    side: dict[tuple[Pair, int | None], int] = {(None, 2 * q): 1, (2 * q, 2 * q): -1}
    for step in range(q):
        for row in rows:
            ns, ew, group = (halves.move(each, step) for each in row)
            side[ns, group], side[ew, group] = 1, -1
    return Counter(
        sum(side[one, group] == side[other, group] for group in range(2 * q + 1))
        for one, other in combinations(halves.pairs, 2)
    )


def written(halves: Halves, rows: list[Row]) -> list[str]:
    """The first half, the second and the last round; the sitting pair's table first."""
    q = halves.q
    parts = [rows[: q + 1], rows[q + 1 : -1], rows[-1:]]
    return [
        " ".join(
            f"{'P' if ns is None else ns}-{ew}:{group}"
            for ns, ew, group in sorted(part, key=lambda row: (row[0] is not None, row[2]))
        )
        for part in parts
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    start, chance = time.perf_counter(), random.Random(given.seed)
    halves = Halves(given.pairs // 2 - 1)
    found: list[Row] = []
    while not found:
        meetings = columns(halves, chance)
        found = rounds(halves, *meetings, chance) if meetings else []
    counts = comparisons(halves, found)
    spread = ", ".join(f"{count}: {counts[count]}" for count in sorted(counts))
    print(f"{given.pairs} pairs in {time.perf_counter() - start:.1f} s, same way {spread}")
    for part in written(halves, found):
        print(f'  "{part}"')
