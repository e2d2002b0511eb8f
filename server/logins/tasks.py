"""Jobs of logins: sending mail, and deleting expired rows."""

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy

from server.jobs.kinds import JobKind, Lane
from server.logins import mails, throttle, tokens
from server.models import LoginNote, WrongTry
from server.models.logins import LOG_RETENTION

CLEANUP_KEY = 0
"""The key of the job that deletes expired rows; there is only one such job."""


def delete_expired_rows(_job_key: int) -> None:
    """Delete expired entries of the login log, wrong attempts and tokens."""
    now = timezone.now()
    LoginNote.objects.delete_expired(now - LOG_RETENTION)
    throttle.delete_expired_attempts(now)
    tokens.delete_expired_tokens(now)


def list_due_cleanup_keys() -> list[int]:
    """Return `[CLEANUP_KEY]`, the key of the deletion job, if any row has expired, else []."""
    now = timezone.now()
    has_expired_rows = LoginNote.objects.filter(at__lt=now - LOG_RETENTION).exists()
    has_expired_rows |= WrongTry.objects.filter(at__lt=now - throttle.ADDRESS_WINDOW).exists()
    return [CLEANUP_KEY] if has_expired_rows else []


DELETE_EXPIRED_NOTES_JOB = JobKind(
    "login_forget",
    title=gettext_lazy("deleting old login log entries"),
    lane=Lane.LATER,
    time_limit=300,
    run=delete_expired_rows,
    find_missing_job_keys=list_due_cleanup_keys,
    # Privacy requires that expired entries are deleted even after a permanent failure.
    retry_failed_after=timedelta(days=1),
)
KINDS = (mails.PASSWORD_RESET_JOB, mails.LOGIN_NOTICE_JOB, DELETE_EXPIRED_NOTES_JOB)
