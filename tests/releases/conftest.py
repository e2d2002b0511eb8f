"""Fixtures with a release's night, opened with the current program.

They import inside themselves: this file may be read before Django is set up.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

TEST_WORKER_ID = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
SERVER_DATABASE_URL = (
    os.environ.get("DATABASE_URL", "") if os.environ.get("OVERPLAY_SERVICES") else ""
)
KINDS = ["postgresql"] if SERVER_DATABASE_URL else ["sqlite"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise the tests of a release over all releases and available databases."""
    if "release_time" not in metafunc.fixturenames:
        return
    from tests.releases import stored

    release_databases = [
        (release, database_kind)
        for release in stored.list_releases()
        for database_kind in KINDS
    ]
    ids = [
        f"{release.version} on {database_kind}" for release, database_kind in release_databases
    ]
    metafunc.parametrize("release", release_databases, ids=ids, indirect=True, scope="module")


@pytest.fixture(scope="module")
def release(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: Any,
) -> Iterator[Any]:
    """Yield an upgraded release's database, with the clock at the end of its night."""
    from django.test import override_settings

    from tests.databases import use_database
    from tests.releases import stored

    kept, kind = request.param
    with ExitStack() as stack:
        stack.enter_context(django_db_blocker.unblock())
        if kind == "sqlite":
            context = stored.upgrade_on_sqlite(kept, tmp_path_factory.mktemp(kept.version))
        else:
            server = SERVER_DATABASE_URL.rpartition("/")[0]
            database_name = f"test_overplay_release_{TEST_WORKER_ID}"
            context = stack.enter_context(
                stored.upgrade_on_postgres(kept, server, database_name)
            )
        stack.enter_context(use_database(context))
        folder = tmp_path_factory.mktemp("backups")
        stack.enter_context(override_settings(BACKUP_DIR=folder))
        yield kept


@pytest.fixture
def release_time(release: Any) -> Iterator[None]:
    """Set the clock to the end of the night, and roll back all changes."""
    from tests.releases import database_contents
    from tests.releases.chance import fix_clock_and_secrets

    with fix_clock_and_secrets(release.moment), database_contents.roll_back_afterwards():
        yield
