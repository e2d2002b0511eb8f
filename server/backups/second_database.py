"""Connections to a second database, in addition to Django's default one."""

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


def copy_settings(connection: BaseDatabaseWrapper, name: str = "") -> dict[str, Any]:
    """Return a connection's database settings, with another database name if one is given."""
    described = copy.deepcopy(dict(connection.settings_dict))
    described["CONN_MAX_AGE"] = 0
    if name:
        described["NAME"] = name
    return described


@contextmanager
def open_second_database(described: dict[str, Any]) -> Iterator[BaseDatabaseWrapper]:
    """Open a database under a temporary alias, and close it afterwards."""
    alias = f"beside-{uuid.uuid4().hex[:8]}"
    whole = ConnectionHandler({"default": described}).settings["default"]
    opened: BaseDatabaseWrapper = load_backend(whole["ENGINE"]).DatabaseWrapper(whole, alias)
    connections.settings[alias] = whole
    connections[alias] = opened
    try:
        yield opened
    finally:
        opened.close()
        del connections[alias]
        del connections.settings[alias]
