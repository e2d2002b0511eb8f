"""What a scoring method is: a function with its name, unit, source and guarantee."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from boards.whist.words import Told
from scoring.methods.lines import Line
from scoring.methods.steps import Step

Score = Callable[[Sequence[Line]], dict[int, Fraction]]
Parts = Callable[[Sequence[Line]], list[tuple[Fraction, Fraction]]]
Explainer = Callable[[int], Step]
"""Explains any entry from lines that were read once."""


@dataclass(frozen=True)
class Method:
    """A way of scoring; more is always better."""

    name: str
    contests: tuple[str, ...]
    """The contests it serves: pairs, teams, individual, memory."""
    score: Score
    explainer: Callable[[Sequence[Line]], Explainer]
    """The arithmetic behind each entry's score; its parts add up to the score."""
    title: Told = Told()
    unit: Told = Told()
    """What one point is, in words and in the plural."""
    guarantee: Told = Told()
    source: Told = Told()
    parts: Parts | None = None
    """What each line adds, N-S and E-W, in the order of the lines; None: not line by line."""
    ranked_by: Score | None = None
    """The figure that places entries where it is not the score itself."""
    available: Score | None = None
    """The most that each entry could have scored, where entries are placed by their share."""
    name_in_events: str = ""
    """What an event calls it, where several methods of one name serve different contests."""
    whole_averages: bool = False
    """Whether averages are taken to the nearest whole trick."""

    def explain(self, lines: Sequence[Line], entry: int) -> Step:
        """Explain one entry's score; for many entries ask for one `explainer`."""
        return self.explainer(lines)(entry)
