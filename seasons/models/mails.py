"""Letters with results: one a person and version of an evening's standings."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from tournaments.models import Event


class ResultsMail(models.Model):
    """A letter to one person about one evening; of its words nothing is kept."""

    class State(models.TextChoices):
        WAITS = "waits", _("waits")
        GOING = "going", _("is being sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not sent")

    event = models.ForeignKey(Event, models.CASCADE, related_name="result_mails")
    player = models.ForeignKey(Player, models.CASCADE, related_name="result_mails")
    version = models.PositiveIntegerField()  # of the standings that it tells
    state = models.CharField(max_length=10, choices=State, default=State.WAITS)
    tries = models.PositiveSmallIntegerField(default=0)  # a second may have sent it twice
    error = models.CharField(max_length=200, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "player", "version"], name="one_results_mail_a_version"
            ),
            models.CheckConstraint(
                name="results_mail_state_is_known",
                condition=Q(state__in=["waits", "going", "sent", "failed"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}, {self.player_id}: {self.state}"
