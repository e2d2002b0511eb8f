"""The record of a scoring method: its arithmetic and all its texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.methods.result_line import ResultLine
from scoring.methods.steps import Step
from server.translation import TranslatedField

ScoreFunction = Callable[[Sequence[ResultLine]], dict[int, Fraction]]
LineScoresFunction = Callable[[Sequence[ResultLine]], list[tuple[Fraction, Fraction]]]
Explainer = Callable[[int], Step]
"""A function that explains the score of the entry with a given number."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """A way of scoring; a higher score is always better.

    Forms, pages, papers and the API take the method's texts and number format from this
    record. A record without one of the required texts cannot be created.
    """

    name: str
    code: str
    """The stored name in an event. Methods of different contests may share a code."""
    contests: tuple[str, ...]
    """The contests that the method can score: pairs, teams, individual, memory."""
    score: ScoreFunction
    build_explainer: Callable[[Sequence[ResultLine]], Explainer]
    """Returns the explainer for all entries of some lines; its steps add up to the score."""
    is_signed: bool
    """Whether scores can be negative, and are therefore written with a sign."""
    title: TranslatedField = TranslatedField()
    label: TranslatedField = TranslatedField()
    """The name in a list of choices; the same for all methods of one code."""
    explanation: TranslatedField = TranslatedField()
    """One sentence about the method; the same for all methods of one code."""
    unit: TranslatedField = TranslatedField()
    """The name of the points, in the plural."""
    heading: TranslatedField = TranslatedField()
    """The heading of a column of scores on a page."""
    short_heading: TranslatedField = TranslatedField()
    """The heading of a narrow column of scores on paper."""
    caption: TranslatedField = TranslatedField()
    """A description of the score for the foot of a paper."""
    guarantee: TranslatedField = TranslatedField()
    source: TranslatedField = TranslatedField()
    describe: Callable[[], str] | None = None
    """Returns a description for this contest, if the texts shared by the code do not fit."""
    compute_line_scores: LineScoresFunction | None = None
    """The points that each line adds for N-S and E-W, in order; None if scores are not sums of
    lines.
    """
    compute_ranking_values: ScoreFunction | None = None
    """The number by which entries are ranked, if it is not the score."""
    compute_available_points: ScoreFunction | None = None
    """The maximum score of each entry, if entries are ranked by their share of it."""
    sit_out_score: Fraction = Fraction()
    """The score of a sit-out in a drawn round, which is the average."""
    is_score_total: bool = False
    """Whether the scores are the totals, which every page already shows."""
    is_in_points: bool = False
    """Whether the method is for events that count points instead of tricks."""
    has_whole_averages: bool = False
    """Whether averages are rounded to the nearest whole trick."""

    def explain_entry(self, result_lines: Sequence[ResultLine], entry_number: int) -> Step:
        """Explain one entry's score. For many entries, call `build_explainer` once."""
        return self.build_explainer(result_lines)(entry_number)
