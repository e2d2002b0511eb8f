"""Backups of PostgreSQL: dumped in one snapshot, restored next to it, swapped by renaming."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction
from django.db.models import QuerySet

from server import database_version, run_upgrade
from server.backups import create, database_dumps, digests, file_format, restore, store
from server.backups.create import BackupRequest
from server.backups.digests import DatabaseDigest, compute_digest
from server.backups.second_database import (
    build_sqlite_settings,
    copy_database_settings,
    open_extra_connection,
)

pytestmark = pytest.mark.services
DATABASE_NAME = f"test_overplay_backup_{os.environ.get('PYTEST_XDIST_WORKER', 'gw0')}"


@pytest.fixture
def club(tmp_path: Path, settings: Any, django_db_blocker: Any) -> Iterator[Path]:
    """Return the first release's night on PostgreSQL, in a database of its own."""
    from tests.databases import use_database
    from tests.releases import stored

    settings.DATA_DIR = tmp_path
    settings.BACKUP_DIR = tmp_path / "backups"
    settings.MEDIA_ROOT = tmp_path / "media"
    server = os.environ["DATABASE_URL"].rpartition("/")[0]
    with (
        django_db_blocker.unblock(),
        stored.load_on_postgres(
            stored.list_releases()[0], server, DATABASE_NAME
        ) as database_settings,
        use_database(database_settings),
    ):
        yield tmp_path
        with (
            open_extra_connection(
                copy_database_settings(connection, "postgres")
            ) as extra_connection,
            extra_connection.cursor() as cursor,
        ):
            cursor.execute(
                "SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{DATABASE_NAME}_%"]
            )
            for (name,) in cursor.fetchall():
                cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def change() -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE clubs_player SET name = '? ' || id")


def test_postgres_backup_round_trips(club: Path) -> None:
    call_command("upgrade", verbosity=0)
    digest_before = compute_digest(connection)
    backup = create.create_backup(BackupRequest(kind="asked", folder=club / "backups"))
    assert backup.note is not None
    assert (backup.note.proof, backup.note.sha256) == ("verified", digest_before.sha256)
    change()
    restore_result = restore.restore_backup(backup.path)
    assert compute_digest(connection).list_differences(digest_before) == []
    assert file_format.read_unencrypted_manifest(backup.path).vendor == "postgresql"
    with (
        open_extra_connection(
            copy_database_settings(connection, restore_result.old_data_name)
        ) as old_connection,
        old_connection.cursor() as cursor,
    ):
        cursor.execute("SELECT min(name) FROM clubs_player")
        assert cursor.fetchone()[0].startswith("? ")
    with open_extra_connection(copy_database_settings(connection)) as page:
        page.ensure_connection()
        with pytest.raises(CommandError, match="The website or workers"):
            call_command("restore", str(backup.path))
    call_command("restore", str(backup.path), stop=True)


def test_non_utf8_database_is_refused_and_new_databases_use_utf8(club: Path) -> None:
    """On a machine without a locale Debian's server does not default to UTF-8."""
    settings = copy_database_settings(connection, f"{DATABASE_NAME}_few")
    database_dumps._execute_on_server(
        connection,
        f'CREATE DATABASE "{DATABASE_NAME}_few" TEMPLATE template0 '
        "ENCODING LATIN1 LC_COLLATE 'C' LC_CTYPE 'C'",
    )
    with open_extra_connection(settings) as latin1_connection:
        with pytest.raises(database_version.WrongDatabase, match="LATIN1"):
            run_upgrade.upgrade_database(latin1_connection)
        database_dumps.create_database(latin1_connection, f"{DATABASE_NAME}_beside")
    with (
        open_extra_connection(
            copy_database_settings(connection, f"{DATABASE_NAME}_beside")
        ) as line,
        line.cursor() as cursor,
    ):
        cursor.execute("SHOW server_encoding")
        assert cursor.fetchone() == ("LATIN1",)


def test_backup_check_only_lists_dump_without_createdb_right(club: Path, monkeypatch) -> None:
    def refuse_to_create(_connection: Any, _name: str) -> None:
        raise database_dumps.CannotCreateDatabase("permission denied to create database")

    monkeypatch.setattr(database_dumps, "create_database", refuse_to_create)
    backup = create.create_backup(BackupRequest(kind="asked", folder=club / "backups"))
    assert backup.note is not None
    assert (backup.note.proof, backup.has_passed_check) == ("listed", True)
    assert "permission denied" in backup.note.words


def test_missing_postgresql_programs_are_reported_with_install_hint(
    club: Path, monkeypatch
) -> None:
    monkeypatch.setattr(database_dumps.shutil, "which", lambda _name: None)
    with pytest.raises(create.BackupFailed, match="postgresql-client"):
        create.create_backup(BackupRequest(kind="asked", folder=club / "backups"))


def test_failed_upgrade_names_restore_command(club: Path, monkeypatch) -> None:
    sha256_before = compute_digest(connection).sha256
    migrate = run_upgrade._migrate

    def migrate_and_change_data() -> None:
        migrate()
        change()

    monkeypatch.setattr(run_upgrade, "_migrate", migrate_and_change_data)
    with pytest.raises(CommandError) as exc_info:
        call_command("upgrade", verbosity=0)
    [backup] = store.list_backups(club / "backups")
    assert f"python manage.py restore {backup.path}" in str(exc_info.value)
    assert compute_digest(connection).sha256 != sha256_before
    restore.restore_backup(backup.path)
    assert compute_digest(connection).sha256 == sha256_before
    assert database_version.read_version(connection).pending_migrations


def test_equal_rows_have_equal_digests_on_sqlite_and_postgres(club: Path) -> None:
    """Every row is copied to SQLite by its values; its digest does not change."""
    models = digests.list_models(connection)
    with open_extra_connection(
        build_sqlite_settings(club / "beside.sqlite3")
    ) as sqlite_connection:
        with (
            sqlite_connection.constraint_checks_disabled(),
            sqlite_connection.schema_editor() as editor,
        ):
            for model in models:
                if not model._meta.auto_created:  # created with the table that it links
                    editor.create_model(model)
        with (
            sqlite_connection.constraint_checks_disabled(),
            transaction.atomic(using=sqlite_connection.alias),
        ):
            for model in models:
                copy_rows(model, sqlite_connection.alias)
        own_digest = compute_digest(connection)
        sqlite_digests_by_table = {
            model._meta.db_table: digests._compute_table_digest(
                sqlite_connection.alias, model, None
            )
            for model in models
        }
    assert own_digest.row_count > 1000
    assert own_digest.list_differences(DatabaseDigest(sqlite_digests_by_table)) == []


def copy_rows(model: Any, alias: str) -> None:
    for row in QuerySet(model, using="default").order_by("pk"):
        row.save_base(raw=True, using=alias, force_insert=True)  # raw: auto_now changes no time
