"""Who did what and when."""

from django.db import models


class Act(models.Model):
    """Who did what, when, from what to what; codes and data that outlive what they tell of.

    It has no foreign key and no sentence: it reads in any language, and when its thing is gone.
    """

    at = models.DateTimeField()
    by = models.CharField(max_length=150)  # a login, or whoever has none (see clubs.audit.who)
    way = models.CharField(max_length=20)  # by what way it came: "pages", "api", "phone"
    action = models.CharField(max_length=40)  # a code: "entry.renamed"
    club = models.CharField(max_length=60)
    about = models.CharField(max_length=100, db_index=True)  # "event:tuesday-17", "club:ours"
    where = models.JSONField(default=dict, blank=True)  # which part of it: {"session": 2}
    before = models.JSONField(default=dict, blank=True)  # what stood there, by names
    after = models.JSONField(default=dict, blank=True)  # what stands there now
    back = models.JSONField(
        default=dict, blank=True
    )  # what takes it back: about, call, given (see clubs.audit.Back); never a card
    undoes = models.OneToOneField(
        "self", models.PROTECT, related_name="undone_by", null=True, blank=True
    )

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.by}: {self.action}, {self.about}"
