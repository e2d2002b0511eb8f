"""Another database instead of the test's own, for the duration of a block."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import ConnectionHandler, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import load_backend

from config.environment import build_database_settings
from server.page_cache import clear_page_cache


@contextmanager
def opened(description: dict[str, Any]) -> Iterator[BaseDatabaseWrapper]:
    """Let the program work on the database that these settings describe, within a block.

    Caches of rows by primary key are cleared before and after. Only for a test without the mark
    `django_db`, inside `django_db_blocker.unblock()`.
    """
    described = ConnectionHandler({"default": description}).settings["default"]
    before = connections["default"]
    before.close()
    other = load_backend(described["ENGINE"]).DatabaseWrapper(described, "default")
    connections["default"] = other
    _forget()
    try:
        yield other
    finally:
        other.close()
        connections["default"] = before
        _forget()


def sqlite_file(path: Path) -> dict[str, Any]:
    """Return the settings of an SQLite file that does not wait for the disk."""
    described = build_database_settings({"DATABASE_URL": f"sqlite:///{path}"}, path.parent)
    described["OPTIONS"]["init_command"] += "; PRAGMA synchronous=OFF"
    return described


def _forget() -> None:
    ContentType.objects.clear_cache()
    cache.clear()
    clear_page_cache()
