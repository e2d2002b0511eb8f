"""The removal of deleted data from the database file."""

import logging

from django.db import DatabaseError, connection

log = logging.getLogger(__name__)


def enable_secure_delete() -> None:
    """Configure SQLite to overwrite deleted rows with zeros.

    PostgreSQL's VACUUM removes them later.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


def vacuum_database() -> None:
    """Rewrite SQLite's database file without deleted data, and empty its journal.

    If another connection is writing, nothing happens until the next run.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except DatabaseError:
        log.warning("The database was in use, so its file still contains deleted data.")
