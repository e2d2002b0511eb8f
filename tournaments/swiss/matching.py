"""The cheapest perfect matching on whole numbers, exactly: the only door to networkx.

Above a hundred nodes rustworkx is used where it is installed and the weights fit; both give a
matching of the same weight.
Source: maximum-weight matching for tournaments, after P. Sauer, Á. Cseh and P. Lenzner (2024).
"""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec

import networkx

MANY = 100
MOST_BITS = 120

Edge = tuple[int, int]


def cheapest(nodes: int, costs: Mapping[Edge, int], *, fast: bool | None = None) -> list[Edge]:
    """Match all nodes (an even number) so that the sum of the costs is least.

    `costs` has an edge for each couple that may be matched, the smaller number first. `fast`
    asks for rustworkx or forbids it; else the size decides.
    """
    most = max(costs.values(), default=0)
    weights = {edge: most - cost for edge, cost in costs.items()}
    wanted = nodes > MANY if fast is None else fast
    if wanted and rustworkx_is_here() and most.bit_length() < MOST_BITS:
        found = _by_rustworkx(nodes, weights)
    else:
        found = _by_networkx(nodes, weights)
    return sorted((min(edge), max(edge)) for edge in found)


def rustworkx_is_here() -> bool:
    """Whether the optional library is installed."""
    return find_spec("rustworkx") is not None


def _by_networkx(nodes: int, weights: Mapping[Edge, int]) -> set[Edge]:
    graph = networkx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_weighted_edges_from((one, other, each) for (one, other), each in weights.items())
    found: set[Edge] = networkx.max_weight_matching(graph, maxcardinality=True)
    return found


def _by_rustworkx(nodes: int, weights: Mapping[Edge, int]) -> set[Edge]:
    library = import_module("rustworkx")
    graph = library.PyGraph()
    graph.add_nodes_from(list(range(nodes)))
    graph.add_edges_from([(one, other, each) for (one, other), each in weights.items()])
    found: set[Edge] = library.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return found
