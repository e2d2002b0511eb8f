"""The check whether later rounds are possible without a repeated meeting.

The entries are the nodes of a graph. An odd field has one more node, which is the sit-out. An
edge joins two entries that have not met. A round without a repeat is a perfect matching. Two
rounds without a repeat are two perfect matchings that have no edge in common.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, islice

from tournaments.swiss.field import DrawField, DrawMethod, OddRule
from tournaments.swiss.matching import Edge

MAX_NODES = 40
"""The maximum number of nodes of a graph that is searched.

Larger fields need no search: with at most 20 rounds they always have a round without a repeat.
A graph in which each of n nodes has n/2 neighbours has a perfect matching (Dirac, 1952).
"""
MAX_MATCHINGS = 945  # the maximum number of compared matchings; 10 nodes have 945
MAX_TRIES = 1_000  # the matchings that one search may try, which limits the time of a draw

Neighbours = tuple[frozenset[int], ...]
"""A graph, as the neighbours of each node."""


def count_rounds_to_protect(draw_field: DrawField) -> int:
    """Return how many later rounds must remain possible without a repeat.

    The number is 0 if there is no search for later rounds.
    """
    node_count = len(draw_field.present_entries) + len(draw_field.present_entries) % 2
    if draw_field.method is DrawMethod.DANISH or node_count > MAX_NODES:
        return 0
    if draw_field.odd_rule is OddRule.THREE_WAY and len(draw_field.present_entries) % 2:
        return 0
    return max(draw_field.last_protected_round - draw_field.round_number, 0)


def build_unmet_graph(draw_field: DrawField) -> Neighbours:
    """Return the graph of entries that have not met.

    The nodes are indexes of `draw_field.present_entries`. In an odd field the last node is the
    sit-out.
    """
    entries = draw_field.present_entries
    edges = [
        (first_index, second_index)
        for first_index, second_index in combinations(range(len(entries)), 2)
        if frozenset((entries[first_index].id, entries[second_index].id))
        not in draw_field.rounds_by_pairing
    ]
    if len(entries) % 2:
        edges += [
            (index, len(entries))
            for index, entry in enumerate(entries)
            if not draw_field.sit_out_count_by_entry[entry.id]
        ]
    return _make_graph(len(entries) + len(entries) % 2, edges)


def remove_round(neighbours: Neighbours, round_edges: Iterable[Edge]) -> Neighbours:
    """Return the graph without the edges of one round."""
    removed_by_node: dict[int, set[int]] = {}
    for first_index, second_index in round_edges:
        removed_by_node.setdefault(first_index, set()).add(second_index)
        removed_by_node.setdefault(second_index, set()).add(first_index)
    return tuple(
        node_neighbours - removed_by_node.get(node, set())
        for node, node_neighbours in enumerate(neighbours)
    )


def iter_matchings(neighbours: Neighbours) -> Iterator[tuple[Edge, ...]]:
    """Yield possible rounds without a repeat, as perfect matchings, at most MAX_MATCHINGS."""
    matchings = _iter_perfect_matchings(neighbours, frozenset(range(len(neighbours))))
    return islice(matchings, MAX_MATCHINGS)


def count_protected_rounds(
    neighbours: Neighbours, max_rounds: int, remaining_tries: list[int]
) -> int:
    """Return how many more rounds without a repeat are possible, at most `max_rounds`.

    `remaining_tries` is a list with one number: how many matchings may still be tried. Each try
    decreases the number. If it reaches 0, the result may be too low.
    """
    max_matchings = min(max_rounds, *(len(node_neighbours) for node_neighbours in neighbours))
    return next(
        (
            round_count
            for round_count in range(max_matchings, 0, -1)
            if _has_disjoint_matchings(neighbours, round_count, remaining_tries)
        ),
        0,
    )


def _has_disjoint_matchings(
    neighbours: Neighbours, round_count: int, remaining_tries: list[int]
) -> bool:
    """Return whether the graph has this number of perfect matchings without a common edge."""
    if not round_count:
        return True
    if min(len(node_neighbours) for node_neighbours in neighbours) < round_count:
        return False
    for matching in iter_matchings(neighbours):
        remaining_tries[0] -= 1
        if remaining_tries[0] < 0:
            return False
        if _has_disjoint_matchings(
            remove_round(neighbours, matching), round_count - 1, remaining_tries
        ):
            return True
    return False


def _iter_perfect_matchings(
    neighbours: Neighbours, free_nodes: frozenset[int]
) -> Iterator[tuple[Edge, ...]]:
    if not free_nodes:
        yield ()
        return
    node = min(free_nodes, key=lambda node: (len(neighbours[node] & free_nodes), node))
    for partner in sorted(neighbours[node] & free_nodes):
        for remaining_edges in _iter_perfect_matchings(
            neighbours, free_nodes - {node, partner}
        ):
            yield ((min(node, partner), max(node, partner)), *remaining_edges)


def _make_graph(node_count: int, edges: Iterable[Edge]) -> Neighbours:
    neighbours: list[set[int]] = [set() for _node in range(node_count)]
    for first_index, second_index in edges:
        neighbours[first_index].add(second_index)
        neighbours[second_index].add(first_index)
    return tuple(frozenset(node_neighbours) for node_neighbours in neighbours)
