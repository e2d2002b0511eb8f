"""The draw of a round: one exact objective, and so the same list from the same field."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.swiss import reasons
from tournaments.swiss.field import Field, Id, Odd, Seat, order
from tournaments.swiss.matching import Edge, cheapest
from tournaments.swiss.objective import (
    LEVELS,
    SIDES,
    Costs,
    Priced,
    priced,
    priced_sit_out,
    sides_before,
)

LOWEST = 9  # among which the three of a three-way match are chosen: 84 triples
Weighed = tuple[dict[Edge, Priced], dict[int, Costs]]


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match: North-South or at home first, and why these two."""

    table: int
    ns: Id
    ew: Id
    reason: str


@dataclass(frozen=True, slots=True)
class Draw:
    """The matches of a round by table, who sits out or plays three-way, and what it cost."""

    pairings: tuple[Pairing, ...]
    sit_out: tuple[Id, ...]
    three_way: tuple[Id, ...]
    objective: Costs
    sit_out_reason: str = ""


def draw(field: Field) -> Draw:
    """Draw the next round of a field of two or more.

    The levels of the objective are digits of one number, each with a radix above the largest
    sum that can come; a perfect matching that is cheapest by it is the cheapest by the levels
    in their order. Source: worked out here; brute force agrees in the tests.
    """
    entries = field.present
    is_odd = len(entries) % 2 == 1
    has_three = is_odd and field.odd is Odd.THREE_WAY and len(entries) >= 3
    couples = {
        (one, other): priced(field, entries[one], entries[other])
        for one, other in combinations(range(len(entries)), 2)
    }
    sitting: dict[int, Costs] = {}
    if is_odd and not has_three:
        sitting = {place: priced_sit_out(field, each) for place, each in enumerate(entries)}
    if has_three:
        chosen, triple = _with_three(field, couples)
    else:
        chosen, triple = _matched(len(entries), couples, sitting), ()
    met = [couples[edge] for edge in chosen if edge in couples]
    out = [one for one, other in chosen if (one, other) not in couples]
    of_three = [couples[edge] for edge in combinations(triple, 2)]
    costs = [each.costs for each in (*met, *of_three)] + [sitting[place] for place in out]
    tables = _tables(field, met)
    why = reasons.Reasons(field, [(each.ns, each.ew) for each in met])
    return Draw(
        pairings=tuple(
            Pairing(number, each.ns, each.ew, why.of(each.ns, each.ew))
            for number, each in tables
        ),
        sit_out=tuple(entries[place].id for place in out),
        three_way=tuple(entries[place].id for place in triple),
        objective=_objective(field, costs),
        sit_out_reason=why.of_sit_out(entries[out[0]].id) if out else "",
    )


def _objective(field: Field, costs: Sequence[Costs]) -> Costs:
    """What a draw costs on each level; who sat where in the rounds before counts too."""
    levels = [sum(each[level] for each in costs) for level in range(LEVELS)]
    levels[SIDES] += sides_before(field)
    return tuple(levels)


def _matched(
    size: int,
    couples: dict[Edge, Priced],
    sitting: dict[int, Costs],
    left: tuple[int, ...] = (),
) -> list[Edge]:
    """The cheapest matching of those not left out; who sits out is matched with nobody."""
    nodes = [place for place in range(size) if place not in left]
    at = {place: number for number, place in enumerate(nodes)}
    costs: dict[Edge, Costs] = {
        edge: each.costs for edge, each in couples.items() if edge[0] in at and edge[1] in at
    }
    costs |= {(place, size): each for place, each in sitting.items()}
    at[size] = len(nodes)
    numbers = _as_numbers(costs, (len(nodes) + 1) // 2)
    found = cheapest(
        len(nodes) + bool(sitting), {(at[a], at[b]): n for (a, b), n in numbers.items()}
    )
    back = {number: place for place, number in at.items()}
    return [(back[one], back[other]) for one, other in found]


def _as_numbers(costs: dict[Edge, Costs], matches: int) -> dict[Edge, int]:
    """Write the levels as the digits of one number, the first the highest."""
    numbers = dict.fromkeys(costs, 0)
    for level in range(LEVELS):
        values = [each[level] for each in costs.values()]
        least, most = min(values, default=0), max(values, default=0)
        radix = matches * (most - least) + 1
        for edge, each in costs.items():
            numbers[edge] = numbers[edge] * radix + each[level] - least
    return numbers


def _with_three(
    field: Field, couples: dict[Edge, Priced]
) -> tuple[list[Edge], tuple[int, ...]]:
    """Choose three of the lowest who play each other, so that all matches cost least."""
    entries = field.present
    lowest = sorted(
        range(len(entries)), key=lambda place: (entries[place].cents, order(entries[place].id))
    )[:LOWEST]
    best: tuple[list[int], list[Edge], tuple[int, ...]] | None = None
    for triple in combinations(sorted(lowest), 3):
        rest = _matched(len(entries), couples, {}, triple)
        every = [couples[edge].costs for edge in (*rest, *combinations(triple, 2))]
        total = [sum(each[level] for each in every) for level in range(LEVELS)]
        if best is None or total < best[0]:
            best = (total, rest, triple)
    assert best is not None
    return best[1], best[2]


def _tables(field: Field, met: list[Priced]) -> list[tuple[int, Priced]]:
    """Give the tables: who must stay keeps the last one, the others by the ranking."""
    kept: dict[int, Priced] = {}
    seats = {entry.id: entry.seat for entry in field.present}
    for each in met:
        table = _last_table(field, each.ns) if seats[each.ns] is Seat.STAYS else None
        if table is not None and table not in kept:
            kept[table] = each
    others = sorted(
        (each for each in met if each not in kept.values()),
        key=lambda each: (
            sorted((field.ranks[each.ns], field.ranks[each.ew])),
            min(order(each.ns), order(each.ew)),
        ),
    )
    free = iter(number for number in range(1, len(met) + len(kept) + 1) if number not in kept)
    return sorted(
        [*kept.items(), *((next(free), each) for each in others)], key=lambda each: each[0]
    )


def _last_table(field: Field, id_: Id) -> int | None:
    for round_ in reversed(field.history):
        for pairing in round_.pairings:
            if id_ in (pairing.ns, pairing.ew):
                return pairing.table
    return None
