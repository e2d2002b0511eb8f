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
    edges_by_node: list[list[tuple[int, Edge]]] = [[] for _node in range(nodes)]
    for edge, cost in costs.items():
        edges_by_node[edge[0]].append((cost, edge))
        edges_by_node[edge[1]].append((cost, edge))
    nearest_edges = {
        edge: cost for each in edges_by_node for cost, edge in nsmallest(NEAREST_EDGES, each)
    }
    known_matching = find_maximum_matching(nodes, nearest_edges)
    if 2 * len(known_matching) < nodes:
        return costs
    known_cost = sum(nearest_edges[edge] for edge in known_matching)
    lowest_costs = [min(each)[0] for each in edges_by_node]
    lower_bound = sum(lowest_costs)
    return {
        (one, other): cost
        for (one, other), cost in costs.items()
        if 2 * cost + lower_bound - lowest_costs[one] - lowest_costs[other] <= 2 * known_cost
    }


def find_maximum_matching(nodes: int, costs: Mapping[Edge, int]) -> list[Edge]:
    """Return the matching with the most edges, and of these the one with the lowest cost."""
    from tournaments.swiss import (
        blossom_matching,  # imports networkx, which is large, only for a draw
    )

    highest_cost = max(costs.values(), default=0)
    matching = blossom_matching.find_heaviest_matching(
        nodes, {edge: highest_cost - cost for edge, cost in costs.items()}
    )
    return sorted((min(edge), max(edge)) for edge in matching)
