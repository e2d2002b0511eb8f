"""The exact search for the cheapest perfect matching with integer costs.

Source: maximum-weight matching for tournaments, after P. Sauer, Á. Cseh and P. Lenzner (2024).
"""

from collections.abc import Mapping
from heapq import nsmallest

MAX_DENSE_NODES, CHEAPEST_EDGES_PER_NODE = 64, 12
"""In larger graphs than MAX_DENSE_NODES, the cheapest edges of each node are tried first."""

Edge = tuple[int, int]


def find_cheapest_matching(node_count: int, costs_by_edge: Mapping[Edge, int]) -> list[Edge]:
    """Return the perfect matching of an even number of nodes with the lowest total cost.

    `costs_by_edge` has an edge for every two nodes that may be matched, the smaller node first.
    """
    if node_count > MAX_DENSE_NODES:
        costs_by_edge = prune_edges(node_count, costs_by_edge)
    return find_maximum_matching(node_count, costs_by_edge)


def prune_edges(node_count: int, costs_by_edge: Mapping[Edge, int]) -> Mapping[Edge, int]:
    """Remove edges that are in no cheapest matching; at least one cheapest matching remains.

    Any matching costs at least half the sum of all nodes' cheapest edges. This gives a lower
    bound for the cost of the matchings with a given edge. The edge is removed if the bound
    exceeds the cost of a known matching, which uses only the cheapest edges of each node.
    """
    edges_by_node: list[list[tuple[int, Edge]]] = [[] for _node in range(node_count)]
    for edge, cost in costs_by_edge.items():
        edges_by_node[edge[0]].append((cost, edge))
        edges_by_node[edge[1]].append((cost, edge))
    cost_by_cheap_edge = {
        edge: cost
        for node_edges in edges_by_node
        for cost, edge in nsmallest(CHEAPEST_EDGES_PER_NODE, node_edges)
    }
    known_matching = find_maximum_matching(node_count, cost_by_cheap_edge)
    if 2 * len(known_matching) < node_count:
        return costs_by_edge
    known_cost = sum(cost_by_cheap_edge[edge] for edge in known_matching)
    lowest_costs = [min(node_edges)[0] for node_edges in edges_by_node]
    lower_bound = sum(lowest_costs)
    return {
        (first_node, second_node): cost
        for (first_node, second_node), cost in costs_by_edge.items()
        if 2 * cost + lower_bound - lowest_costs[first_node] - lowest_costs[second_node]
        <= 2 * known_cost
    }


def find_maximum_matching(node_count: int, costs_by_edge: Mapping[Edge, int]) -> list[Edge]:
    """Return the matching with the most edges, and of these the one with the lowest cost."""
    from tournaments.swiss import (
        blossom_matching,  # imported only for a draw, as it loads networkx
    )

    highest_cost = max(costs_by_edge.values(), default=0)
    matched_edges = blossom_matching.find_heaviest_matching(
        node_count, {edge: highest_cost - cost for edge, cost in costs_by_edge.items()}
    )
    return sorted((min(edge), max(edge)) for edge in matched_edges)
