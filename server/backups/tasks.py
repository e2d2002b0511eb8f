"""The background job that makes backups: after a session, every night, and on request."""

import json
import logging
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy

from server.backups import store
from server.backups.create import BackupFailed, BackupRequest, create_backup_and_clean_up
from server.jobs.kinds import JobKind, Lane
from server.jobs.outbox import enqueue
from server.models import Installed

log = logging.getLogger(__name__)

REQUESTED_BACKUP_KEY, AFTER_SESSION_BACKUP_KEY, NIGHTLY_BACKUP_KEY = 0, 1, 2
"""Keys of backup jobs, by the reason for the backup."""
BACKUP_KINDS_BY_JOB_KEY = {
    REQUESTED_BACKUP_KEY: "asked",
    AFTER_SESSION_BACKUP_KEY: "session",
    NIGHTLY_BACKUP_KEY: "night",
}
BACKUP_DELAY_SECONDS = 60.0
"""The seconds between closing a session and its backup, which then includes first corrections.
"""
FAILURE_FILE = "trouble.json"
"""The file in the folder of backups with the time and reason of the last failure."""


def run_backup_job(job_key: int) -> None:
    """Create a backup; on failure store the reason, which the backups page shows."""
    folder = settings.BACKUP_DIR
    try:
        create_backup_and_clean_up(
            BackupRequest(kind=BACKUP_KINDS_BY_JOB_KEY.get(job_key, "asked"), folder=folder)
        )
    except BackupFailed as error:
        log.error("No backup: %s", error)
        failure_data = {"at": timezone.now().isoformat(), "words": str(error)}
        with suppress(OSError):
            (folder / FAILURE_FILE).write_text(json.dumps(failure_data), "utf-8")
        raise (error.__cause__ if isinstance(error.__cause__, OSError) else error) from None
    (folder / FAILURE_FILE).unlink(missing_ok=True)


def read_last_failure(folder: Path) -> tuple[datetime, str] | None:
    """Return the time and reason of the last backup's failure, or None if it succeeded."""
    try:
        failure_data = json.loads((folder / FAILURE_FILE).read_text("utf-8"))
        return datetime.fromisoformat(failure_data["at"]), str(failure_data["words"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def list_due_backup_keys() -> list[int]:
    """Return `[NIGHTLY_BACKUP_KEY]`, the key of the nightly backup, if it is due, else []."""
    if not settings.HAS_AUTOMATIC_BACKUPS or not Installed.objects.exists():
        return []
    newest_backup = store.find_newest_good_backup(store.list_backups(settings.BACKUP_DIR))
    is_backup_due = (
        newest_backup is None
        or timezone.now() - newest_backup.created_at > store.MAX_NIGHTLY_BACKUP_AGE
    )
    return [NIGHTLY_BACKUP_KEY] if is_backup_due else []


def enqueue_backup(job_key: int) -> None:
    """Enqueue a backup in the current transaction.

    An automatic backup is not enqueued if automatic backups are disabled.
    """
    if job_key == REQUESTED_BACKUP_KEY or settings.HAS_AUTOMATIC_BACKUPS:
        enqueue(BACKUP_JOB, job_key)


def is_backup_overdue(now: datetime) -> bool:
    """Return whether there has been no good backup for longer than BACKUP_WARNING_AGE."""
    backups = store.list_backups(settings.BACKUP_DIR)
    newest_backup = store.find_newest_good_backup(backups)
    if newest_backup is not None:
        return now - newest_backup.created_at > store.BACKUP_WARNING_AGE
    attempt_times = [backup.created_at for backup in backups]
    if failure_time_and_reason := read_last_failure(settings.BACKUP_DIR):
        attempt_times.append(failure_time_and_reason[0])
    return bool(attempt_times) and now - min(attempt_times) > store.BACKUP_WARNING_AGE


BACKUP_JOB = JobKind(
    "backup",
    title=gettext_lazy("making a backup"),
    lane=Lane.LATER,
    time_limit=3600,
    run=run_backup_job,
    find_missing_job_keys=list_due_backup_keys,
    retry_failed_after=store.MAX_NIGHTLY_BACKUP_AGE,  # the next night's job retries it
    compute_delay_seconds=lambda job_key: (
        BACKUP_DELAY_SECONDS if job_key == AFTER_SESSION_BACKUP_KEY else 0.0
    ),
)
KINDS = (BACKUP_JOB,)
