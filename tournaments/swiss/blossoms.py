"""Maximum-weight matching, exactly: the only module that imports networkx.

The library is large, so `tournaments.swiss.matching` loads this module when a draw is made.
"""

from collections.abc import Mapping

import networkx


class _Bare(networkx.Graph):  # type: ignore[misc]  # networkx has no types
    """A graph that returns its neighbour dictionaries directly, without protecting views.

    The matching reads five million weights among 200 nodes, each through two views that protect
    the graph against changes; it is not changed here.
    """

    lying: dict[int, dict[int, dict[str, int]]]

    def __getitem__(self, node: int) -> dict[int, dict[str, int]]:
        return self.lying[node]


def heaviest(nodes: int, weights: Mapping[tuple[int, int], int]) -> set[tuple[int, int]]:
    """Match as many nodes as possible so that the sum of the weights is greatest."""
    graph = _Bare()
    graph.add_nodes_from(range(nodes))
    graph.add_weighted_edges_from((one, other, each) for (one, other), each in weights.items())
    graph.lying = dict(graph.adjacency())
    found: set[tuple[int, int]] = networkx.max_weight_matching(graph, maxcardinality=True)
    return found
