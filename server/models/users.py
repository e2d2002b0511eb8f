"""The user model."""

from collections.abc import Iterator

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.crypto import salted_hmac


class User(AbstractUser):
    """A login (name and password); other apps decide its permissions."""

    # incremented to end all sessions of the login at once
    lock_number = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    # expiry of a first password, which only allows setting a new one
    first_password_until = models.DateTimeField(null=True, blank=True, editable=False)
    # the time from which a second factor is required; None: no factor is required
    factor_due_at = models.DateTimeField(null=True, blank=True, editable=False)

    only_club: int | None = None
    """The primary key of the one club that the request's API token may access; not a column."""

    def can_access_club(self, club_pk: int) -> bool:
        """Return whether the request's API token may access a club."""
        return self.only_club is None or self.only_club == club_pk

    def get_session_auth_hash(self) -> str:
        """Return a hash of the password and the lock number, which every session contains."""
        if not self.lock_number:  # Django's own hash, so that an upgrade signs no one out
            return super().get_session_auth_hash()
        return self._compute_session_hash()

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """Yield the hash of `get_session_auth_hash` with each previous secret key."""
        if not self.lock_number:
            yield from super().get_session_auth_fallback_hash()
            return
        for secret in settings.SECRET_KEY_FALLBACKS:
            yield self._compute_session_hash(secret)

    def _compute_session_hash(self, secret: str | None = None) -> str:
        session_hash_input = f"{self.password}/{self.lock_number}"
        session_hmac = salted_hmac(
            "server.models.User.lock", session_hash_input, secret, algorithm="sha256"
        )
        return session_hmac.hexdigest()
