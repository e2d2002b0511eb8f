"""The rules for scoring a drive, and the validation of a table's sheet."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive

TRICKS_PER_DEAL, BOOK_TRICKS = 13, 6
"""The tricks of a hand, and the first tricks of a side, which do not score in `BY_CARDS`."""
MAX_ABSOLUTE_SCORE = 10**6


class ScoreKind(StrEnum):
    """The kind of the numbers on a sheet, and whether they belong to a side or to a player."""

    TRICKS = "tricks"
    BY_CARDS = "by-cards"  # the tricks over six of a side
    SIDE = "side"
    PLAYER = "player"


class RestRule(StrEnum):
    """The rule for the points that a player gets for a rest; a fixed number can replace it."""

    ROUND_AVERAGE = "round-average"
    OWN_AVERAGE = "own-average"
    NOTHING = "nothing"


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """The rules of scoring of a drive.

    `hands_per_round` is the number of hands at each table. `total` is the sum of the scores of
    one hand, or None if it varies. Extras (points that players declare in addition) are
    multiples of `extras_step`; None means that the game has no extras. Each score of a hand is
    between `min_score` and `max_score`, and is a multiple of `step`.
    """

    kind: ScoreKind
    hands_per_round: int = 1
    total: int | None = None
    extras_step: int | None = None
    rest: RestRule | Fraction = RestRule.ROUND_AVERAGE
    min_score: int | None = None
    max_score: int | None = None
    step: int = 1

    @property
    def scores_per_sheet(self) -> int:
        """The number of scores on a sheet: one for each player or one for each side."""
        return 4 if self.kind is ScoreKind.PLAYER else 2

    @property
    def sheet_total(self) -> int | None:
        """The required sum of the scores of a sheet, without extras; None if it varies."""
        return None if self.total is None else self.total * self.hands_per_round

    @property
    def average_score(self) -> Fraction | None:
        """A player's average score on a sheet; None if the rules do not fix it."""
        return (
            None
            if self.sheet_total is None
            else Fraction(self.sheet_total, self.scores_per_sheet)
        )

    @property
    def input_mode(self) -> str:
        """The HTML `inputmode` of the form field for a score."""
        return choose_input_mode(self.min_score)

    @property
    def single_hand_scoring(self) -> "Scoring":
        """The same rules for rounds of one hand."""
        return replace(self, hands_per_round=1)

    def find_score_error(self, scores: Sequence[int], extra_points: Sequence[int] = ()) -> str:
        """Return a message about invalid scores of a sheet; "" if they are valid."""
        if len(scores) != self.scores_per_sheet:
            message = _("Enter %(wanted)s scores, not %(got)s.")
            return message % {"wanted": self.scores_per_sheet, "got": len(scores)}
        error_messages = [self._find_range_error(score) for score in scores]
        error_messages += [
            self._find_sum_error(scores),
            self._find_by_cards_error(scores),
            self._find_extras_error(extra_points),
        ]
        return next((error_message for error_message in error_messages if error_message), "")

    def _find_range_error(self, score: int) -> str:
        min_round_score = (
            -MAX_ABSOLUTE_SCORE
            if self.min_score is None
            else self.min_score * self.hands_per_round
        )
        max_round_score = (
            MAX_ABSOLUTE_SCORE
            if self.max_score is None
            else self.max_score * self.hands_per_round
        )
        if not min_round_score <= score <= max_round_score:
            message = _("%(figure)s is not between %(low)s and %(high)s.")
            return message % {"figure": score, "low": min_round_score, "high": max_round_score}
        if score % self.step:
            message = _("%(figure)s is not a multiple of %(step)s.")
            return message % {"figure": score, "step": self.step}
        return ""

    def _find_sum_error(self, scores: Sequence[int]) -> str:
        if self.sheet_total is None or sum(scores) == self.sheet_total:
            return ""
        message = _("%(figures)s add up to %(sum)s, not %(wanted)s.")
        scores_text = _(" and ").join(str(score) for score in scores)
        return message % {
            "figures": scores_text,
            "sum": sum(scores),
            "wanted": self.sheet_total,
        }

    def _find_by_cards_error(self, scores: Sequence[int]) -> str:
        """Return a message if a sheet with tricks over six ("by cards") is impossible.

        In each hand, one side scores 1 to 7 and the other side 0.
        """
        if self.kind is not ScoreKind.BY_CARDS:
            return ""
        if self.hands_per_round <= sum(scores) <= 7 * self.hands_per_round and (
            self.hands_per_round > 1 or 0 in scores
        ):
            return ""
        return _("one side scores 1–7 tricks over six in each hand, the other none.")

    def _find_extras_error(self, extra_points: Sequence[int]) -> str:
        if not any(extra_points):
            return ""
        if not self.extras_step:
            return _("this drive has no extras.")
        if len(extra_points) != self.scores_per_sheet or any(
            extra < 0 or extra % self.extras_step for extra in extra_points
        ):
            message = _("enter one number of extras per side, in multiples of %(step)s.")
            return message % {"step": self.extras_step}
        return ""


def choose_input_mode(min_score: int | None) -> str:
    """Return the HTML `inputmode` of a field for scores; `min_score` None means no lower limit.

    The number keyboard of an iPhone has no minus sign, so scores below zero need the text
    keyboard.
    """
    return "text" if min_score is None or min_score < 0 else "numeric"


def normalise_scoring(scoring: Scoring) -> Scoring:
    """Fill in the values that follow from `kind`, e.g. a total of 13 if tricks are scored.

    Raises UnreadableDrive for rules that contradict each other.
    """
    min_score, max_score, total = scoring.min_score, scoring.max_score, scoring.total
    if scoring.kind is ScoreKind.TRICKS:
        if total not in (None, TRICKS_PER_DEAL):
            raise UnreadableDrive(_("the tricks of a hand add up to 13."))
        total, min_score, max_score = TRICKS_PER_DEAL, 0, TRICKS_PER_DEAL
    elif scoring.kind is ScoreKind.BY_CARDS:
        min_score, max_score = 0, TRICKS_PER_DEAL - BOOK_TRICKS
    if min_score is not None and max_score is not None and min_score > max_score:
        raise UnreadableDrive(_("the lowest score is above the highest."))
    return replace(scoring, total=total, min_score=min_score, max_score=max_score)
