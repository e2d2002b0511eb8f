"""Search whist tournaments: individuals who partner everyone once and oppose everyone twice.

Run by hand: python bench/search_whist.py PLAYERS [--seconds 60] [--seed 1] [--share]
    [--multiplier 7]
Everything is counted modulo m, and each round adds one to players and board groups:
- 4n players: m = 4n - 1, and one player (x) never moves;
- 4n + 1: m = 4n + 1, one sits out each round;
- 4n + 2: m = 4n + 2, two sit out, and nobody ever meets the player m / 2 away.
A player b at a table with board group g holds the relative group w = g - b; differences of w
are differences of players, so who meets whom is settled first, the boards after it.
1. Partners: pairs of w with each difference once, by hill climbing: a missing difference takes
   two elements, and a pair that is broken for it puts its own difference back.
2. Tables: the pairs two by two so that the four differences between them come twice each in
   all; depth-first, the pair or difference with fewest choices first.
   With --multiplier h, for 4n + 2 players, steps 1 and 2 take whole orbits of tables under
   w -> h * w, and tables of elements that h leaves in place: found at once for 58 (h = 7),
   where h has an odd order and the two who sit out are left in place.
3. Boards: a group for each table so that the players g - w are all different and the groups
   too (with --share tables may have the same group); depth-first.
4. Sides: which pair sits N-S at each table, by climbing on how evenly any two players sit the
   same way.
Prints the blocks in the form that boards/whist/whist_designs.py keeps, with the least and most
comparisons.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

Element = int | None  # None is the player who never moves
Pair = tuple[Element, Element]
Table = tuple[Pair, Pair]
PATIENCE = {"partners": 20_000, "tables": 3_000, "boards": 20_000}


def partners(m: int, players: int, chance: random.Random) -> list[Pair] | None:
    """Pairs of elements with each difference below m / 2 once; whoever is left sits out."""
    mate: dict[int, int] = {}
    missing = list(range(1, (m + 1) // 2))
    for _ in range(PATIENCE["partners"]):
        if not missing:
            break
        at = chance.randrange(len(missing))
        a = chance.randrange(m)
        b = (a + missing[at]) % m
        taken = [each for each in (a, b) if each in mate]
        if len(taken) > 1:
            continue
        missing[at] = missing[-1]
        missing.pop()
        for each in taken:
            old = mate.pop(each)
            del mate[old]
            missing.append(distance(each, old, m))
        mate[a], mate[b] = b, a
    if missing:
        return None
    pairs: list[Pair] = [(a, b) for a, b in mate.items() if a < b]
    left = set(range(m)) - set(mate)
    return pairs + [(each, None) for each in left if m < players]


def tables(m: int, pairs: list[Pair], chance: random.Random) -> list[Table] | None:
    """Join the pairs two by two so that every difference between opponents comes twice."""
    options = joinable(m, pairs)
    nodes = iter(range(PATIENCE["tables"]))
    chosen: list[tuple[int, int]] = []

    def join(left: list[tuple[int, int]], free: set[int], needs: Counter[int]) -> bool:
        if not free or next(nodes, None) is None:
            return not free
        branch = tightest(left, options, free, needs)
        chance.shuffle(branch)
        for option in branch:
            rest = needs - options[option]
            others = (each for each in left if not set(each) & set(option))
            chosen.append(option)
            fitting = [each for each in others if options[each] <= rest]
            if join(fitting, free - set(option), rest):
                return True
            chosen.pop()
        return False

    needs = Counter(dict.fromkeys(range(1, (m + 1) // 2), 2))
    found = join(list(options), set(range(len(pairs))), needs)
    return [(pairs[i], pairs[j]) for i, j in chosen] if found else None


def by_multiplier(m: int, h: int, chance: random.Random) -> list[Table] | None:
    """Tables that are orbits of h, drawn at random; None if they do not fit."""
    orbits = {min(orbit): orbit for w in range(m) if (orbit := orbit_of(w, m, h))}
    fixed = [w for w, orbit in orbits.items() if len(orbit) == 1]
    moved = [chance.choice(orbit) for w, orbit in orbits.items() if len(orbit) > 1]
    chance.shuffle(fixed)
    chance.shuffle(moved)
    if len(moved) % 4 or len(fixed) % 4 != 2:
        return None
    found = [((a, b), (c, d)) for a, b, c, d in fours(fixed[2:])]
    for a, b, c, d in fours(moved):
        for y in orbit_of(1, m, h):
            found.append(((a * y % m, b * y % m), (c * y % m, d * y % m)))
    wanted = range(1, m // 2)
    mates = Counter(distance(*pair, m) for table in found for pair in table)
    if mates != Counter(wanted):
        return None
    against = Counter[int]()
    for table in found:
        against += opposed(table, m)
    return list(found) if against == Counter([*wanted, *wanted]) else None


def fours(elements: list[int]) -> Iterator[list[int]]:
    """The elements in fours, as they come."""
    for first in range(0, len(elements), 4):
        yield elements[first : first + 4]


def orbit_of(w: int, m: int, h: int) -> list[int]:
    """Everything that w becomes by multiplying with h."""
    found = [w]
    while (after := found[-1] * h % m) != w:
        found.append(after)
    return found


def joinable(m: int, pairs: list[Pair]) -> dict[tuple[int, int], Counter[int]]:
    """The pairs that may share a table, with the differences between opponents there."""
    counted = {
        (i, j): opposed((pairs[i], pairs[j]), m) for i, j in combinations(range(len(pairs)), 2)
    }
    return {
        key: counts
        for key, counts in counted.items()
        if max(counts.values()) <= 2 and (m % 2 or m // 2 not in counts)
    }


def tightest(
    left: list[tuple[int, int]],
    options: dict[tuple[int, int], Counter[int]],
    free: set[int],
    needs: Counter[int],
) -> list[tuple[int, int]]:
    """The options of the pair or the difference that has fewest; none where one has too few."""
    of_pair: dict[int, list[tuple[int, int]]] = {each: [] for each in free}
    of_difference: dict[int, list[tuple[int, int]]] = {each: [] for each in needs}
    reach: Counter[int] = Counter()
    for option in left:
        reach.update(options[option])
        for each in option:
            of_pair[each].append(option)
        for each in options[option]:
            of_difference[each].append(option)
    if any(reach[each] < needs[each] for each in needs):
        return []
    return min([*of_pair.values(), *of_difference.values()], key=len)


def boards(
    m: int, joined: list[Table], idle: bool, share: bool, chance: random.Random, h: int = 1
) -> list[tuple[Table, int]] | None:
    """Give each table a board group so that no player sits twice, or give up.

    With a multiplier h the tables of an orbit, which follow each other, have groups that do.
    """
    nodes = iter(range(PATIENCE["boards"]))
    chosen: list[tuple[list[Table], int]] = []
    options = [
        [
            (orbit, g, mask)
            for g in groups(orbit[0], m, chance)
            if (mask := taken_up(orbit, g, m, share, h))
        ]
        for orbit in orbits_of(joined, m, h)
    ]

    def place(left: list[list[tuple[list[Table], int, int]]], taken: int) -> bool:
        if next(nodes, None) is None:
            return False
        fitting = [[each for each in table if not each[2] & taken] for table in left]
        if not fitting:
            return True
        fewest = min(fitting, key=len)
        rest = [table for table in fitting if table is not fewest]
        for table, g, mask in fewest:
            chosen.append((table, g))
            if place(rest, taken | mask):
                return True
            chosen.pop()
        return False

    if not place(options, int(idle)):
        return None
    return [
        (table, g * pow(h, step, m) % m)
        for orbit, g in chosen
        for step, table in enumerate(orbit)
    ]


def orbits_of(joined: list[Table], m: int, h: int) -> list[list[Table]]:
    """The tables in orbits of h."""
    found: list[list[Table]] = []
    for table in joined:
        if found and h != 1 and table == times(found[-1][-1], m, h):
            found[-1].append(table)
        else:
            found.append([table])
    return found


def times(table: Table, m: int, h: int) -> Table:
    """A table multiplied by h, which nobody does to the player who never moves."""
    (a, b), (c, d) = table
    a, b, c, d = (None if w is None else w * h % m for w in (a, b, c, d))
    return (a, b), (c, d)


def taken_up(orbit: list[Table], g: int, m: int, share: bool, h: int) -> int:
    """The players and groups of an orbit's tables, as bits; 0 if one would be there twice."""
    taken = 0
    for step, table in enumerate(orbit):
        mask = seats(table, g * pow(h, step, m) % m, m, share)
        if taken & mask:
            return 0
        taken |= mask
    return taken


def groups(table: Table, m: int, chance: random.Random) -> list[int]:
    """The groups that a table may have: 0 for the player who never moves."""
    fixed = any(None in pair for pair in table)
    return [0] if fixed else chance.sample(range(m), m)


def seats(table: Table, group: int, m: int, share: bool) -> int:
    """The players and the group that a table takes up, as bits."""
    players = sum(1 << (group - w) % m for pair in table for w in pair if w is not None)
    return players if share else players | 1 << m + group


def opposed(table: Table, m: int) -> Counter[int]:
    """How often each difference stands between opponents at a table."""
    one, other = table
    return Counter(
        distance(a, b, m) for a in one for b in other if a is not None and b is not None
    )


def sided(m: int, placed: list[tuple[Table, int]], chance: random.Random) -> list[int]:
    """Which pair of each table sits N-S (+1 the first), climbing from many starts."""
    best: tuple[int, list[int]] | None = None
    for _ in range(60):
        signs = [chance.choice((1, -1)) for _ in placed]
        cost = unevenness(m, placed, signs)
        for _ in range(20 * len(signs)):
            at = chance.randrange(len(signs))
            signs[at] *= -1
            dearer = unevenness(m, placed, signs)
            if dearer <= cost:
                cost = dearer
            else:
                signs[at] *= -1
        if best is None or cost < best[0]:
            best = cost, signs
    assert best
    return best[1]


def unevenness(m: int, placed: list[tuple[Table, int]], signs: list[int]) -> int:
    """The fourth powers of how much more often players a difference apart sit the same way."""
    north = south = 0
    for (table, _), sign in zip(placed, signs, strict=True):
        for pair, side in zip(table, (sign, -sign), strict=True):
            for w in pair:
                if w is not None and side > 0:
                    north |= 1 << w
                elif w is not None:
                    south |= 1 << w
    full = (1 << m) - 1
    cost = 0
    for d in range(1, (m + 1) // 2):
        same = (
            turned(north, d, m, full) & north | turned(south, d, m, full) & south
        ).bit_count()
        other = (
            turned(north, d, m, full) & south | turned(south, d, m, full) & north
        ).bit_count()
        cost += (same - other + 1) ** 4
    return cost


def turned(bits: int, by: int, m: int, full: int) -> int:
    """Bits moved up round the end."""
    return (bits << by | bits >> m - by) & full


def comparisons(m: int, blocks: list[tuple[list[Element], int]]) -> Counter[int]:
    """Recount from the written-out rounds: how often two players sit the same way elsewhere."""
    side: dict[Element, dict[int, tuple[int, int]]] = {None: {}, **{a: {} for a in range(m)}}
    for step in range(m):
        for number, (four, group) in enumerate(blocks):
            for seat, player in enumerate(four):
                moved = None if player is None else (player + step) % m
                side[moved][(group + step) % m] = seat % 2, m * number + step
    held = [found for found in side.values() if found]
    return Counter(
        sum(
            mine[g][0] == theirs[g][0] and mine[g][1] != theirs[g][1]
            for g in mine.keys() & theirs.keys()
        )
        for mine, theirs in combinations(held, 2)
    )


def search(
    players: int, seconds: float, share: bool, multiplier: int, chance: random.Random
) -> Iterator[list[tuple[list[Element], int]]]:
    """Find tournaments until the time is over; each is blocks N, E, S, W and board group."""
    spare = players % 4
    m = players if spare else players - 1
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        if multiplier:
            joined = by_multiplier(m, multiplier, chance)
        else:
            pairs = partners(m, players, chance)
            joined = tables(m, pairs, chance) if pairs else None
        placed = joined and boards(m, joined, spare > 0, share, chance, multiplier or 1)
        if placed:
            yield blocks(m, placed, sided(m, placed, chance))


def blocks(
    m: int, placed: list[tuple[Table, int]], signs: list[int]
) -> list[tuple[list[Element], int]]:
    """Turn relative groups into players, the player who never moves at the first table."""
    found = []
    for (table, group), sign in zip(placed, signs, strict=True):
        (north, south), (east, west) = table if sign > 0 else table[::-1]
        four = [None if w is None else (group - w) % m for w in (north, east, south, west)]
        found.append((four, group))
    return sorted(found, key=lambda block: None not in block[0])


def distance(a: int, b: int, m: int) -> int:
    """The difference of two elements whichever way round."""
    return min((a - b) % m, (b - a) % m)


def written(found: list[tuple[list[Element], int]]) -> str:
    """Blocks as boards/whist/whist_designs.py keeps them."""
    return ", ".join(
        " ".join("x" if each is None else str(each) for each in four) + f":{group}"
        for four, group in found
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", type=int)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", action="store_true")
    parser.add_argument("--multiplier", type=int, default=0)
    given = parser.parse_args()
    start = time.perf_counter()
    best: tuple[int, ...] | None = None
    modulus = given.players - (given.players % 4 == 0)
    chance = random.Random(given.seed)
    found = search(given.players, given.seconds, given.share, given.multiplier, chance)
    for each in found:
        counts = comparisons(modulus, each)
        value = max(counts) - min(counts), sum(n * c**2 for c, n in counts.items())
        if best is None or value < best:
            best = value
            spread = ", ".join(f"{count}: {counts[count]}" for count in sorted(counts))
            spent = time.perf_counter() - start
            print(f"{given.players} players in {spent:.1f} s, same way {spread}")
            print(f"  {written(each)}", flush=True)
