"""Who signs in."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.crypto import salted_hmac


class User(AbstractUser):
    """A login; what it may do is said by the rooms above."""

    lock_number = models.PositiveIntegerField(
        default=0, db_default=0, editable=False
    )  # raised to end every session of the login at once
    first_password_until = models.DateTimeField(
        null=True, blank=True, editable=False
    )  # how long a password that somebody handed out opens the page for a new one
    factor_due_at = models.DateTimeField(
        null=True, blank=True, editable=False
    )  # from when on nothing is shown without a second factor; None asks for none

    only_club: int | None = None
    """The club beyond which a program's token does not reach; no column."""

    def reaches(self, club: int) -> bool:
        """Whether the way it came in leads to a club: a token may be for one alone."""
        return self.only_club is None or self.only_club == club

    def _get_session_auth_hash(self, secret: Any = None) -> str:
        """Bind sessions to the password, as Django does, and to the number of the lock."""
        if not self.lock_number:  # so nobody is signed out by an upgrade
            return str(super()._get_session_auth_hash(secret))  # type: ignore[misc]  # private
        bound = f"{self.password}/{self.lock_number}"
        salted = salted_hmac("server.models.User.lock", bound, secret, algorithm="sha256")
        return salted.hexdigest()
