"""Exact maximum-weight matching; the only module that imports networkx.

`tournaments.swiss.matching` imports this module only for a draw, because networkx is large.
"""

from collections.abc import Mapping

import networkx


class _UnprotectedGraph(networkx.Graph):  # type: ignore[misc]  # networkx has no types
    """A graph that returns its neighbour dictionaries directly, without read-only views.

    For 200 nodes, the matching reads five million weights, which would need two views each. It
    never changes the graph.
    """

    neighbour_data: dict[int, dict[int, dict[str, int]]]

    def __getitem__(self, node: int) -> dict[int, dict[str, int]]:
        return self.neighbour_data[node]


def find_heaviest_matching(
    node_count: int, weights_by_edge: Mapping[tuple[int, int], int]
) -> set[tuple[int, int]]:
    """Return the matching with the most edges and, of equal ones, the largest weight."""
    graph = _UnprotectedGraph()
    graph.add_nodes_from(range(node_count))
    graph.add_weighted_edges_from(
        (first_node, second_node, weight)
        for (first_node, second_node), weight in weights_by_edge.items()
    )
    graph.neighbour_data = dict(graph.adjacency())
    matched_edges: set[tuple[int, int]] = networkx.max_weight_matching(
        graph, maxcardinality=True
    )
    return matched_edges
