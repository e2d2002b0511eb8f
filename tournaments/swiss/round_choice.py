"""The choice of a round's matches: the cheapest ones that leave later rounds possible."""

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import combinations

from tournaments.swiss import later_rounds
from tournaments.swiss.field import DrawField, Id, OddRule, id_sort_key
from tournaments.swiss.matching import Edge, find_cheapest_matching
from tournaments.swiss.objective import (
    LEVEL_COUNT,
    Costs,
    Level,
    PricedCouple,
    price_couple,
    price_sit_out,
)

MAX_CANDIDATES_FOR_THREE = 9  # the lowest, of which three are chosen: 84 triples


class RoundChoice:
    """The possible matches of a round, with their costs.

    Entries are referred to by their indexes in `field.present`. In an odd field the next index
    is the sit-out, which makes every round a perfect matching.
    """

    def __init__(self, field: DrawField) -> None:
        self.field = field
        self.size = len(field.present)
        self.is_odd = self.size % 2 == 1
        self.has_three = self.is_odd and field.odd is OddRule.THREE_WAY and self.size >= 3

    @cached_property
    def couples(self) -> dict[Edge, PricedCouple]:
        """The sides and the cost of each possible match, by the indexes of its two entries.

        Of the two ways to seat a match, the one with the lower cost is used.
        """
        entries = self.field.present
        return {
            (one, other): price_couple(self.field, entries[one], entries[other])
            for one, other in combinations(range(self.size), 2)
        }

    @cached_property
    def sit_outs(self) -> dict[Edge, Costs]:
        """The cost of each possible sit-out."""
        if not self.is_odd or self.has_three:
            return {}
        return {
            (place, self.size): price_sit_out(self.field, entry)
            for place, entry in enumerate(self.field.present)
        }

    def costs_of(self, edges: Iterable[Edge]) -> Costs:
        """Return the cost of a round on each level, without the cost of earlier rounds."""
        all_costs = [
            self.couples[edge].costs if edge in self.couples else self.sit_outs[edge]
            for edge in edges
        ]
        return tuple(sum(cost[level] for cost in all_costs) for level in range(LEVEL_COUNT))

    def rounds_left(self, edges: Iterable[Edge], steps: list[int] | None = None) -> int:
        """Return how many of the planned later rounds remain possible without a repeat."""
        max_rounds = later_rounds.count_rounds_to_protect(self.field)
        if not max_rounds:
            return 0
        remaining_graph = later_rounds.remove_round(self._unmet, edges)
        return later_rounds.count_rounds_left(
            remaining_graph, max_rounds, steps or [later_rounds.MAX_STEPS]
        )

    def best(self, *, sitting_out: Id | None = None) -> list[Edge]:
        """Return the best round, or the best round in which `sitting_out` sits out.

        It has the fewest repeated meetings and repeated sit-outs. Of equal rounds it leaves
        the most later rounds possible, and then it has the lowest cost on the other levels.
        """
        outs = self.sit_outs
        if sitting_out is not None:
            outs = {
                edge: costs
                for edge, costs in outs.items()
                if self.field.present[edge[0]].id == sitting_out
            }
        edges = self._find_matching(outs)
        costs = self.costs_of(edges)
        if costs[Level.MET] or costs[Level.SAT_OUT]:
            return edges
        return self._with_later_rounds(edges, outs)

    def _with_later_rounds(self, edges: list[Edge], outs: dict[Edge, Costs]) -> list[Edge]:
        """Return the cheapest round without a repeat that leaves the most later rounds."""
        max_rounds = later_rounds.count_rounds_to_protect(self.field)
        if not max_rounds:
            return edges
        max_rounds = min(max_rounds, *(len(unmet) - 1 for unmet in self._unmet))
        steps = [later_rounds.MAX_STEPS]
        rounds_left = self.rounds_left(edges, steps)
        if rounds_left >= max_rounds:
            return edges
        other_rounds = [
            list(matching)
            for matching in later_rounds.iter_matchings(self._unmet)
            if not outs or any(edge in outs for edge in matching)
        ]
        for other in sorted(other_rounds, key=self.costs_of):
            if (more_rounds := self.rounds_left(other, steps)) > rounds_left:
                edges, rounds_left = other, more_rounds
            if rounds_left >= max_rounds or steps[0] <= 0:
                break
        return edges

    def best_with_three(self) -> tuple[list[Edge], tuple[int, ...]]:
        """Return the best round in which three of the lowest entries play a three-way match."""
        entries = self.field.present
        lowest = sorted(
            range(self.size),
            key=lambda place: (entries[place].cents, id_sort_key(entries[place].id)),
        )[:MAX_CANDIDATES_FOR_THREE]
        best: tuple[Costs, list[Edge], tuple[int, ...]] | None = None
        for triple in combinations(sorted(lowest), 3):
            other_edges = self._find_matching({}, triple)
            total = self.costs_of((*other_edges, *combinations(triple, 2)))
            if best is None or total < best[0]:
                best = (total, other_edges, triple)
        assert best is not None
        return best[1], best[2]

    @cached_property
    def _unmet(self) -> later_rounds.Neighbours:
        return later_rounds.build_unmet_graph(self.field)

    def _find_matching(
        self, outs: dict[Edge, Costs], excluded: Collection[int] = ()
    ) -> list[Edge]:
        """Return the cheapest matching of all entries except those in `excluded`.

        The costs on all levels are encoded as the digits of one number. The base of each digit
        is larger than the largest possible sum, which keeps the order of the levels.
        """
        nodes = [place for place in range(self.size) if place not in excluded]
        node_by_place = {place: number for number, place in enumerate([*nodes, self.size])}
        costs = {
            edge: couple.costs
            for edge, couple in self.couples.items()
            if edge[0] in node_by_place and edge[1] in node_by_place
        }
        numbers = _encode_costs(costs | outs, (len(nodes) + 1) // 2)
        matching = find_cheapest_matching(
            len(nodes) + bool(outs),
            {(node_by_place[a], node_by_place[b]): n for (a, b), n in numbers.items()},
        )
        place_by_node = {number: place for place, number in node_by_place.items()}
        return [(place_by_node[one], place_by_node[other]) for one, other in matching]


def find_first_difference(one: Sequence[int], other: Sequence[int]) -> int | None:
    """Return the first level on which two costs differ; None if they are equal."""
    return next((level for level in range(LEVEL_COUNT) if one[level] != other[level]), None)


def _encode_costs(costs: dict[Edge, Costs], matches: int) -> dict[Edge, int]:
    """Return each edge's costs as one number; the first level is the highest digit."""
    numbers = dict.fromkeys(costs, 0)
    for level in range(LEVEL_COUNT):
        values = [cost[level] for cost in costs.values()]
        lowest, highest = min(values, default=0), max(values, default=0)
        radix = matches * (highest - lowest) + 1
        for edge, edge_costs in costs.items():
            numbers[edge] = numbers[edge] * radix + edge_costs[level] - lowest
    return numbers
