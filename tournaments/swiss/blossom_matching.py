"""Exact maximum-weight matching; the only module that imports networkx.

networkx is large; `tournaments.swiss.matching` therefore imports this module only for a draw.
"""

from collections.abc import Mapping

import networkx


class _UnprotectedGraph(networkx.Graph):  # type: ignore[misc]  # networkx has no types
    """A graph that returns its neighbour dictionaries directly, without read-only views.

    The matching reads five million weights of 200 nodes, each through two of these views. It
    never changes the graph.
    """

    lying: dict[int, dict[int, dict[str, int]]]

    def __getitem__(self, node: int) -> dict[int, dict[str, int]]:
        return self.lying[node]


def find_heaviest_matching(
    nodes: int, weights: Mapping[tuple[int, int], int]
) -> set[tuple[int, int]]:
    """Return the heaviest of the matchings with the most edges."""
    graph = _UnprotectedGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_weighted_edges_from(
        (one, other, weight) for (one, other), weight in weights.items()
    )
    graph.lying = dict(graph.adjacency())
    matching: set[tuple[int, int]] = networkx.max_weight_matching(graph, maxcardinality=True)
    return matching
