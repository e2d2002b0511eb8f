"""Outages of the database, the disk and the folder, with a message and a time to retry.

One table serves pages, fragments and the API. An error that is in none of its rows is a bug.
"""

import errno
import logging
import shutil
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils.translation import gettext as _

log = logging.getLogger(__name__)

NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
NOT_ALLOWED = {errno.EROFS, errno.EACCES, errno.EPERM}
MEGABYTE = 1024 * 1024
LOG_INTERVAL_SECONDS = 60.0
"""Seconds between two log lines about the same outage."""


@dataclass(frozen=True, slots=True)
class Outage:
    """Something unavailable without which the program cannot serve requests."""

    code: str
    status: int
    retry_after: int
    """Seconds after which a retry is worthwhile."""
    title: str
    words: str


def outage_of(error: BaseException | None) -> Outage | None:
    """Return the outage that caused an error; None for a bug."""
    for each in _chain(error):
        code = _code(each)
        if code:
            return _outages()[code]
    return None


def _chain(error: BaseException | None) -> list[BaseException]:
    """Yield an error and its causes."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__
    return found


def _code(error: BaseException) -> str:
    if isinstance(error, OSError):
        if error.errno in NO_ROOM:
            return "disk_full"
        return "read_only" if error.errno in NOT_ALLOWED else ""
    if not isinstance(error, DatabaseError | InterfaceError):
        return ""
    if isinstance(error.__cause__, sqlite3.Error):
        return _sqlite_code(error.__cause__)
    if getattr(error.__cause__, "sqlstate", None) in ("53100", "53200"):
        return "disk_full"
    if getattr(error.__cause__, "sqlstate", None) == "25006":
        return "read_only"
    return "database_away" if isinstance(error, OperationalError | InterfaceError) else ""


SQLITE = {
    sqlite3.SQLITE_BUSY: "database_busy",
    sqlite3.SQLITE_LOCKED: "database_busy",
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_CANTOPEN: "read_only",
    sqlite3.SQLITE_PERM: "read_only",
    sqlite3.SQLITE_IOERR: "disk_fails",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
}


def _sqlite_code(error: sqlite3.Error) -> str:
    """Return SQLite's primary error code: the last byte of an extended one."""
    number = getattr(error, "sqlite_errorcode", None)
    return SQLITE.get(number & 0xFF, "") if isinstance(number, int) else ""


def free_megabytes() -> int | None:
    """Return the free space of the data folder."""
    try:
        return shutil.disk_usage(settings.DATA_DIR).free // MEGABYTE
    except OSError:
        return None


def _outages() -> Mapping[str, Outage]:
    return {row.code: row for row in (*_of_the_database(), *_of_the_disk())}


def _of_the_database() -> list[Outage]:
    return [
        Outage(
            "database_away",
            503,
            5,
            _("The database does not answer"),
            _("What you typed is not stored yet. Try again in a moment; an open page does so."),
        ),
        Outage(
            "database_busy",
            503,
            2,
            _("Another program holds the club's file"),
            _("What you typed is not stored yet. Try again in a moment; an open page does so."),
        ),
        Outage(
            "damaged",
            503,
            30,
            _("The club's file is damaged"),
            _(
                "Nothing is written to it any more. Stop Overplay, keep a copy of the file "
                "and start Overplay again: it says which file it is and what to do."
            ),
        ),
    ]


def _of_the_disk() -> list[Outage]:
    stored = _("What is stored is safe.")
    full = [_("Nothing new can be stored until there is room."), stored, _room()]
    locked = _("Whoever looks after this computer allows it to write in its data folder again.")
    fails = _("Nothing new can be stored now. Make a copy of the data folder soon.")
    return [
        Outage(
            "disk_full", 507, 30, _("The disk of this computer is full"), " ".join(full).strip()
        ),
        Outage(
            "disk_fails", 503, 30, _("The disk of this computer does not do its work"), fails
        ),
        Outage(
            "read_only",
            503,
            30,
            _("Overplay may not write in its own folder"),
            f"{locked} {stored}",
        ),
    ]


def _room() -> str:
    free = free_megabytes()
    return "" if free is None else _("%(free)s MB are free.") % {"free": free}


class Quiet:
    """The time at which each outage was last logged."""

    said: dict[str, float] = {}


def log_outage(outage: Outage, error: BaseException) -> None:
    """Log an outage without a traceback, each at most once a minute."""
    now = time.monotonic()
    if now - Quiet.said.get(outage.code, -LOG_INTERVAL_SECONDS) >= LOG_INTERVAL_SECONDS:
        Quiet.said[outage.code] = now
        text = " ".join(str(error).split())[:300]
        log.error("%s: %s (%s)", outage.code, type(error).__name__, text)
