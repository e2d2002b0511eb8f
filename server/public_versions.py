"""Version numbers of public content, which the page cache compares.

The transaction that changes an event, a drive or a club increases its version. A cached page is
valid while all versions that it depends on are current.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import connection, transaction

from server.invalidation import CHANNEL, KNOWN_VERSIONS
from server.models import PublicVersion

_postponed: ContextVar[set[str] | None] = ContextVar("postponed", default=None)

# The number is the time in milliseconds, or the old number plus one if the clock was set back.
# No number is used twice, not even after a backup was restored.
BUMP_SQL = """
    INSERT INTO server_publicversion (about, number) VALUES (%s, %s)
    ON CONFLICT (about) DO UPDATE
    SET number = CASE WHEN server_publicversion.number >= excluded.number
                      THEN server_publicversion.number + 1 ELSE excluded.number END
    RETURNING number
"""
# PostgreSQL sends the notification when the transaction commits.
BUMP_AND_NOTIFY_SQL = f"""
    WITH bumped AS ({BUMP_SQL})
    SELECT number, pg_notify('{CHANNEL}', %s || ' ' || number) FROM bumped
"""


@contextmanager
def bump_versions_once() -> Iterator[None]:
    """Increase each version at most once, at the end of the block.

    Use it in a transaction with many changes of the same objects.
    """
    if _postponed.get() is not None:
        yield
        return
    abouts: set[str] = set()
    token = _postponed.set(abouts)
    try:
        yield
    finally:
        _postponed.reset(token)
    for about in sorted(abouts):
        bump_version(about)


def bump_version(about: str) -> None:
    """Increase the version of an object and notify the other processes; one query."""
    postponed = _postponed.get()
    if postponed is not None:
        postponed.add(about)
        return
    now = int(time.time() * 1000)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(BUMP_AND_NOTIFY_SQL, [about, now, about])
        else:
            cursor.execute(BUMP_SQL, [about, now])
        number = int(cursor.fetchone()[0])
    transaction.on_commit(lambda: KNOWN_VERSIONS.record(about, number))


def read_versions(abouts: Iterable[str]) -> dict[str, int]:
    """Read versions from the database; 0 for an object without a row."""
    keys = list(abouts)
    rows = PublicVersion.objects.filter(about__in=keys)
    numbers_by_key = dict(rows.values_list("about", "number"))
    return {about: numbers_by_key.get(about, 0) for about in keys}


def are_current(versions: Mapping[str, int]) -> bool:
    """Return whether these versions are the newest.

    Without a connected listener (on SQLite, or after a failure) it reads them in one query.
    """
    if KNOWN_VERSIONS.is_connected:
        return KNOWN_VERSIONS.has_nothing_newer(versions)
    return read_versions(versions) == versions
