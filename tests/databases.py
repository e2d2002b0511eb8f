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
def use_database(description: dict[str, Any]) -> Iterator[BaseDatabaseWrapper]:
    """Let the program work on the database that these settings describe, within a block.

    Caches of rows by primary key are cleared before and after. Only for a test without the mark
    `django_db`, inside `django_db_blocker.unblock()`.
    """
    default_settings = ConnectionHandler({"default": description}).settings["default"]
    previous_database_wrapper = connections["default"]
    previous_database_wrapper.close()
    other_database_wrapper = load_backend(default_settings["ENGINE"]).DatabaseWrapper(
        default_settings, "default"
    )
    connections["default"] = other_database_wrapper
    forget_cached_rows()
    try:
        yield other_database_wrapper
    finally:
        other_database_wrapper.close()
        connections["default"] = previous_database_wrapper
        forget_cached_rows()


def build_sqlite_settings(path: Path) -> dict[str, Any]:
    """Return the settings of an SQLite file that does not wait for the disk."""
    database_settings = build_database_settings(
        {"DATABASE_URL": f"sqlite:///{path}"}, path.parent
    )
    database_settings["OPTIONS"]["init_command"] += "; PRAGMA synchronous=OFF"
    return database_settings


def forget_cached_rows() -> None:
    ContentType.objects.clear_cache()
    cache.clear()
    clear_page_cache()
