"""Models of logins: sessions, wrong attempts, API tokens, and the login log."""

from datetime import timedelta
from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from server.private_apis import delete_rows

LOG_RETENTION = timedelta(days=180)
"""The retention period of the login log."""


class SignIn(models.Model):
    """A browser session in which a user is signed in, for the list of sessions."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sign_ins")
    session_key = models.CharField(max_length=40, unique=True)
    at = models.DateTimeField()
    seen_at = models.DateTimeField(help_text=_("to within a few minutes"))
    device = models.CharField(max_length=60)
    address = models.CharField(max_length=45)

    def __str__(self) -> str:
        return f"{self.user} {self.device}"


class WrongTry(models.Model):
    """A wrong sign-in attempt; name and address are stored as keyed hashes."""

    at = models.DateTimeField()
    name = models.CharField(max_length=64)
    address = models.CharField(max_length=64)
    device = models.CharField(max_length=64, blank=True)  # "" for an unknown device

    class Meta:
        indexes = [
            models.Index(fields=["name", "at"], name="wrong_tries_of_a_name"),
            models.Index(fields=["address", "at"], name="wrong_tries_of_an_address"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"


class ApiToken(models.Model):
    """An API token of a login; only its hash is stored."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens"
    )
    name = models.CharField(max_length=60)
    hash = models.CharField(max_length=64, unique=True)
    tail = models.CharField(max_length=4, help_text=_("its last characters, to recognise it"))
    club = models.BigIntegerField(
        null=True, blank=True, help_text=_("the only club it reaches, or empty for all")
    )
    scopes = models.CharField(max_length=30)
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True, help_text=_("to the nearest hour"))

    class Meta:
        constraints = [
            models.CheckConstraint(name="a_token_may_something", condition=~Q(scopes="")),
            models.CheckConstraint(
                name="a_token_ends_after_it_began", condition=Q(ends_at__gt=F("made_at"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} …{self.tail}"


class ImmutableLogError(RuntimeError):
    """Code tried to change or delete an entry of the login log."""


class LoginNoteQuerySet(models.QuerySet["LoginNote"]):
    """The login log: entries can be added, and expired ones deleted."""

    def update(self, **values: Any) -> NoReturn:
        """Raise ImmutableLogError: entries never change."""
        raise ImmutableLogError

    def delete(self) -> NoReturn:
        """Raise ImmutableLogError: only `delete_expired` deletes entries."""
        raise ImmutableLogError

    def delete_expired(self, cutoff_time: Any) -> int:
        """Delete entries from before a time, and return their number."""
        return delete_rows(self.filter(at__lt=cutoff_time))


class LoginNote(models.Model):
    """One entry of the login log: time, login, event, device, and shortened address."""

    class EventKind(models.TextChoices):
        SIGNED_IN = "signed_in", _("signed in")
        WRONG_PASSWORD = "wrong_password", _("wrong password")
        WRONG_FACTOR = "wrong_factor", _("wrong code or passkey")
        THROTTLED = "wait", _("had to wait after too many wrong tries")
        NEW_DEVICE = "new_device", _("signed in from a new device")
        SIGNED_OUT = "signed_out", _("signed out")
        OTHER_DEVICES_SIGNED_OUT = "ended", _("other devices were signed out")
        PASSWORD_CHANGED = "password", _("set a new password")
        FIRST_PASSWORD = "first_password", _("was given a first password")
        PASSWORD_RESET_REQUESTED = "reset_asked", _("asked for a new password by e-mail")
        PASSWORD_RESET = "reset", _("reset the password by e-mail")
        PASSWORD_RESET_ON_SERVER = "reset_here", _("was reset on the server")
        FACTOR_ADDED = "factor_added", _("set up two-step sign-in")
        FACTOR_REMOVED = "factor_removed", _("removed a sign-in step")
        RECOVERY_CODES_CREATED = "codes", _("created new recovery codes")
        TOKEN_CREATED = "token_made", _("created a token")
        TOKEN_USED = "token_used", _("a token was first used")
        TOKEN_REVOKED = "token_ended", _("cancelled a token")
        ROLE_CHANGED = "role", _("role changed")

    at = models.DateTimeField()
    # an entry remains after its login is deleted
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, db_constraint=False
    )
    name = models.CharField(max_length=150)
    what = models.CharField(max_length=20, choices=EventKind)
    device = models.CharField(max_length=60, blank=True)
    address = models.CharField(max_length=45, blank=True, help_text=_("shortened"))
    detail = models.CharField(max_length=100, blank=True)

    objects = LoginNoteQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["user", "at"], name="login_log_of_a_login"),
            models.Index(fields=["at"], name="login_log_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.name} {self.what}"

    def save(self, *args: Any, **options: Any) -> None:
        """Add the entry; raise ImmutableLogError for an existing one."""
        if not self._state.adding:
            raise ImmutableLogError
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        """Raise ImmutableLogError: only `LoginNoteQuerySet.delete_expired` deletes entries."""
        raise ImmutableLogError
