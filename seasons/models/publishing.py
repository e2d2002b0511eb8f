"""What goes to a club's server, and what has come to this one."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club


class Destination(models.Model):
    """The server that shows a club's results, and the sealed token that lets it send."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="destination")
    address = models.URLField(max_length=200)  # https://riverside.example/api/clubs/riverside/
    sealed_token = models.TextField()
    is_automatic = models.BooleanField(default=False)  # when an evening closes
    trouble = models.TextField(blank=True, default="")  # why nothing went, in words
    tries = models.PositiveSmallIntegerField(default=0)  # in vain, since anything went
    next_at = models.DateTimeField(null=True, blank=True)  # when it is tried again
    looked_at = models.DateTimeField(null=True, blank=True)  # up to when changes are sent

    def __str__(self) -> str:
        return f"{self.club}: {self.address}"


class Publication(models.Model):
    """A document as it was sent last, or waits to be sent; by its lasting name."""

    class State(models.TextChoices):
        WAITS = "waits", _("waits")
        SENT = "sent", _("sent")
        REFUSED = "refused", _("refused")
        TWICE = "twice", _("two computers hold it")
        OURS = "ours", _("waits, as the right one of two")
        GOING = "going", _("is being withdrawn")
        WITHDRAWN = "withdrawn", _("withdrawn")

    club = models.ForeignKey(Club, models.CASCADE, related_name="publications")
    uid = models.UUIDField()
    name = models.CharField(max_length=200)
    version = models.PositiveIntegerField(default=0)  # that the server has; 0 is none
    digest = models.CharField(max_length=64, blank=True, default="")  # of that version
    state = models.CharField(max_length=10, choices=State, default=State.WAITS)
    error = models.TextField(blank=True, default="")
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "uid"], name="one_publication_a_uid"),
        ]

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"


class Received(models.Model):
    """A document that a club has sent here: its newest version, which pages show."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="received")
    uid = models.UUIDField()
    kind = models.CharField(max_length=10)  # event, season or drive
    slug = models.SlugField(max_length=80)  # in its address here
    name = models.CharField(max_length=200)
    day = models.DateField()  # of the evening, or the season's last
    version = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    document = models.JSONField()  # as `seasons.published` reads it; {} once withdrawn
    received_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-day", "-pk"]
        verbose_name_plural = "received"
        constraints = [
            models.UniqueConstraint(fields=["club", "uid"], name="one_received_a_uid"),
            models.UniqueConstraint(
                fields=["club", "kind", "slug"], name="one_received_an_address"
            ),
            models.CheckConstraint(
                name="received_kind_is_known",
                condition=Q(kind__in=["event", "season", "drive"]),
            ),
            models.CheckConstraint(
                name="received_versions_count_from_one", condition=Q(version__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"


class ReceivedVersion(models.Model):
    """When a version came, and why it followed the one before; its content is not kept."""

    received = models.ForeignKey(Received, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    reason = models.CharField(max_length=200, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["received", "number"], name="one_received_version_a_number"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.received.name}, version {self.number}"
