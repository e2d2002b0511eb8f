"""Open a second database with Django in addition to the default one."""

import copy
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler, load_backend

SQLITE_ENGINE = "django.db.backends.sqlite3"


def build_sqlite_settings(path: Path) -> dict[str, Any]:
    """Return Django's database settings for an SQLite file."""
    return {"ENGINE": SQLITE_ENGINE, "NAME": str(path)}


def copy_database_settings(
    connection: BaseDatabaseWrapper, database_name: str = ""
) -> dict[str, Any]:
    """Return a connection's database settings, with another database name if one is given."""
    database_settings = copy.deepcopy(dict(connection.settings_dict))
    database_settings["CONN_MAX_AGE"] = 0
    if database_name:
        database_settings["NAME"] = database_name
    return database_settings


@contextmanager
def open_extra_connection(database_settings: dict[str, Any]) -> Iterator[BaseDatabaseWrapper]:
    """Open a database under a temporary alias, and close it afterwards."""
    alias = f"beside-{uuid.uuid4().hex[:8]}"
    full_settings = ConnectionHandler({"default": database_settings}).settings["default"]
    database: BaseDatabaseWrapper = load_backend(full_settings["ENGINE"]).DatabaseWrapper(
        full_settings, alias
    )
    connections.settings[alias] = full_settings
    connections[alias] = database
    try:
        yield database
    finally:
        database.close()
        if database.connection is not None:  # Django does not close a database in memory
            database.connection.close()
        del connections[alias]
        del connections.settings[alias]
