"""The written form of a result, in tricks or points, and as text in the score grid."""

from typing import NamedTuple, Self

from django.db import models
from django.utils.translation import gettext_lazy as _


class Outcome(models.TextChoices):
    """The outcome of a board at a sitting."""

    PLAYED = "played", _("played")
    NOT_PLAYED = "not_played", _("not played")
    CLEARED = "cleared", _("cleared")  # deleted: the result is missing again


class WrittenScore(NamedTuple):
    """One value of a result: its outcome, and the tricks or the points of both sides."""

    outcome: str
    ns_tricks: int | None = None
    ns_points: int | None = None
    ew_points: int | None = None

    @property
    def side_values(self) -> tuple[int | None, int | None]:
        """The numbers of N-S and E-W as written on paper: the tricks or the points won."""
        if self.ns_tricks is None:
            return self.ns_points, self.ew_points
        return self.ns_tricks, 13 - self.ns_tricks

    @property
    def ns_value(self) -> int | None:
        """The value for N-S: tricks, or points won less points lost."""
        if self.ns_points is None or self.ew_points is None:
            return self.ns_tricks
        return self.ns_points - self.ew_points

    @property
    def swapped_score(self) -> Self:
        """The same score with the two sides exchanged."""
        ns_value, ew_value = self.side_values
        if self.ns_tricks is not None:
            return self._replace(ns_tricks=ew_value)
        return self._replace(ns_points=ew_value, ew_points=ns_value)

    @property
    def mark(self) -> str:
        """The text in the score grid: "8", in points "120-40", "-" if not played, "" if
        empty.
        """
        if self.outcome != Outcome.PLAYED:
            return "-" if self.outcome == Outcome.NOT_PLAYED else ""
        if self.ns_tricks is not None:
            return str(self.ns_tricks)
        return f"{self.ns_points}-{self.ew_points}"
