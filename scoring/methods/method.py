"""The record of a scoring method: its arithmetic and all its texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.methods.lines import Line
from scoring.methods.steps import Step
from server.translation import TranslatedField

Score = Callable[[Sequence[Line]], dict[int, Fraction]]
Parts = Callable[[Sequence[Line]], list[tuple[Fraction, Fraction]]]
Explainer = Callable[[int], Step]
"""Explains the score of any entry, from lines that were read once."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """A way of scoring; a higher score is always better.

    Forms, pages, papers and the API take its name and the format of its scores from this
    record, so a record that lacks one of its texts cannot be created.
    """

    name: str
    code: str
    """Its name in an event; methods of different contests may share a code."""
    contests: tuple[str, ...]
    """The contests it serves: pairs, teams, individual, memory."""
    score: Score
    explainer: Callable[[Sequence[Line]], Explainer]
    """The arithmetic behind each entry's score; its parts add up to the score."""
    signed: bool
    """Whether its scores can be negative, so that they are written with a sign."""
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
    """Returns a description for its own contest, where the texts of its code do not fit."""
    parts: Parts | None = None
    """The points that each line adds for N-S and E-W, in order; None if not line by line."""
    ranked_by: Score | None = None
    """The number by which entries are ranked, if it is not the score."""
    available: Score | None = None
    """The most that each entry could have scored, if entries are ranked by their share of it.
    """
    sits_out: Fraction = Fraction()
    """The score of a round that an entry sits out where rounds are drawn: the average."""
    is_total: bool = False
    """Whether its scores are the totals, which every page already shows beside a score."""
    in_points: bool = False
    """Whether it serves events that count points instead of tricks."""
    whole_averages: bool = False
    """Whether averages are rounded to the nearest whole trick."""

    def explain(self, lines: Sequence[Line], entry: int) -> Step:
        """Explain one entry's score; for many entries use one `explainer`."""
        return self.explainer(lines)(entry)
