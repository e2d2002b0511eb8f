"""What evenings were to their entries, worked out once for each version of the standings."""

from django.db import models
from django.db.models import Q

from tournaments.models import Entry


class EntryFigures(models.Model):
    """The boards of an entry against what others made of them; it can be worked out again."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="figures")
    version = models.PositiveIntegerField()  # of the standings that it was made beside
    parts = models.CharField(max_length=60)  # a whole number: figures are in such parts
    cells = models.JSONField()  # see `seasons.grades.cells.Cell`

    class Meta:
        verbose_name_plural = "entry figures"
        constraints = [
            models.CheckConstraint(name="entry_figures_have_parts", condition=~Q(parts="")),
        ]

    def __str__(self) -> str:
        return f"{self.entry}, version {self.version}"
