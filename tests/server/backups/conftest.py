"""A club's data as an earlier release left it, in a folder of its own.

The fixture imports inside itself: this file may be read before Django is set up.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def club(
    request: pytest.FixtureRequest, tmp_path: Path, settings: Any, django_db_blocker: Any
) -> Iterator[Path]:
    """Return the SQLite file of the newest release's night, as the release left it.

    With the parameter "brought up" it has been upgraded to the current version.
    """
    from django.db import connection

    from server.backups.digests import compute_digest
    from tests.databases import use_database
    from tests.releases import stored

    settings.DATA_DIR = tmp_path
    settings.BACKUP_DIR = tmp_path / "backups"
    settings.MEDIA_ROOT = tmp_path / "media"
    is_upgraded = getattr(request, "param", "") == "brought up"
    lay_out = stored.upgrade_on_sqlite if is_upgraded else stored.unpack_sqlite
    with django_db_blocker.unblock():
        database_settings = lay_out(stored.list_releases()[-1], tmp_path)
    with django_db_blocker.unblock(), use_database(database_settings):
        compute_digest(connection)  # the file changes to the journal mode of the program
        yield tmp_path / "overplay.sqlite3"
