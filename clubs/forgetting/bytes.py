"""The file of a database, of which nothing is left that was deleted."""

import logging

from django.db import DatabaseError, connection

log = logging.getLogger(__name__)


def overwrite_what_goes() -> None:
    """Let SQLite write zeros where rows were; PostgreSQL's own housekeeping does it later."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


def write_file_anew() -> None:
    """Write SQLite's file anew without what earlier changes left in it, and empty its journal.

    Where somebody is writing at this moment it is left: the next time does it.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except DatabaseError:
        log.warning("The database was in use, so its file was not written anew.")
