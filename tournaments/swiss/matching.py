"""The cheapest perfect matching on whole numbers, exactly.

Above a hundred nodes rustworkx is used where it is installed and the weights fit; both give a
matching of the same weight.
Source: maximum-weight matching for tournaments, after P. Sauer, Á. Cseh and P. Lenzner (2024).
"""

from collections.abc import Mapping
from heapq import nsmallest
from importlib import import_module
from importlib.util import find_spec

MANY = 100
DENSE, NEAR = 64, 12
"""Nodes above which most edges are left out first; edges of each node that are tried alone."""
MOST_BITS = 120

Edge = tuple[int, int]


def cheapest(nodes: int, costs: Mapping[Edge, int], *, fast: bool | None = None) -> list[Edge]:
    """Match all nodes (an even number) so that the sum of the costs is least.

    `costs` has an edge for each couple that may be matched, the smaller number first. `fast`
    asks for rustworkx or forbids it; else the size decides.
    """
    if fast is None and nodes > DENSE:
        costs = worth_looking_at(nodes, costs)
    most = max(costs.values(), default=0)
    weights = {edge: most - cost for edge, cost in costs.items()}
    wanted = nodes > MANY if fast is None else fast
    if wanted and rustworkx_is_here() and most.bit_length() < MOST_BITS:
        found = _by_rustworkx(nodes, weights)
    else:
        found = _by_networkx(nodes, weights)
    return sorted((min(edge), max(edge)) for edge in found)


def worth_looking_at(nodes: int, costs: Mapping[Edge, int]) -> Mapping[Edge, int]:
    """Leave out the edges that stand in no cheapest matching: what is left has it still.

    Any matching costs at least half of what each node's cheapest edge costs, all added up. So
    an edge is left out where it and the others at their cheapest cost more than a matching that
    is known: one of the few cheapest edges of each node.
    """
    own: list[list[tuple[int, Edge]]] = [[] for _node in range(nodes)]
    for edge, cost in costs.items():
        own[edge[0]].append((cost, edge))
        own[edge[1]].append((cost, edge))
    near = {edge: cost for each in own for cost, edge in nsmallest(NEAR, each)}
    most = max(near.values())
    found = _by_networkx(nodes, {edge: most - cost for edge, cost in near.items()})
    if 2 * len(found) < nodes:
        return costs
    known = sum(near[min(edge), max(edge)] for edge in found)
    least = [min(each)[0] for each in own]
    whole = sum(least)
    return {
        (one, other): cost
        for (one, other), cost in costs.items()
        if 2 * cost + whole - least[one] - least[other] <= 2 * known
    }


def rustworkx_is_here() -> bool:
    """Whether the optional library is installed."""
    return find_spec("rustworkx") is not None


def _by_networkx(nodes: int, weights: Mapping[Edge, int]) -> set[Edge]:
    from tournaments.swiss import blossoms  # loads what is large: only who draws does

    return blossoms.heaviest(nodes, weights)


def _by_rustworkx(nodes: int, weights: Mapping[Edge, int]) -> set[Edge]:
    library = import_module("rustworkx")
    graph = library.PyGraph()
    graph.add_nodes_from(list(range(nodes)))
    graph.add_edges_from([(one, other, each) for (one, other), each in weights.items()])
    found: set[Edge] = library.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return found
