"""A second database, opened in addition to the one that the program uses."""

import copy
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler, load_backend

SQLITE = "django.db.backends.sqlite3"


def sqlite_settings(path: Path) -> dict[str, Any]:
    """Return the settings of an SQLite file."""
    return {"ENGINE": SQLITE, "NAME": str(path)}


def settings_like(connection: BaseDatabaseWrapper, name: str = "") -> dict[str, Any]:
    """Return the settings of a connection's database, or of another one on its server."""
    described = copy.deepcopy(dict(connection.settings_dict))
    described["CONN_MAX_AGE"] = 0
    if name:
        described["NAME"] = name
    return described


@contextmanager
def open_second_database(described: dict[str, Any]) -> Iterator[BaseDatabaseWrapper]:
    """Open a database under a separate alias, and close it afterwards."""
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
