"""What a scoring method is: its arithmetic, and every word that is said of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.methods.lines import Line
from scoring.methods.steps import Step
from server.translation import TranslatedField

Score = Callable[[Sequence[Line]], dict[int, Fraction]]
Parts = Callable[[Sequence[Line]], list[tuple[Fraction, Fraction]]]
Explainer = Callable[[int], Step]
"""Explains any entry from lines that were read once."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """A way of scoring; more is always better.

    Forms, pages, papers and the API read here what it is called and how its scores are
    written, so a record without one of its words cannot be made.
    """

    name: str
    code: str
    """What an event calls it: methods of different contests may share a code."""
    contests: tuple[str, ...]
    """The contests it serves: pairs, teams, individual, memory."""
    score: Score
    explainer: Callable[[Sequence[Line]], Explainer]
    """The arithmetic behind each entry's score; its parts add up to the score."""
    signed: bool
    """Whether its scores lie above or below nothing, so that they are written with a sign."""
    title: TranslatedField = TranslatedField()
    label: TranslatedField = TranslatedField()
    """What it is called where one is chosen; the same for all methods of one code."""
    explanation: TranslatedField = TranslatedField()
    """What that means, as one sentence; the same for all methods of one code."""
    unit: TranslatedField = TranslatedField()
    """What one point is, in words and in the plural."""
    heading: TranslatedField = TranslatedField()
    """What stands over its scores on a page."""
    short_heading: TranslatedField = TranslatedField()
    """The same on paper, where a column is narrow."""
    caption: TranslatedField = TranslatedField()
    """What is counted, at the foot of a paper."""
    guarantee: TranslatedField = TranslatedField()
    source: TranslatedField = TranslatedField()
    means: Callable[[], str] | None = None
    """What it means in its own contest, where the words of its code do not say it."""
    parts: Parts | None = None
    """What each line adds, N-S and E-W, in the order of the lines; None: not line by line."""
    ranked_by: Score | None = None
    """The figure that places entries where it is not the score itself."""
    available: Score | None = None
    """The most that each entry could have scored, where entries are placed by their share."""
    sits_out: Fraction = Fraction()
    """What a round counts that an entry sits out where rounds are drawn: the average."""
    is_total: bool = False
    """Whether its scores are the totals themselves, which every page shows beside a score."""
    in_points: bool = False
    """Whether it serves events that count points, in place of tricks."""
    whole_averages: bool = False
    """Whether averages are taken to the nearest whole trick."""

    def explain(self, lines: Sequence[Line], entry: int) -> Step:
        """Explain one entry's score; for many entries ask for one `explainer`."""
        return self.explainer(lines)(entry)
