"""Every way of scoring duplicate whist: a function from lines to exact scores."""

from scoring.methods import matchpoints, plus_minus, tricks
from scoring.methods.lines import Line, Stand, averaged, by_deal, entries_of, played, stands
from scoring.methods.method import Method
from scoring.methods.ranking import Placing, rank

METHODS: dict[str, Method] = {
    "plus_minus": plus_minus.METHOD,
    "matchpoints": matchpoints.METHOD,
    "tricks": tricks.METHOD,
}

__all__ = [
    "METHODS",
    "Line",
    "Method",
    "Placing",
    "Stand",
    "averaged",
    "by_deal",
    "entries_of",
    "played",
    "rank",
    "stands",
]
