"""The exact draw of a Swiss round; the same input always gives the same draw."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from tournaments.swiss import reasons
from tournaments.swiss.field import DrawField, Id, SeatPreference, id_sort_key
from tournaments.swiss.matching import Edge
from tournaments.swiss.objective import Costs, Level, PricedCouple, sum_earlier_sides
from tournaments.swiss.round_choice import RoundChoice


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match at a table, and the reason for it; `ns` is the home team in an event of teams."""

    table: int
    ns: Id
    ew: Id
    reason: str


@dataclass(frozen=True, slots=True)
class Draw:
    """The drawn round: its matches by table, its sit-outs or three-way match, and its cost."""

    pairings: tuple[Pairing, ...]
    sit_out: tuple[Id, ...]
    three_way: tuple[Id, ...]
    objective: Costs
    sit_out_reason: str = ""


def draw_round(field: DrawField) -> Draw:
    """Draw the next round for two or more entries.

    Source: derived here; the tests compare the draws with brute force.
    """
    choice, entries = RoundChoice(field), field.present
    edges, triple = choice.best_with_three() if choice.has_three else (choice.best(), ())
    couples = [choice.couples[edge] for edge in edges if edge in choice.couples]
    sit_outs = [one for one, other in edges if other == choice.size]
    tables = _assign_tables(field, couples)
    reasons_for = reasons.DrawReasons(field, [(couple.ns, couple.ew) for couple in couples])
    return Draw(
        pairings=tuple(
            Pairing(number, couple.ns, couple.ew, reasons_for.of(couple.ns, couple.ew))
            for number, couple in tables
        ),
        sit_out=tuple(entries[place].id for place in sit_outs),
        three_way=tuple(entries[place].id for place in triple),
        objective=_sum_objective(choice, (*edges, *combinations(triple, 2))),
        sit_out_reason=reasons_for.of_sit_out(entries[sit_outs[0]].id) if sit_outs else "",
    )


def _sum_objective(choice: RoundChoice, edges: Iterable[Edge]) -> Costs:
    """Return the cost of a draw on each level, including the sides of earlier rounds."""
    levels = list(choice.costs_of(edges))
    levels[Level.SIDES] += sum_earlier_sides(choice.field)
    return tuple(levels)


def _assign_tables(
    field: DrawField, couples: list[PricedCouple]
) -> list[tuple[int, PricedCouple]]:
    """Assign tables: stationary entries stay at their last one, others follow the ranking."""
    couple_by_table: dict[int, PricedCouple] = {}
    seats = {entry.id: entry.seat for entry in field.present}
    for couple in couples:
        table = (
            _find_last_table(field, couple.ns)
            if seats[couple.ns] is SeatPreference.STAYS
            else None
        )
        if table is not None and table not in couple_by_table:
            couple_by_table[table] = couple
    other_couples = sorted(
        (couple for couple in couples if couple not in couple_by_table.values()),
        key=lambda couple: (
            sorted((field.ranks[couple.ns], field.ranks[couple.ew])),
            min(id_sort_key(couple.ns), id_sort_key(couple.ew)),
        ),
    )
    free_tables = iter(
        number
        for number in range(1, len(couples) + len(couple_by_table) + 1)
        if number not in couple_by_table
    )
    return sorted(
        [*couple_by_table.items(), *((next(free_tables), couple) for couple in other_couples)],
        key=lambda couple: couple[0],
    )


def _find_last_table(field: DrawField, id_: Id) -> int | None:
    for round_ in reversed(field.history):
        for pairing in round_.pairings:
            if id_ in (pairing.ns, pairing.ew):
                return pairing.table
    return None
