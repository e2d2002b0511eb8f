"""A round from the standing: places 1 to 4 at table 1, partners first and last of each four.

Nobody has a partner twice while that can be avoided: then the four part otherwise, and if need
be a player lower down comes up.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from drives.draw.chance import Chance
from drives.draw.company import Company, Drawn, Player, Seats
from drives.draw.resting import who_rests

REACH = 7
"""How far down the standing a table may look for its other three."""

MOST_LOOKS = 20_000

Pair = frozenset[Player]
Permits = Callable[[Player, Player], bool]


def draw_standing(
    company: Company, standing: Sequence[Player], secret: bytes, *, played: Sequence[Drawn] = ()
) -> Drawn:
    """Draw the next round from the places so far, the best first.

    Whoever the standing does not name comes after those it names. Rests as in every draw.
    """
    ranks = {player: place for place, player in enumerate(standing)}
    chance = Chance(secret, "standing", len(played) + 1)
    names = company.players
    rested = [sum(name in drawn.rest for drawn in played) for name in names]
    ledger = [company.ledger.get(name, 0) for name in names]
    resting = {names[k] for k in who_rests(company.resting, rested, ledger, chance)}
    order = sorted(
        [*(name for name in names if name not in resting), *company.filling],
        key=lambda name: ranks.get(name, len(ranks)),
    )
    met = {pair for drawn in played for table in drawn.tables for pair in partners(table)}
    met |= company.apart
    tables = _tables(order, lambda one, other: frozenset((one, other)) not in met)
    return Drawn(tuple(tables), tuple(name for name in names if name in resting))


def partners(table: Seats) -> tuple[Pair, Pair]:
    """The two partnerships of a table."""
    one, two, three, four = table
    return frozenset((one, three)), frozenset((two, four))


def _tables(order: Sequence[Player], permits: Permits) -> list[Seats]:
    """Fill tables from the top without partners met before; else with as few as may be."""
    looks = [MOST_LOOKS]
    found = _filled(tuple(order), permits, looks)
    if found is not None:
        return found
    return [_ways(order[at : at + 4], permits)[0] for at in range(0, len(order), 4)]


def _filled(
    order: tuple[Player, ...], permits: Permits, looks: list[int]
) -> list[Seats] | None:
    """Fill one table after another, and go back where the rest cannot be filled."""
    tables: list[Seats] = []
    waiting: list[Iterator[tuple[Seats, tuple[Player, ...]]]] = [_choices(order, permits)]
    while waiting and looks[0]:
        looks[0] -= 1
        chosen = next(waiting[-1], None)
        if chosen is None:
            waiting.pop()
            tables = tables[: len(waiting) - 1] if waiting else []
            continue
        table, left = chosen
        tables = [*tables[: len(waiting) - 1], table]
        if not left:
            return tables
        waiting.append(_choices(left, permits))
    return None


def _choices(
    order: tuple[Player, ...], permits: Permits
) -> Iterator[tuple[Seats, tuple[Player, ...]]]:
    """Each four that the first may sit with and each way they may part, the nearest first."""
    first = order[0]
    for others in combinations(range(1, min(len(order), 1 + REACH)), 3):
        four = [first, *(order[place] for place in others)]
        left = tuple(p for place, p in enumerate(order) if place and place not in others)
        for table in _ways(four, permits):
            if all(permits(*pair) for pair in partners(table)):
                yield table, left


def _ways(four: Sequence[Player], permits: Permits) -> list[Seats]:
    """The three ways in which four part, those with fewest partners met before first."""
    one, two, three, four_ = four
    ways: list[Seats] = [
        (one, two, four_, three),
        (one, two, three, four_),
        (one, three, two, four_),
    ]
    return sorted(ways, key=lambda way: sum(not permits(*pair) for pair in partners(way)))
