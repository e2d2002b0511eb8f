"""The model for fetches of bookings from a club's server."""

from urllib.parse import urlsplit

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club


class BookingFetch(models.Model):
    """The last fetch of a club's bookings: the request for the worker, and its outcome."""

    class State(models.TextChoices):
        WAITING = "wanted", _("waiting")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    club = models.OneToOneField(Club, models.CASCADE, related_name="booking_fetch")
    address = models.CharField(max_length=300)  # https://riverside.example/api/clubs/riverside/
    sealed_token = models.TextField(blank=True)  # encrypted; "" after the fetch
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    by = models.CharField(max_length=150)  # username of the login that queued it
    asked_at = models.DateTimeField()
    counts = models.JSONField(default=dict, blank=True)  # {"new": 3, "changed": 0, "gone": 1}
    skipped = models.JSONField(default=list, blank=True)  # names that were already booked
    # the reasons of the failure, a sentence each
    problems = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name_plural = "booking fetches"
        constraints = [
            models.CheckConstraint(
                name="booking_fetch_has_a_token_only_while_wanted",
                condition=Q(state="wanted") | Q(sealed_token=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club} from {self.address}, {self.state}"

    @property
    def host(self) -> str:
        """The host name of the club's server."""
        return urlsplit(self.address).hostname or ""

    @property
    def is_waiting(self) -> bool:
        """Whether the fetch is still waiting for a worker."""
        return self.state == self.State.WAITING

    @property
    def counts_text(self) -> str:
        """The numbers of new, changed and cancelled bookings as text; "" unless done."""
        return format_fetch_counts(**self.counts) if self.state == self.State.DONE else ""


def format_fetch_counts(new: int, changed: int, gone: int) -> str:
    """Return the numbers of new, changed and cancelled bookings as text.

    The parameters are the keys of `BookingFetch.counts`, which are stored.
    """
    if not (new or changed or gone):
        return gettext("Nothing new.")
    message = gettext("%(new)s new, %(changed)s changed, %(gone)s cancelled.")
    return message % {"new": new, "changed": changed, "gone": gone}
