"""Jobs of logins: sending mail, and deleting expired rows."""

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy

from server.jobs.kinds import JobKind, Lane
from server.logins import mails, throttle, tokens
from server.models import LoginNote, WrongTry
from server.models.logins import LOG_RETENTION

CLEANUP_KEY = 0
"""The object key of the job that deletes expired rows; there is one such job."""


def delete_expired(_about: int) -> None:
    """Delete expired entries of the login log, wrong attempts and tokens."""
    now = timezone.now()
    LoginNote.objects.delete_expired(now - LOG_RETENTION)
    throttle.delete_expired_attempts(now)
    tokens.delete_expired_tokens(now)


def find_expired() -> list[int]:
    """Return the key of the deletion job if any row has expired."""
    now = timezone.now()
    is_old = LoginNote.objects.filter(at__lt=now - LOG_RETENTION).exists()
    is_old |= WrongTry.objects.filter(at__lt=now - throttle.ADDRESS_WINDOW).exists()
    return [CLEANUP_KEY] if is_old else []


DELETE_EXPIRED_JOB = JobKind(
    "login_forget",
    title=gettext_lazy("deleting old lines of the login log"),
    lane=Lane.LATER,
    time_limit=300,
    run=delete_expired,
    find_missing=find_expired,
    retry_failed_after=timedelta(
        days=1
    ),  # privacy: expired entries must be deleted even after a failure
)
KINDS = (mails.RESET_JOB, mails.NOTICE_JOB, DELETE_EXPIRED_JOB)
