"""An upgrade is verified before and after, and changes nothing when it fails."""

import hashlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from server import database_schema, database_version, run_upgrade
from server.backups import create, store
from server.backups.digests import compute_digest, list_table_models
from server.models import Installed
from server.version import VERSION
from tests.databases import build_sqlite_settings, use_database
from tests.releases import stored
from tournaments.models import Place


@pytest.fixture
def file(tmp_path: Path, settings: Any, django_db_blocker: Any) -> Iterator[Path]:
    """Return the first release's SQLite file, with all later migrations pending."""
    settings.DATA_DIR = tmp_path
    settings.BACKUP_DIR = tmp_path / "backups"
    database_settings = stored.unpack_sqlite(stored.list_releases()[0], tmp_path)
    with django_db_blocker.unblock(), use_database(database_settings):
        compute_digest(connection)  # the file changes to the journal mode of the program
        yield tmp_path / "overplay.sqlite3"


@pytest.fixture
def cached_upgrade(file: Path, tmp_path_factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the migrations once, and afterwards copy the tables of their file.

    The checks before and after the upgrade run as usual, and the notes at its end are written
    again.
    """
    folder = tmp_path_factory.mktemp("brought-up")
    upgraded_settings = stored.upgrade_on_sqlite(stored.list_releases()[0], folder)

    def copy_upgraded_tables() -> None:
        with (
            closing(sqlite3.connect(upgraded_settings["NAME"])) as upgraded_connection,
            connection.cursor() as cursor,
        ):
            for table in connection.introspection.table_names():
                cursor.execute(f'DROP TABLE "{table}"')
            for statement in upgraded_connection.iterdump():
                if statement not in ("BEGIN TRANSACTION;", "COMMIT;"):
                    cursor.execute(statement)
        Installed.objects.all().delete()
        version_rows = MigrationRecorder.Migration.objects.filter(
            app=database_version.VERSION_APP_LABEL, name=VERSION
        )
        version_rows.delete()

    monkeypatch.setattr(run_upgrade, "_migrate", copy_upgraded_tables)


def read_refusal(command: str = "upgrade") -> str:
    with pytest.raises(CommandError) as exc_info:
        call_command(command, verbosity=0)
    return str(exc_info.value)


def execute_sql(file: Path, *statements: str) -> None:
    """Change the file with SQL from outside."""
    with closing(sqlite3.connect(file)) as line:
        for statement in statements:
            line.execute(statement)
        line.commit()


def hash_file(file: Path) -> str:
    connection.close()
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.mark.slow
@pytest.mark.usefixtures("cached_upgrade")
def test_upgrade_makes_verified_backup_and_records_its_steps(file: Path) -> None:
    digest_before = compute_digest(connection)
    call_command("upgrade", verbosity=0)
    [backup] = store.list_backups(file.parent / "backups")
    assert backup.note is not None
    assert (backup.note.kind, backup.note.proof) == ("upgrade", "verified")
    assert backup.note.sha256 == digest_before.sha256
    [installed] = Installed.objects.all()
    assert (installed.version, len(installed.shape)) == (VERSION, 64)
    call_command("upgrade", verbosity=0)  # nothing is left to do
    assert len(store.list_backups(file.parent / "backups")) == 1
    assert Installed.objects.count() == 1
    assert [path.name for path in file.parent.glob("overplay-*")] == []


@pytest.mark.slow
def test_failed_migration_leaves_database_unchanged(file: Path, monkeypatch) -> None:
    file_before = hash_file(file)
    migrate = run_upgrade._migrate

    def fail_with_io_error() -> None:
        migrate()
        raise OperationalError("disk I/O error")

    monkeypatch.setattr(run_upgrade, "_migrate", fail_with_io_error)
    refusal = read_refusal()
    assert "disk I/O error" in refusal
    assert "Nothing was changed. Start Overplay" in refusal
    assert hash_file(file) == file_before


@pytest.mark.slow
@pytest.mark.usefixtures("cached_upgrade")
@pytest.mark.parametrize(
    ("extra_statement", "expected_name"),
    [
        ("UPDATE scoring_result SET ns_tricks = ns_tricks WHERE 0", ""),
        ("UPDATE clubs_player SET name = name || '!'", "clubs_player"),
        ("DELETE FROM django_session", ""),
        ("ALTER TABLE clubs_player ADD COLUMN shoe_size integer", "clubs_player.shoe_size"),
    ],
)
def test_upgrade_compares_rows_that_migration_must_not_change(
    file: Path, monkeypatch, extra_statement: str, expected_name: str
) -> None:
    migrate = run_upgrade._migrate

    def migrate_and_harm() -> None:
        migrate()
        with connection.cursor() as cursor:
            cursor.execute(extra_statement)

    monkeypatch.setattr(run_upgrade, "_migrate", migrate_and_harm)
    if expected_name:
        assert expected_name in read_refusal()
        assert database_version.read_version(connection).pending_migrations
    else:
        call_command("upgrade", verbosity=0)


@pytest.mark.slow
def test_columns_declared_as_rewritten_are_not_preserved(file: Path, monkeypatch) -> None:
    stored_version = database_version.read_version(connection)
    columns = run_upgrade.list_preserved_columns(connection, stored_version)
    assert {"name", "uid"} <= columns["clubs_player"]
    assert not columns.keys() & run_upgrade.ALWAYS_CHANGED_TABLES
    loader = MigrationLoader(connection)
    disk_migration = loader.disk_migrations[sorted(stored_version.pending_migrations)[0]]
    monkeypatch.setattr(
        type(disk_migration), "rewrites", {"clubs_player.name", "clubs_club"}, raising=False
    )
    columns = run_upgrade.list_preserved_columns(connection, stored_version)
    assert "name" not in columns["clubs_player"]
    assert "uid" in columns["clubs_player"]
    assert "clubs_club" not in columns


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            "ALTER TABLE clubs_player ADD COLUMN shoe_size integer",
            "clubs_player.shoe_size is not part of Overplay",
        ),
        ("ALTER TABLE clubs_player RENAME COLUMN name TO nom", "clubs_player.name is missing"),
        ("DROP TABLE hall_challenge", "hall_challenge.id is missing"),
    ],
)
def test_unexpected_schema_is_reported_and_file_is_unchanged(
    file: Path, change: str, message: str
) -> None:
    execute_sql(file, change)
    file_before = hash_file(file)
    refusal = read_refusal()
    assert message in refusal
    assert "Nothing in it was changed" in refusal
    assert hash_file(file) == file_before
    assert store.list_backups(file.parent / "backups") == []


def test_tables_of_unreleased_migration_are_refused(
    empty_database_file: Path, tmp_path: Path, django_db_blocker: Any
) -> None:
    """Both drafts have the same name; the last upgrade recorded the tables as they are."""
    file = Path(shutil.copy(empty_database_file, tmp_path / "overplay.sqlite3"))
    execute_sql(file, "ALTER TABLE clubs_player RENAME COLUMN plain TO sorted_name")
    with django_db_blocker.unblock(), use_database(build_sqlite_settings(file)):
        assert "clubs_player.sorted_name is not part of Overplay" in read_refusal()
        tables = [model._meta.db_table for model in list_table_models(apps)]
        fingerprint = database_schema.read_schema(connection, tables).fingerprint
        Installed.objects.create(version=VERSION, shape=fingerprint, at=timezone.now(), by="")
        file_before = hash_file(file)
        assert "made by an unreleased Overplay" in read_refusal()
        assert hash_file(file) == file_before


@pytest.mark.slow
def test_upgrade_gives_one_winner_event_one_ranking_field(file: Path) -> None:
    """The migration declares that it changes these rows, so the upgrade does not undo it."""
    execute_sql(
        file,
        """UPDATE tournaments_section SET options = '{"pairs": 6, "one_winner": true}'
        WHERE session_id IN (SELECT id FROM tournaments_session WHERE state = 'planned')""",
    )
    call_command("upgrade", verbosity=0)
    places = Place.objects.filter(section__session__state="planned")
    assert set(places.values_list("field", flat=True)) == {""}


def test_new_version_without_migrations_makes_one_backup(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder := tmp_path / "up").mkdir()
    done = stored.upgrade_on_sqlite(stored.list_releases()[0], folder)
    connection.close()
    shutil.copyfile(done["NAME"], file)
    assert run_upgrade.upgrade_database(connection).backup is None
    for module in (run_upgrade, database_version):
        monkeypatch.setattr(module, "VERSION", "99.0")
    first_upgrade = run_upgrade.upgrade_database(connection)
    assert first_upgrade.backup is not None
    assert first_upgrade.backup.path.exists()
    assert first_upgrade.backup.note is not None
    assert first_upgrade.backup.note.kind == "upgrade"
    assert Installed.objects.latest("pk").version == "99.0"
    assert run_upgrade.upgrade_database(connection).backup is None


def test_upgrade_is_refused_without_backup(file: Path, monkeypatch) -> None:
    monkeypatch.setattr(create, "MIN_FREE_BYTES", 10**18)
    file_before = hash_file(file)
    assert "Nothing was upgraded" in read_refusal()
    assert hash_file(file) == file_before


@pytest.mark.slow
@pytest.mark.usefixtures("cached_upgrade")
def test_second_concurrent_upgrade_waits_and_does_nothing(file: Path, monkeypatch) -> None:
    monkeypatch.setattr(run_upgrade, "LOCK_TIMEOUT_SECONDS", 0.1)
    with run_upgrade.acquire_upgrade_lock(connection):
        assert "Another program is upgrading" in read_refusal()
    call_command("upgrade", verbosity=0)
