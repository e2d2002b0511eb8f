"""The cached statistics of entries, computed once for each version of the standings."""

from django.db import models
from django.db.models import Q

from tournaments.models import Entry


class EntryFigures(models.Model):
    """An entry's boards compared with other results; a cache that can be recomputed."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="figures")
    version = models.PositiveIntegerField()  # of the standings that it belongs to
    parts = models.CharField(max_length=60)  # an integer: values are in units of 1/parts
    cells = models.JSONField()  # see `seasons.grades.cells.Cell`

    class Meta:
        verbose_name_plural = "entry figures"
        constraints = [
            models.CheckConstraint(name="entry_figures_have_parts", condition=~Q(parts="")),
        ]

    def __str__(self) -> str:
        return f"{self.entry}, version {self.version}"
