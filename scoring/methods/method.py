"""The record of a scoring method: its arithmetic and all its texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.methods.result_line import ResultLine
from scoring.methods.steps import Step
from server.translation import TranslatedField

Score = Callable[[Sequence[ResultLine]], dict[int, Fraction]]
Parts = Callable[[Sequence[ResultLine]], list[tuple[Fraction, Fraction]]]
Explainer = Callable[[int], Step]
"""Explains the score of any entry, from result lines that were read once."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """A way of scoring; a higher score is always better.

    Forms, pages, papers and the API take its name and the format of its scores from this
    record. A record without one of its texts cannot be created.
    """

    name: str
    code: str
    """Its name in an event; methods of different contests may share a code."""
    contests: tuple[str, ...]
    """The contests that it can score: pairs, teams, individual, memory."""
    score: Score
    explainer: Callable[[Sequence[ResultLine]], Explainer]
    """Builds the explainer of each entry's score; the parts of a step add up to the score."""
    signed: bool
    """Whether scores can be negative, and are therefore written with a sign."""
    title: TranslatedField = TranslatedField()
    label: TranslatedField = TranslatedField()
    """The name in a list of choices; the same for all methods of one code."""
    explanation: TranslatedField = TranslatedField()
    """One sentence about the method; the same for all methods of one code."""
    unit: TranslatedField = TranslatedField()
    """The name of its points, in the plural."""
    heading: TranslatedField = TranslatedField()
    """The heading of its scores on a page."""
    short_heading: TranslatedField = TranslatedField()
    """The heading of its scores on paper, where a column is narrow."""
    caption: TranslatedField = TranslatedField()
    """A description of the score for the foot of a paper."""
    guarantee: TranslatedField = TranslatedField()
    source: TranslatedField = TranslatedField()
    means: Callable[[], str] | None = None
    """Returns a description for its own contest, if the texts of its code do not fit."""
    parts: Parts | None = None
    """The points that each line adds for N-S and E-W, in order; None if scores are not sums
    of
    lines.
    """
    ranked_by: Score | None = None
    """The number by which entries are ranked, if it is not the score."""
    available: Score | None = None
    """The maximum score of each entry, if entries are ranked by their share of it."""
    sits_out: Fraction = Fraction()
    """The score of a sit-out in a drawn round, which is the average."""
    is_total: bool = False
    """Whether its scores are the totals, which every page already shows."""
    is_in_points: bool = False
    """Whether it is for events that count points instead of tricks."""
    whole_averages: bool = False
    """Whether averages are rounded to the nearest whole trick."""

    def explain(self, lines: Sequence[ResultLine], entry: int) -> Step:
        """Explain one entry's score; for many entries use one `explainer`."""
        return self.explainer(lines)(entry)
