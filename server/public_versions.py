"""Version numbers of public content, increased with each change and compared by the page cache.

The transaction that changes an event, a drive or a club increases its version. A cached page is
valid while the versions of everything it shows are current, however old it is.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import connection, transaction

from server.invalidation import CHANNEL, KNOWN_VERSIONS
from server.models import PublicVersion

_postponed: ContextVar[set[str] | None] = ContextVar("postponed", default=None)

# The number is the time in milliseconds, or one more than it was if the clock has been set
# back: no number is used twice, not even after a backup has been restored.
BUMP_SQL = """
    INSERT INTO server_publicversion (about, number) VALUES (%s, %s)
    ON CONFLICT (about) DO UPDATE
    SET number = CASE WHEN server_publicversion.number >= excluded.number
                      THEN server_publicversion.number + 1 ELSE excluded.number END
    RETURNING number
"""
# PostgreSQL delivers the notification when the transaction commits.
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
    wanted = list(abouts)
    rows = PublicVersion.objects.filter(about__in=wanted)
    found = dict(rows.values_list("about", "number"))
    return {about: found.get(about, 0) for about in wanted}


def are_current(versions: Mapping[str, int]) -> bool:
    """Return whether these versions are the newest ones.

    Without a listener (SQLite, or a lost connection) it reads them from the database in one
    query.
    """
    if KNOWN_VERSIONS.is_connected:
        return KNOWN_VERSIONS.has_nothing_newer(versions)
    return read_versions(versions) == versions
