"""The choice of a round's matches: the cheapest ones that leave later rounds possible."""

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import combinations

from tournaments.swiss import later_rounds
from tournaments.swiss.field import DrawField, EntryId, OddRule, get_id_sort_key
from tournaments.swiss.matching import Edge, find_cheapest_matching
from tournaments.swiss.objective import (
    COST_LEVEL_COUNT,
    CostLevel,
    Costs,
    PricedMatch,
    build_priced_match,
    compute_sit_out_costs,
)

MAX_THREE_WAY_CANDIDATES = (
    9  # the lowest entries, of which three (one of 84 triples) are chosen
)


class RoundChooser:
    """The possible matches of a round, with their costs.

    Entries are indexes of `draw_field.present_entries`. In an odd field the next index is the
    sit-out, so that every round is a perfect matching.
    """

    def __init__(self, draw_field: DrawField) -> None:
        self.draw_field = draw_field
        self.entry_count = len(draw_field.present_entries)
        self.is_odd = self.entry_count % 2 == 1
        self.has_three_way_match = (
            self.is_odd and draw_field.odd_rule is OddRule.THREE_WAY and self.entry_count >= 3
        )

    @cached_property
    def priced_matches(self) -> dict[Edge, PricedMatch]:
        """The sides and the cost of each possible match, by the indexes of both entries.

        Of the two ways to seat a match, the cheaper one is used.
        """
        entries = self.draw_field.present_entries
        return {
            (first_index, second_index): build_priced_match(
                self.draw_field, entries[first_index], entries[second_index]
            )
            for first_index, second_index in combinations(range(self.entry_count), 2)
        }

    @cached_property
    def costs_by_sit_out_edge(self) -> dict[Edge, Costs]:
        """The cost of each possible sit-out."""
        if not self.is_odd or self.has_three_way_match:
            return {}
        return {
            (index, self.entry_count): compute_sit_out_costs(self.draw_field, entry)
            for index, entry in enumerate(self.draw_field.present_entries)
        }

    def compute_costs(self, edges: Iterable[Edge]) -> Costs:
        """Return the cost of a round on each level, without the cost of earlier rounds."""
        all_costs = [
            self.priced_matches[edge].costs
            if edge in self.priced_matches
            else self.costs_by_sit_out_edge[edge]
            for edge in edges
        ]
        return tuple(
            sum(cost[level] for cost in all_costs) for level in range(COST_LEVEL_COUNT)
        )

    def count_protected_rounds(
        self, edges: Iterable[Edge], remaining_tries: list[int] | None = None
    ) -> int:
        """Return how many of the planned later rounds remain possible without a repeat."""
        max_rounds = later_rounds.count_rounds_to_protect(self.draw_field)
        if not max_rounds:
            return 0
        remaining_graph = later_rounds.remove_round(self._unmet_graph, edges)
        return later_rounds.count_protected_rounds(
            remaining_graph, max_rounds, remaining_tries or [later_rounds.MAX_TRIES]
        )

    def find_best_round(self, *, sit_out_id: EntryId | None = None) -> list[Edge]:
        """Return the best round, or the best round in which `sit_out_id` sits out.

        The best round has the fewest repeated meetings and repeated sit-outs. Of equal rounds,
        the best one leaves the most later rounds possible. Then the cost on the other levels
        decides.
        """
        costs_by_sit_out_edge = self.costs_by_sit_out_edge
        if sit_out_id is not None:
            costs_by_sit_out_edge = {
                edge: costs
                for edge, costs in costs_by_sit_out_edge.items()
                if self.draw_field.present_entries[edge[0]].id == sit_out_id
            }
        edges = self._find_matching(costs_by_sit_out_edge)
        costs = self.compute_costs(edges)
        if costs[CostLevel.EARLIER_MEETINGS] or costs[CostLevel.EARLIER_SIT_OUTS]:
            return edges
        return self._maximise_later_rounds(edges, costs_by_sit_out_edge)

    def _maximise_later_rounds(
        self, edges: list[Edge], costs_by_sit_out_edge: dict[Edge, Costs]
    ) -> list[Edge]:
        """Return the cheapest round without a repeat that leaves the most later rounds."""
        max_rounds = later_rounds.count_rounds_to_protect(self.draw_field)
        if not max_rounds:
            return edges
        max_rounds = min(
            max_rounds, *(len(unmet_entries) - 1 for unmet_entries in self._unmet_graph)
        )
        remaining_tries = [later_rounds.MAX_TRIES]
        protected_round_count = self.count_protected_rounds(edges, remaining_tries)
        if protected_round_count >= max_rounds:
            return edges
        other_matchings = [
            list(matching)
            for matching in later_rounds.iter_matchings(self._unmet_graph)
            if not costs_by_sit_out_edge
            or any(edge in costs_by_sit_out_edge for edge in matching)
        ]
        for other_matching in sorted(other_matchings, key=self.compute_costs):
            if (
                other_protected_round_count := self.count_protected_rounds(
                    other_matching, remaining_tries
                )
            ) > protected_round_count:
                edges, protected_round_count = other_matching, other_protected_round_count
            if protected_round_count >= max_rounds or remaining_tries[0] <= 0:
                break
        return edges

    def find_best_three_way_round(self) -> tuple[list[Edge], tuple[int, ...]]:
        """Return the best round in which three of the lowest entries play a three-way match."""
        entries = self.draw_field.present_entries
        lowest_entry_indexes = sorted(
            range(self.entry_count),
            key=lambda index: (entries[index].cents, get_id_sort_key(entries[index].id)),
        )[:MAX_THREE_WAY_CANDIDATES]
        best_choice: tuple[Costs, list[Edge], tuple[int, ...]] | None = None
        for triple in combinations(sorted(lowest_entry_indexes), 3):
            other_matching = self._find_matching({}, triple)
            total_costs = self.compute_costs((*other_matching, *combinations(triple, 2)))
            if best_choice is None or total_costs < best_choice[0]:
                best_choice = (total_costs, other_matching, triple)
        assert best_choice is not None
        return best_choice[1], best_choice[2]

    @cached_property
    def _unmet_graph(self) -> later_rounds.Neighbours:
        return later_rounds.build_unmet_graph(self.draw_field)

    def _find_matching(
        self, costs_by_sit_out_edge: dict[Edge, Costs], excluded_indexes: Collection[int] = ()
    ) -> list[Edge]:
        """Return the cheapest matching of all entries except those in `excluded_indexes`.

        The costs on all levels are encoded as the digits of one number. The base of each digit
        is larger than the largest possible sum, so that the order of the levels is preserved.
        """
        indexes = [index for index in range(self.entry_count) if index not in excluded_indexes]
        node_by_index = {index: node for node, index in enumerate([*indexes, self.entry_count])}
        costs_by_edge = {
            edge: match.costs
            for edge, match in self.priced_matches.items()
            if edge[0] in node_by_index and edge[1] in node_by_index
        }
        encoded_cost_by_edge = _encode_costs(
            costs_by_edge | costs_by_sit_out_edge, (len(indexes) + 1) // 2
        )
        matching = find_cheapest_matching(
            len(indexes) + bool(costs_by_sit_out_edge),
            {
                (node_by_index[first_index], node_by_index[second_index]): cost
                for (first_index, second_index), cost in encoded_cost_by_edge.items()
            },
        )
        index_by_node = {node: index for index, node in node_by_index.items()}
        return [
            (index_by_node[first_node], index_by_node[second_node])
            for first_node, second_node in matching
        ]


def find_first_difference(costs: Sequence[int], other_costs: Sequence[int]) -> int | None:
    """Return the first level on which two costs differ; None if they are equal."""
    return next(
        (level for level in range(COST_LEVEL_COUNT) if costs[level] != other_costs[level]), None
    )


def _encode_costs(costs_by_edge: dict[Edge, Costs], match_count: int) -> dict[Edge, int]:
    """Return each edge's costs as one number; the first level is the highest digit."""
    encoded_cost_by_edge = dict.fromkeys(costs_by_edge, 0)
    for level in range(COST_LEVEL_COUNT):
        level_costs = [cost[level] for cost in costs_by_edge.values()]
        lowest_cost, highest_cost = min(level_costs, default=0), max(level_costs, default=0)
        radix = match_count * (highest_cost - lowest_cost) + 1
        for edge, edge_costs in costs_by_edge.items():
            encoded_cost_by_edge[edge] = (
                encoded_cost_by_edge[edge] * radix + edge_costs[level] - lowest_cost
            )
    return encoded_cost_by_edge
