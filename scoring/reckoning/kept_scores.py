"""Scores of lines that were scored before: of a large evening one entry changes one section.

A method scores the same lines the same way, so what was found is handed out again; others may
read it and must not change it. How much is kept is bounded by lines.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from threading import Lock

from scoring.methods import Line, Method

MOST_LINES = 60_000
"""So many lines, some ten megabytes, are kept in a process: two very large evenings."""
Score = Callable[..., Mapping[int, Fraction]]
Kept = tuple[tuple[Line, ...], Mapping[int, Fraction]]
_KEPT: OrderedDict[tuple[Score, int], Kept] = OrderedDict()
_LOCK = Lock()


def kept_score(method: Method, lines: Sequence[Line]) -> Mapping[int, Fraction]:
    """Score lines by a method, or give what they came to before."""
    these = tuple(lines)
    key = (method.score, hash(these))  # hashed once, which for many lines is what costs
    with _LOCK:
        kept = _KEPT.get(key)
        if kept is not None and kept[0] == these:
            _KEPT.move_to_end(key)
            return kept[1]
    found = method.score(lines)
    if len(these) <= MOST_LINES:
        with _LOCK:
            _KEPT[key] = these, found
            while sum(len(own) for own, _scores in _KEPT.values()) > MOST_LINES:
                _KEPT.popitem(last=False)
    return found
