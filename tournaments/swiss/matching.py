"""The exact search for the cheapest perfect matching with integer costs.

Source: maximum-weight matching for tournaments, after P. Sauer, Á. Cseh and P. Lenzner (2024).
"""

from collections.abc import Mapping
from heapq import nsmallest

MAX_DENSE_NODES, NEAREST_EDGES = 64, 12
"""Nodes above which most edges are left out first; edges of each node that are tried alone."""

Edge = tuple[int, int]


def find_cheapest_matching(nodes: int, costs: Mapping[Edge, int]) -> list[Edge]:
    """Return the perfect matching of an even number of nodes with the lowest total cost.

    `costs` has an edge for each couple that may be matched, the smaller node first.
    """
    if nodes > MAX_DENSE_NODES:
        costs = prune_edges(nodes, costs)
    return find_maximum_matching(nodes, costs)


def prune_edges(nodes: int, costs: Mapping[Edge, int]) -> Mapping[Edge, int]:
    """Remove edges that are in no cheapest matching; at least one cheapest matching remains.

    Any matching costs at least half the sum of each node's cheapest edge. From this follows a
    lower bound for the matchings with a given edge. The edge is removed if the bound exceeds
    the cost of a known matching, which is made of the few cheapest edges of each node.
    """
    own: list[list[tuple[int, Edge]]] = [[] for _node in range(nodes)]
    for edge, cost in costs.items():
        own[edge[0]].append((cost, edge))
        own[edge[1]].append((cost, edge))
    near = {edge: cost for each in own for cost, edge in nsmallest(NEAREST_EDGES, each)}
    found = find_maximum_matching(nodes, near)
    if 2 * len(found) < nodes:
        return costs
    known = sum(near[edge] for edge in found)
    least = [min(each)[0] for each in own]
    whole = sum(least)
    return {
        (one, other): cost
        for (one, other), cost in costs.items()
        if 2 * cost + whole - least[one] - least[other] <= 2 * known
    }


def find_maximum_matching(nodes: int, costs: Mapping[Edge, int]) -> list[Edge]:
    """Return the matching with the most edges, and of these the one with the lowest cost."""
    from tournaments.swiss import (
        blossom_matching,  # imports networkx, which is large, only for a draw
    )

    most = max(costs.values(), default=0)
    found = blossom_matching.find_heaviest_matching(
        nodes, {edge: most - cost for edge, cost in costs.items()}
    )
    return sorted((min(edge), max(edge)) for edge in found)
