"""Who did what and when."""

from django.db import models


class Act(models.Model):
    """Who did what, when, from what to what; plain text that outlives what it tells of."""

    at = models.DateTimeField()
    by = models.CharField(max_length=150)
    via = models.CharField(max_length=20)
    action = models.CharField(max_length=40)
    club = models.CharField(max_length=60)
    event = models.CharField(max_length=80, blank=True, db_index=True)
    subject = models.CharField(max_length=200, blank=True)
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    back = models.JSONField(
        default=dict, blank=True
    )  # what takes it back: about, call, given (see clubs.audit.Back); never a card
    undoes = models.OneToOneField(
        "self", models.PROTECT, related_name="undone_by", null=True, blank=True
    )

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.by}: {self.action} {self.subject}"
