"""Fixtures: a database with every kind of row, and empty databases for imports.

The fixtures import inside themselves: this file may be read before Django is set up.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

MachineOpener = Callable[[str], AbstractContextManager[Any]]


@pytest.fixture(scope="session")
def database_files(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Path:
    """Return the files of two current databases: one with two clubs, one empty."""
    from django.db import connection

    from tests.databases import use_database
    from tests.releases import stored

    folder = tmp_path_factory.mktemp("archives")
    with django_db_blocker.unblock():
        database_settings = stored.upgrade_on_sqlite(stored.list_releases()[-1], folder)
    path = folder / "overplay.sqlite3"
    shutil.copyfile(path, folder / "night")
    with (
        django_db_blocker.unblock(),
        use_database(database_settings),
        connection.cursor() as cursor,
    ):
        cursor.execute("PRAGMA foreign_keys=OFF")
        for table in connection.introspection.table_names():
            if table not in ("django_migrations", "django_content_type", "server_installed"):
                cursor.execute(f'DELETE FROM "{table}"')
        cursor.execute("DELETE FROM sqlite_sequence")
    shutil.copyfile(path, folder / "nothing")
    return folder


@pytest.fixture
def open_machine(
    database_files: Path, tmp_path: Path, settings: Any, django_db_blocker: Any
) -> Iterator[MachineOpener]:
    """Open a machine by its name; "night…" has the night of two clubs, others are empty.

    Its state is kept when it is opened again, and it has a folder of its own.
    """
    from tests.databases import build_sqlite_settings, use_database

    @contextmanager
    def use_machine(name: str) -> Iterator[Any]:
        folder = tmp_path / name
        if not folder.exists():
            folder.mkdir()
            database_file_name = "night" if name.startswith("night") else "nothing"
            shutil.copyfile(database_files / database_file_name, folder / "overplay.sqlite3")
            is_new = True
        else:
            is_new = False
        settings.DATA_DIR, settings.MEDIA_ROOT = folder, folder / "media"
        settings.BACKUP_DIR = folder / "backups"
        with use_database(build_sqlite_settings(folder / "overplay.sqlite3")) as connection:
            if is_new:
                _create_session_papers(folder / "media")
            yield connection

    with django_db_blocker.unblock():
        yield use_machine


def _create_session_papers(media_folder: Path) -> None:
    """Give every session a printed paper."""
    from django.utils import timezone

    from scoring.models import Paper
    from tournaments.models import Session

    media_folder.mkdir()
    Paper.objects.all().delete()  # a stored release has rows but no files
    for session in Session.objects.all():
        name = f"{session.pk}.pdf"
        (media_folder / name).write_bytes(b"%PDF of " + name.encode())
        Paper.objects.create(
            session=session,
            kind="standings",
            size="A4",
            state="ready",
            file=name,
            ordered_at=timezone.now(),
            made_at=timezone.now(),
        )
