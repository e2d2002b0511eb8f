"""Outages of the database and the disk, with their messages and retry times.

Pages, fragments and the API use the same outages. Any other error is a bug.
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

DISK_FULL_ERRORS = {errno.ENOSPC, errno.EDQUOT}
NOT_WRITABLE_ERRORS = {errno.EROFS, errno.EACCES, errno.EPERM}
MEGABYTE_BYTES = 1024 * 1024
LOG_INTERVAL_SECONDS = 60.0
"""The minimum seconds between two log lines about the same outage."""


@dataclass(frozen=True, slots=True)
class Outage:
    """A kind of outage: its code, HTTP status, message and retry time."""

    code: str
    status: int
    retry_after_seconds: int
    """The seconds after which the client should retry."""
    title: str
    message: str


def find_outage(error: BaseException | None) -> Outage | None:
    """Return the outage that caused an error, or None for a bug."""
    for error_or_cause in _list_causes(error):
        outage_code = _find_outage_code(error_or_cause)
        if outage_code:
            return _build_outages()[outage_code]
    return None


def _list_causes(error: BaseException | None) -> list[BaseException]:
    """Return an error and its chain of causes."""
    causes: list[BaseException] = []
    while error is not None and error not in causes:
        causes.append(error)
        error = error.__cause__
    return causes


def _find_outage_code(error: BaseException) -> str:
    if isinstance(error, OSError):
        if error.errno in DISK_FULL_ERRORS:
            return "disk_full"
        return "read_only" if error.errno in NOT_WRITABLE_ERRORS else ""
    if not isinstance(error, DatabaseError | InterfaceError):
        return ""
    if isinstance(error.__cause__, sqlite3.Error):
        return _find_sqlite_outage_code(error.__cause__)
    if getattr(error.__cause__, "sqlstate", None) in ("53100", "53200"):
        return "disk_full"
    if getattr(error.__cause__, "sqlstate", None) == "25006":
        return "read_only"
    return "database_away" if isinstance(error, OperationalError | InterfaceError) else ""


OUTAGE_CODES_BY_SQLITE_CODE = {
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


def _find_sqlite_outage_code(error: sqlite3.Error) -> str:
    """Return the outage code for an SQLite error, or "".

    Only the last byte of SQLite's error code is compared, which is the primary code.
    """
    error_code = getattr(error, "sqlite_errorcode", None)
    return (
        OUTAGE_CODES_BY_SQLITE_CODE.get(error_code & 0xFF, "")
        if isinstance(error_code, int)
        else ""
    )


def measure_free_megabytes() -> int | None:
    """Return the free disk space of the data folder, or None if it is unknown."""
    try:
        return shutil.disk_usage(settings.DATA_DIR).free // MEGABYTE_BYTES
    except OSError:
        return None


def _build_outages() -> Mapping[str, Outage]:
    return {
        outage.code: outage for outage in (*_build_database_outages(), *_build_disk_outages())
    }


def _build_database_outages() -> list[Outage]:
    return [
        Outage(
            "database_away",
            503,
            5,
            _("The database doesn’t respond"),
            _(
                "Your last entry isn’t saved yet. Try again in a moment. An open page "
                "retries automatically."
            ),
        ),
        Outage(
            "database_busy",
            503,
            2,
            _("Another program is using the club’s file"),
            _(
                "Your last entry isn’t saved yet. Try again in a moment. An open page "
                "retries automatically."
            ),
        ),
        Outage(
            "damaged",
            503,
            30,
            _("The club’s file is damaged"),
            _(
                "Nothing more will be saved to it. Stop Overplay, copy the "
                "file and start again. Overplay will show what to do."
            ),
        ),
    ]


def _build_disk_outages() -> list[Outage]:
    advice = _("Saved data is safe.")
    disk_full_texts = [
        _("Nothing new can be saved until there’s space."),
        advice,
        _format_free_space(),
    ]
    not_writable_text = _(
        "Ask the person who runs this computer to let Overplay write to its data folder."
    )
    disk_error_text = _("Nothing new can be saved now. Copy the data folder soon.")
    return [
        Outage(
            "disk_full",
            507,
            30,
            _("This computer’s disk is full"),
            " ".join(disk_full_texts).strip(),
        ),
        Outage("disk_fails", 503, 30, _("This computer’s disk isn’t working"), disk_error_text),
        Outage(
            "read_only",
            503,
            30,
            _("Overplay can’t write in its own folder"),
            f"{not_writable_text} {advice}",
        ),
    ]


def _format_free_space() -> str:
    free_megabytes = measure_free_megabytes()
    return "" if free_megabytes is None else _("%(free)s MB free.") % {"free": free_megabytes}


class OutageLog:
    """The time at which each outage was last logged."""

    logged_at_by_code: dict[str, float] = {}


def log_outage(outage: Outage, error: BaseException) -> None:
    """Log an outage without a traceback, at most once a minute for each code."""
    now = time.monotonic()
    if (
        now - OutageLog.logged_at_by_code.get(outage.code, -LOG_INTERVAL_SECONDS)
        >= LOG_INTERVAL_SECONDS
    ):
        OutageLog.logged_at_by_code[outage.code] = now
        error_text = " ".join(str(error).split())[:300]
        log.error("%s: %s (%s)", outage.code, type(error).__name__, error_text)
