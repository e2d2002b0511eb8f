"""The models of published results: sent and received documents, exports, e-mails, tables."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from seasons.ladders.models import Season
from tournaments.models import Event


class Destination(models.Model):
    """The server to which a club's results are uploaded, with the encrypted access token."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="destination")
    address = models.URLField(max_length=200)  # https://riverside.example/api/clubs/riverside/
    sealed_token = models.TextField()
    is_automatic = models.BooleanField(default=False)  # True: upload when an evening closes
    trouble = models.TextField(blank=True, default="")  # why the last upload failed, as text
    tries = models.PositiveSmallIntegerField(default=0)  # failed uploads since the last success
    next_at = models.DateTimeField(null=True, blank=True)  # time of the next retry
    # changes up to this time are uploaded
    looked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.club}: {self.address}"


class Publication(models.Model):
    """The upload state of one document of this computer, identified by the document's uid."""

    class State(models.TextChoices):
        WAITING = "waits", _("waiting")
        SENT = "sent", _("sent")
        REFUSED = "refused", _("not accepted")
        CONFLICT = "twice", _("conflict: another computer has sent this event")
        OVERRIDING = "ours", _("waiting to be sent again (you chose this copy)")
        WITHDRAWING = "going", _("being withdrawn")
        WITHDRAWN = "withdrawn", _("withdrawn")

    club = models.ForeignKey(Club, models.CASCADE, related_name="publications")
    uid = models.UUIDField()
    name = models.CharField(max_length=200)
    version = models.PositiveIntegerField(default=0)  # the version on the server; 0: none
    digest = models.CharField(max_length=64, blank=True, default="")  # SHA-256 of this version
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
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
    """The newest version of a document that a club has sent to this server."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="received")
    uid = models.UUIDField()
    kind = models.CharField(max_length=10)  # event, season or drive
    slug = models.SlugField(max_length=80)  # in its URL on this server
    name = models.CharField(max_length=200)
    day = models.DateField()  # the date of the evening, or the last day of the season
    version = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    document = models.JSONField()  # see `seasons.publishing.documents`; {} once withdrawn
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
    """The record of one received version: its time and reason, without the content."""

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


class ClubFile(models.Model):
    """A requested zip export of a club; the file is in DATA_DIR until it expires."""

    class Kind(models.TextChoices):
        SITE = "site", _("web pages")
        ALL_TABLES = "everything", _("tables")

    class State(models.TextChoices):
        WAITING = "wanted", _("waiting")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    club = models.ForeignKey(Club, models.CASCADE, related_name="files")
    kind = models.CharField(max_length=10, choices=Kind)
    # the season to export; None: the whole club
    season = models.ForeignKey(
        Season, models.CASCADE, related_name="files", null=True, blank=True
    )
    in_full = models.BooleanField(default=False)  # True: full names and contacts, for owners
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    by = models.CharField(max_length=150)  # the login that requested it
    asked_at = models.DateTimeField()
    parts = models.PositiveIntegerField(default=0)  # the number of files in the zip
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="club_file_kind_is_known",
                condition=models.Q(kind__in=["site", "everything"]),
            ),
            models.CheckConstraint(
                name="club_file_error_only_when_failed",
                condition=models.Q(state="failed") | models.Q(error=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.club}, {self.state}"


class ResultsMail(models.Model):
    """A results e-mail to one person about one event; its text is not stored."""

    class State(models.TextChoices):
        WAITING = "waits", _("waiting")
        SENDING = "going", _("sending")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not sent")

    event = models.ForeignKey(Event, models.CASCADE, related_name="result_mails")
    player = models.ForeignKey(Player, models.CASCADE, related_name="result_mails")
    version = models.PositiveIntegerField()  # the version of the standings in the e-mail
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)  # attempts; a retry may send it twice
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


class EventTables(models.Model):
    """The cached export tables of an event; `stamp` changes whenever their sources change."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="kept_tables")
    stamp = models.CharField(
        max_length=64
    )  # see `seasons.publishing.services.compute_table_stamps`
    body = models.BinaryField()

    class Meta:
        verbose_name_plural = "event tables"
        constraints = [
            models.UniqueConstraint(
                fields=["event", "stamp"], name="one_kept_tables_of_an_event_and_stamp"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}, {self.stamp[:8]}"
