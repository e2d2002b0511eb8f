"""Jobs of logins: mail is sent, and expired entries are deleted."""

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy

from server.jobs.kinds import Kind, Lane
from server.logins import mails, throttle, tokens
from server.models import LoginNote, WrongTry
from server.models.logins import LOG_RETENTION

ALL = 0
"""The key of the job that deletes expired entries."""


def delete_expired(_about: int) -> None:
    """Delete expired lines of the log, wrong attempts and tokens."""
    now = timezone.now()
    LoginNote.objects.forget(now - LOG_RETENTION)
    throttle.delete_expired_attempts(now)
    tokens.delete_expired_tokens(now)


def find_expired() -> list[int]:
    """Return one key if any entry is too old, else none."""
    now = timezone.now()
    is_old = LoginNote.objects.filter(at__lt=now - LOG_RETENTION).exists()
    is_old |= WrongTry.objects.filter(at__lt=now - throttle.ADDRESS_WINDOW).exists()
    return [ALL] if is_old else []


FORGET = Kind(
    "login_forget",
    title=gettext_lazy("old lines of the login log to be forgotten"),
    lane=Lane.LATER,
    time_limit=300,
    run=delete_expired,
    find_missing=find_expired,
    retry_failed_after=timedelta(days=1),  # entries must be deleted even after a failure
)
KINDS = (mails.RESET, mails.WORD, FORGET)
