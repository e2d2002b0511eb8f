"""A result as it is written: tricks, or points won and lost, and how a scorer types it."""

from typing import NamedTuple, Self

from django.db import models
from django.utils.translation import gettext_lazy as _


class Outcome(models.TextChoices):
    """What became of a board at a sitting."""

    PLAYED = "played", _("played")
    NOT_PLAYED = "not_played", _("not played")
    CLEARED = "cleared", _("cleared")  # taken back: still to come


class WrittenScore(NamedTuple):
    """One value of a result as it is written: its outcome, and the tricks or the points."""

    outcome: str
    ns_tricks: int | None = None
    ns_points: int | None = None
    ew_points: int | None = None

    @property
    def both(self) -> tuple[int | None, int | None]:
        """What each side has on paper: tricks, of which there are thirteen, or points won."""
        if self.ns_tricks is None:
            return self.ns_points, self.ew_points
        return self.ns_tricks, 13 - self.ns_tricks

    @property
    def made(self) -> int | None:
        """What counts for N-S: tricks, or points won less those lost."""
        if self.ns_points is None or self.ew_points is None:
            return self.ns_tricks
        return self.ns_points - self.ew_points

    @property
    def swapped(self) -> Self:
        """The same with what the two sides have exchanged."""
        ns, ew = self.both
        if self.ns_tricks is not None:
            return self._replace(ns_tricks=ew)
        return self._replace(ns_points=ew, ew_points=ns)

    @property
    def mark(self) -> str:
        """What the score grid shows: "8", in points "120-40", "-" not played, "" for none."""
        if self.outcome != Outcome.PLAYED:
            return "-" if self.outcome == Outcome.NOT_PLAYED else ""
        if self.ns_tricks is not None:
            return str(self.ns_tricks)
        return f"{self.ns_points}-{self.ew_points}"
