"""Version numbers of public content, which the page cache compares.

The transaction that changes an event, a drive or a club increases its version. A cached page is
valid while all versions that it depends on are current.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import connection, transaction

from server.invalidation import KNOWN_VERSIONS, NOTIFY_CHANNEL

_postponed_subjects: ContextVar[set[str] | None] = ContextVar("postponed", default=None)

# the new version is the time in milliseconds, or the old version plus one if the clock was set
# back; therefore no version is used twice, not even after a backup was restored
INCREMENT_VERSION_SQL = """
    INSERT INTO server_publicversion (about, number) VALUES (%s, %s)
    ON CONFLICT (about) DO UPDATE
    SET number = CASE WHEN server_publicversion.number >= excluded.number
                      THEN server_publicversion.number + 1 ELSE excluded.number END
    RETURNING number
"""
# PostgreSQL sends the notification when the transaction commits.
BUMP_AND_NOTIFY_SQL = f"""
    WITH bumped AS ({INCREMENT_VERSION_SQL})
    SELECT number, pg_notify('{NOTIFY_CHANNEL}', %s || ' ' || number) FROM bumped
"""
READ_VERSIONS_SQL = "SELECT about, number FROM server_publicversion WHERE about IN"


@contextmanager
def batch_version_bumps() -> Iterator[None]:
    """Increase each version at most once, at the end of the block.

    Use it in a transaction with many changes of the same objects.
    """
    if _postponed_subjects.get() is not None:
        yield
        return
    subjects: set[str] = set()
    context_token = _postponed_subjects.set(subjects)
    try:
        yield
    finally:
        _postponed_subjects.reset(context_token)
    for subject in sorted(subjects):
        bump_version(subject)


def bump_version(subject: str) -> None:
    """Increase the version of an object, and notify the other processes, with one query."""
    postponed_subjects = _postponed_subjects.get()
    if postponed_subjects is not None:
        postponed_subjects.add(subject)
        return
    now_milliseconds = int(time.time() * 1000)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(BUMP_AND_NOTIFY_SQL, [subject, now_milliseconds, subject])
        else:
            cursor.execute(INCREMENT_VERSION_SQL, [subject, now_milliseconds])
        version = int(cursor.fetchone()[0])
    transaction.on_commit(lambda: KNOWN_VERSIONS.record(subject, version))


def read_versions(subjects: Iterable[str]) -> dict[str, int]:
    """Read versions from the database; 0 for an object without a row.

    On SQLite, each poll of a phone calls it. It uses SQL, because a query of Django takes eight
    times as long.
    """
    subject_list = list(subjects)
    if not subject_list:
        return {}
    placeholders = ", ".join(["%s"] * len(subject_list))
    with connection.cursor() as cursor:
        cursor.execute(f"{READ_VERSIONS_SQL} ({placeholders})", subject_list)
        versions_by_subject = dict(cursor.fetchall())
    return {subject: versions_by_subject.get(subject, 0) for subject in subject_list}


def are_versions_current(versions_by_subject: Mapping[str, int]) -> bool:
    """Return whether these versions, by object, are the newest.

    Without a connected listener (on SQLite, or after a failure) one query is executed.
    """
    if KNOWN_VERSIONS.is_connected:
        return KNOWN_VERSIONS.are_all_current(versions_by_subject)
    return read_versions(versions_by_subject) == versions_by_subject
