"""What a scoring method is: a function with its name, unit, source and guarantee."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.methods.lines import Line

Score = Callable[[Sequence[Line]], dict[int, Fraction]]


@dataclass(frozen=True, slots=True)
class Method:
    """A way of scoring; more is always better."""

    name: str
    title: str
    unit: str
    """What one point is, in words and in the plural."""
    source: str
    guarantee: str
    contests: tuple[str, ...]
    """The contests it serves: pairs, teams, individual, memory."""
    score: Score
