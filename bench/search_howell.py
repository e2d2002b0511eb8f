"""Search starters of full Howells, with the sides chosen for balance before anything else.

Run by hand: python bench/search_howell.py PAIRS [--seconds 60] [--seed 1]
For n pairs everything is counted modulo m = n - 1: the moving pairs 0 … m-1, the sitting pair
and the board groups; each round adds one. A pair b at a table with board group g holds its
relative group w = g - b, and over the session every pair holds every w once.
1. Sides: u(w) is +1 if a pair sits N-S on its relative group w, else -1. Two moving pairs d
   apart sit the same way less often than the opposite way by the autocorrelation of u at d
   (with their own meeting, worth -1). So u is chosen first: squares and others for a prime m,
   the product rule for twin primes, a shift register for 2**k - 1, else hill climbing on orbits
   of a multiplier of order two.
2. Who meets whom: N-S elements in one column, E-W elements in the other, put side by side so
   that each difference comes once; by annealing swaps.
3. Boards: a group g for every row, so that the pairs g - w are all different, and the groups
   too; an exact cover by depth-first search, pairs with fewest choices first.
Prints the starter in the form that howell_starters.py keeps, with its comparisons and the time.
"""

import argparse
import math
import random
import time
from collections import Counter
from collections.abc import Iterator

Row = tuple[int | None, int]  # relative groups N-S and E-W; None is the sitting pair
Seated = tuple[int | None, int, int]  # pairs N-S and E-W, board group
CLIMBS = 4000
SWAPS_A_TABLE = 4000
NODES = 20_000
KNOWN = {
    39: 0x7A6AF58C81,
    51: 0x1803E635ABA79,
    55: 0x1FBC88A1721E69,
    57: 0x1363D15F0212E76,
}
"""The flattest signs found by longer climbs, one bit a relative group, the lowest first."""


def sides(m: int, chance: random.Random) -> list[int]:
    """A sequence of m signs whose autocorrelations are as even as known."""
    if is_prime(m):
        return [1 if w == 0 or pow(w, m // 2, m) == 1 else -1 for w in range(m)]
    root = math.isqrt(m + 1)
    if root * root == m + 1 and is_prime(root - 1) and is_prime(root + 1):
        return twin_primes(root - 1, root + 1)
    if m & (m + 1) == 0:
        return shift_register(m)
    return signs_of(KNOWN[m], m) if m in KNOWN else climbed(m, chance)


def twin_primes(p: int, q: int) -> list[int]:
    """Perfect signs modulo p*q where q = p + 2."""

    def sign(w: int) -> int:
        if w % q == 0:
            return 1
        if w % p == 0:
            return -1
        return legendre(w, p) * legendre(w, q)

    return [sign(w) for w in range(p * q)]


def shift_register(m: int) -> list[int]:
    """Perfect signs of length 2**k - 1: the longest cycle of a register with taps."""
    bits = m.bit_length()
    for taps in range(1, m + 1, 2):
        state, found = 1, []
        for _ in range(m):
            found.append(1 if state & 1 else -1)
            state = state >> 1 | (bin(state & taps).count("1") & 1) << bits - 1
            if state == 1:
                break
        if len(found) == m:
            return found
    raise ValueError(f"No register has a cycle of {m}.")


def climbed(m: int, chance: random.Random, climbs: int = 40) -> list[int]:
    """Signs by hill climbing on orbits of {1, h}, h*h = 1: the flattest of many climbs."""
    multipliers = [h for h in range(1, m) if h * h % m == 1]
    found = [climb(m, chance.choice(multipliers), chance) for _ in range(climbs)]
    return min(found, key=lambda u: roughness(bits_of(u), m))


def climb(m: int, multiplier: int, chance: random.Random) -> list[int]:
    """Turn whole orbits of signs as long as that makes their autocorrelations no rougher."""
    orbits = [1 << w | 1 << w * multiplier % m for w in range(m) if w <= w * multiplier % m]
    bits = 0
    for orbit in orbits:
        bits ^= chance.choice((0, orbit))
    cost = roughness(bits, m)
    for _ in range(CLIMBS):
        other = bits ^ chance.choice(orbits)
        dearer = roughness(other, m)
        if dearer <= cost:
            bits, cost = other, dearer
    return signs_of(bits, m)


def roughness(bits: int, m: int) -> int:
    """How far the sum of the signs is from 1 or -1, and their autocorrelations from -1."""
    full = (1 << m) - 1
    cost = 100 * (abs(2 * bits.bit_count() - m) - 1) ** 2
    for d in range(1, m // 2 + 1):
        turned = (bits << d | bits >> m - d) & full
        cost += (m - 2 * (bits ^ turned).bit_count() + 1) ** 4
    return cost


def signs_of(bits: int, m: int) -> list[int]:
    """Bits as signs, the lowest first."""
    return [1 if bits >> w & 1 else -1 for w in range(m)]


def bits_of(u: list[int]) -> int:
    """Signs as bits."""
    return sum(1 << w for w, sign in enumerate(u) if sign > 0)


def rows(u: list[int], chance: random.Random) -> list[Row] | None:
    """Put N-S beside E-W so that every difference comes once, or give up."""
    m = len(u)
    plus: list[int | None] = [w for w in range(m) if u[w] > 0]
    minus: list[int | None] = [w for w in range(m) if u[w] < 0]
    if abs(len(plus) - len(minus)) != 1:
        return None
    short, long = sorted((plus, minus), key=len)
    short.append(None)
    chance.shuffle(long)
    counts = Counter(distance(a, b, m) for a, b in zip(short, long, strict=True))
    steps = SWAPS_A_TABLE * len(short)
    for step in range(steps):
        heat = 0.8 * (0.12 / 0.8) ** (step / steps)
        i, j = chance.sample(range(len(short)), 2)
        gone = [distance(short[i], long[i], m), distance(short[j], long[j], m)]
        come = [distance(short[i], long[j], m), distance(short[j], long[i], m)]
        dearer = swapped(counts, gone, come)
        if dearer > 0 and chance.random() >= math.exp(-dearer / heat):
            swapped(counts, come, gone)
            continue
        long[i], long[j] = long[j], long[i]
        if all(counts[d] == 1 for d in range(1, m // 2 + 1)):
            pairs = zip(*((short, long) if short is plus else (long, short)), strict=True)
            return list(pairs)
    return None


def swapped(counts: Counter[int], gone: list[int], come: list[int]) -> int:
    """Change the counts of differences and say by how much the sum of squares grows."""
    before = sum(counts[d] ** 2 for d in {*gone, *come} - {0})
    counts.subtract(gone)
    counts.update(come)
    return sum(counts[d] ** 2 for d in {*gone, *come} - {0}) - before


def distance(a: int | None, b: int | None, m: int) -> int:
    """The difference of two relative groups whichever way round; 0 for the sitting pair."""
    if a is None or b is None:
        return 0
    return min((a - b) % m, (b - a) % m)


def boards(found: list[Row], m: int, chance: random.Random) -> list[Seated] | None:
    """Give each row its own board group so that no pair sits twice, or give up."""
    options = [
        [(row, g, cover(row, g, m)) for g in chance.sample(range(m), m)]
        for row in found
        if None not in row
    ]
    sitting = next(row for row in found if None in row)
    nodes = iter(range(NODES))
    chosen = [(sitting, 0)]

    def place(left: list[list[tuple[Row, int, int]]], taken: int) -> bool:
        if next(nodes, None) is None:
            return False
        fitting = [[each for each in row if not each[2] & taken] for row in left]
        if not fitting:
            return True
        tightest = min(fitting, key=len)
        rest = [row for row in fitting if row is not tightest]
        for row, g, mask in tightest:
            chosen.append((row, g))
            if place(rest, taken | mask):
                return True
            chosen.pop()
        return False

    if not place(options, cover(sitting, 0, m)):
        return None
    seats = [[None if w is None else (g - w) % m for w in row] for row, g in chosen]
    return [(ns, ew, g) for (ns, ew), (_, g) in zip(seats, chosen, strict=True)]


def cover(row: Row, group: int, m: int) -> int:
    """The pairs and the board group that a row takes up, as bits."""
    pairs = sum(1 << (group - w) % m for w in row if w is not None)
    return pairs | 1 << m + group


def comparisons(starter: list[Seated], m: int) -> Counter[int]:
    """Recount from the written-out movement: how often any two pairs sit the same way."""
    side: dict[int, dict[int, int]] = {pair: {} for pair in range(m + 1)}
    for step in range(m):
        for ns, ew, group in starter:
            for pair, sign in ((ns, 1), (ew, -1)):
                number = m if pair is None else (pair + step) % m
                side[number][(group + step) % m] = sign
    return Counter(
        sum(side[a][g] == side[b][g] for g in range(m)) for a in range(m + 1) for b in range(a)
    )


def search(pairs: int, seconds: float, chance: random.Random) -> Iterator[list[Seated]]:
    """Find starters until the time is over."""
    m = pairs - 1
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        found = rows(sides(m, chance), chance)
        starter = found and boards(found, m, chance)
        if starter:
            yield starter


def is_prime(number: int) -> bool:
    """Whether a number is prime."""
    return number > 1 and all(number % each for each in range(2, math.isqrt(number) + 1))


def legendre(number: int, prime: int) -> int:
    """+1 for squares, -1 for other numbers."""
    return 1 if pow(number, prime // 2, prime) == 1 else -1


def written(starter: list[Seated]) -> str:
    """A starter as howell_starters.py keeps it: the sitting pair N-S, then by board group."""
    rows = sorted(starter, key=lambda row: (None not in row, row[2]))
    if rows[0][0] is not None:
        rows = [(ew, ns, group) for ns, ew, group in rows]
    rest = " ".join(f"{ns}-{ew}:{group}" for ns, ew, group in rows[1:])
    return f"{rows[0][1]}; {rest}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=int)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    start = time.perf_counter()
    best: tuple[int, ...] | None = None
    for each in search(given.pairs, given.seconds, random.Random(given.seed)):
        counts = comparisons(each, given.pairs - 1)
        middle = given.pairs / 2 - 1
        value = (
            max(counts) - min(counts),
            sum(n * (c - middle) ** 2 for c, n in counts.items()),
        )
        if best is None or value < best:
            best = value
            spread = ", ".join(f"{count}: {counts[count]}" for count in sorted(counts))
            print(
                f"{given.pairs} pairs in {time.perf_counter() - start:.1f} s, same way {spread}"
            )
            print(f"  {written(each)}", flush=True)
