"""The model of the audit log."""

from django.db import models


class Act(models.Model):
    """One recorded change: its author, its time, and the values before and after it.

    An act stores codes and data instead of text, so that pages can translate it. The subject
    is not a foreign key, because acts remain after their subject is deleted.
    """

    at = models.DateTimeField()
    by = models.CharField(max_length=150)  # see clubs.audit.format_author_key
    way = models.CharField(max_length=20)  # the source of the request, e.g. "api"
    action = models.CharField(max_length=40)  # the action code: "entry.renamed"
    club = models.CharField(max_length=60)
    about = models.CharField(max_length=100, db_index=True)  # "event:tuesday-17", "club:ours"
    where = models.JSONField(default=dict, blank=True)  # the changed part: {"session": 2}
    before = models.JSONField(default=dict, blank=True)  # the old values by name
    after = models.JSONField(default=dict, blank=True)  # the new values by name
    # the undo data (see clubs.audit.Undo), which never contain cards
    back = models.JSONField(default=dict, blank=True)
    undoes = models.OneToOneField(
        "self", models.PROTECT, related_name="undone_by", null=True, blank=True
    )

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.by}: {self.action}, {self.about}"
