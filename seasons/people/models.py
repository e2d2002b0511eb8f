"""The cached statistics of entries, one row for each entry."""

from django.db import models
from django.db.models import Q

from tournaments.models import Entry


class EntryFigures(models.Model):
    """The cached comparison of an entry's boards with the other results on the same boards.

    `seasons.people.services.compute_statistics` can compute the row again at any time.
    """

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="figures")
    version = models.PositiveIntegerField()  # the version of the standings used
    parts = models.CharField(max_length=60)  # the denominator of the sums in `cells`
    cells = models.JSONField()  # see `seasons.grades.cells.Cell`

    class Meta:
        verbose_name_plural = "entry figures"
        constraints = [
            models.CheckConstraint(name="entry_figures_have_parts", condition=~Q(parts="")),
        ]

    def __str__(self) -> str:
        return f"{self.entry}, version {self.version}"
