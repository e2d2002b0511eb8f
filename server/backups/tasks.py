"""Automatic backups: after a session, once a day, and on request."""

import json
import logging
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy

from server.backups import store
from server.backups.making import NoBackup, Wish, make_and_store
from server.jobs.kinds import Kind, Lane
from server.jobs.outbox import enqueue
from server.models import Installed

log = logging.getLogger(__name__)

ASKED, SESSION, NIGHT = 0, 1, 2
"""The key of a backup's job: the reason for the backup."""
WHY = {ASKED: "asked", SESSION: "session", NIGHT: "night"}
DELAY_SECONDS = 60.0
"""Seconds after a session is closed, so that corrections of the first minute are included."""
TROUBLE = "trouble.json"


def make_ordered_backup(about: int) -> None:
    """Make a backup; the reason of a failure is stored for the page."""
    folder = settings.BACKUP_DIR
    try:
        make_and_store(Wish(kind=WHY.get(about, "asked"), folder=folder))
    except NoBackup as error:
        log.error("No backup: %s", error)
        note = {"at": timezone.now().isoformat(), "words": str(error)}
        with suppress(OSError):
            (folder / TROUBLE).write_text(json.dumps(note), "utf-8")
        raise (error.__cause__ if isinstance(error.__cause__, OSError) else error) from None
    (folder / TROUBLE).unlink(missing_ok=True)


def last_failure(folder: Path) -> tuple[datetime, str] | None:
    """Return when and why the last backup failed; None if it did not."""
    try:
        note = json.loads((folder / TROUBLE).read_text("utf-8"))
        return datetime.fromisoformat(note["at"]), str(note["words"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def find_missing() -> list[int]:
    """Return the nightly backup if the newest good one is too old."""
    if not settings.BACKUP_BY_ITSELF or not Installed.objects.exists():
        return []
    newest = store.newest_good(store.list_backups(settings.BACKUP_DIR))
    is_old = newest is None or timezone.now() - newest.at > store.MAX_NIGHTLY_AGE
    return [NIGHT] if is_old else []


def enqueue_backup(about: int) -> None:
    """Enqueue a backup with the current change, unless automatic backups are off."""
    if about == ASKED or settings.BACKUP_BY_ITSELF:
        enqueue(BACKUP, about)


def is_overdue(now: datetime) -> bool:
    """Return whether there has been no good backup for too long."""
    kept = store.list_backups(settings.BACKUP_DIR)
    newest = store.newest_good(kept)
    if newest is not None:
        return now - newest.at > store.WARNING_AGE
    tried = [each.at for each in kept]
    if failed := last_failure(settings.BACKUP_DIR):
        tried.append(failed[0])
    return bool(tried) and now - min(tried) > store.WARNING_AGE


BACKUP = Kind(
    "backup",
    title=gettext_lazy("a backup to be made"),
    lane=Lane.LATER,
    time_limit=3600,
    run=make_ordered_backup,
    find_missing=find_missing,
    retry_failed_after=store.MAX_NIGHTLY_AGE,  # a failed backup is retried the next night
    countdown=lambda about: DELAY_SECONDS if about == SESSION else 0.0,
)
KINDS = (BACKUP,)
