"""The check whether later rounds are possible without a repeated meeting.

The entries are the nodes of a graph; an odd field has one more node, for the sit-out. An edge
joins two entries that have not met. A round without a repeat is a perfect matching. Two rounds
without a repeat are two perfect matchings that have no edge in common.
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
MAX_MATCHINGS = 945  # compared at most: all that 10 nodes have
MAX_STEPS = 1_000  # matchings that one search may try, so that every draw ends

Neighbours = tuple[frozenset[int], ...]


def count_rounds_to_protect(field: DrawField) -> int:
    """Return how many later rounds must remain possible without a repeat.

    It is 0 if no search is made.
    """
    nodes = len(field.present) + len(field.present) % 2
    if field.method is DrawMethod.DANISH or nodes > MAX_NODES:
        return 0
    if field.odd is OddRule.THREE_WAY and len(field.present) % 2:
        return 0
    return max(field.rounds - field.round, 0)


def build_unmet_graph(field: DrawField) -> Neighbours:
    """Return the graph of entries that have not met; its nodes are indexes in `field.present`.

    In an odd field the last node is the sit-out.
    """
    entries = field.present
    edges = [
        (one, other)
        for one, other in combinations(range(len(entries)), 2)
        if frozenset((entries[one].id, entries[other].id)) not in field.met
    ]
    if len(entries) % 2:
        edges += [
            (place, len(entries))
            for place, entry in enumerate(entries)
            if not field.sat_out[entry.id]
        ]
    return _make_graph(len(entries) + len(entries) % 2, edges)


def remove_round(neighbours: Neighbours, matching: Iterable[Edge]) -> Neighbours:
    """Return the graph without the edges of one round."""
    removed_edges: dict[int, set[int]] = {}
    for one, other in matching:
        removed_edges.setdefault(one, set()).add(other)
        removed_edges.setdefault(other, set()).add(one)
    return tuple(
        node_neighbours - removed_edges.get(node, set())
        for node, node_neighbours in enumerate(neighbours)
    )


def iter_matchings(neighbours: Neighbours) -> Iterator[tuple[Edge, ...]]:
    """Yield possible rounds without a repeat, as perfect matchings, at most MAX_MATCHINGS."""
    matchings = _iter_perfect_matchings(neighbours, frozenset(range(len(neighbours))))
    return islice(matchings, MAX_MATCHINGS)


def count_rounds_left(neighbours: Neighbours, max_rounds: int, steps: list[int]) -> int:
    """Return how many more rounds without a repeat are possible, at most `max_rounds`.

    `steps` has one number: how many matchings may still be tried. Each trial decreases it. If
    it reaches 0, the result may be too low.
    """
    most = min(max_rounds, *(len(node_neighbours) for node_neighbours in neighbours))
    return next(
        (
            count
            for count in range(most, 0, -1)
            if _has_disjoint_matchings(neighbours, count, steps)
        ),
        0,
    )


def _has_disjoint_matchings(neighbours: Neighbours, rounds: int, steps: list[int]) -> bool:
    """Return whether the graph has this number of perfect matchings without a common edge."""
    if not rounds:
        return True
    if min(len(node_neighbours) for node_neighbours in neighbours) < rounds:
        return False
    for matching in iter_matchings(neighbours):
        steps[0] -= 1
        if steps[0] < 0:
            return False
        if _has_disjoint_matchings(remove_round(neighbours, matching), rounds - 1, steps):
            return True
    return False


def _iter_perfect_matchings(
    neighbours: Neighbours, free_nodes: frozenset[int]
) -> Iterator[tuple[Edge, ...]]:
    if not free_nodes:
        yield ()
        return
    one = min(free_nodes, key=lambda node: (len(neighbours[node] & free_nodes), node))
    for other in sorted(neighbours[one] & free_nodes):
        for remaining_edges in _iter_perfect_matchings(neighbours, free_nodes - {one, other}):
            yield ((min(one, other), max(one, other)), *remaining_edges)


def _make_graph(nodes: int, edges: Iterable[Edge]) -> Neighbours:
    neighbours: list[set[int]] = [set() for _node in range(nodes)]
    for one, other in edges:
        neighbours[one].add(other)
        neighbours[other].add(one)
    return tuple(frozenset(node_neighbours) for node_neighbours in neighbours)
