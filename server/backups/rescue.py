"""Copy the readable rows of an SQLite file into a new file with the current schema.

This helps if a file is damaged or has an unknown schema, and there is no backup. Every readable
row that satisfies the constraints is copied. The other rows are counted by reason.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management import call_command
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.translation import gettext as _

from server import database_version
from server.backups.digests import ModelClass, list_table_models
from server.backups.second_database import build_sqlite_settings, open_extra_connection
from server.command_line import format_command

PREFILLED_TABLES = frozenset({"django_migrations", "server_installed"})
"""Tables that are filled when the new file is created."""
ROWS_PER_BATCH = 100
"""The number of rows read in one query; after an error they are read one by one."""


@dataclass(slots=True)
class RescueResult:
    """The numbers of rows that were copied, by table, and that were lost, by table and
    reason.
    """

    copied_row_counts: Counter[str] = field(default_factory=Counter)
    lost_row_counts: Counter[tuple[str, str]] = field(default_factory=Counter)


def rescue_rows(source_path: Path, target_path: Path) -> RescueResult:
    """Create a new SQLite file with all readable rows of an old file, which is only read.

    Raises FileExistsError if the target exists, sqlite3.DatabaseError if the list of tables
    cannot be read, and WrongDatabase for a file from before version 1.0.
    """
    if target_path.exists():
        raise FileExistsError(target_path)
    rescue_result = RescueResult()
    with closing(
        sqlite3.connect(f"{source_path.resolve().as_uri()}?mode=ro", uri=True)
    ) as old_connection:
        old_tables = {
            name for (name,) in old_connection.execute("SELECT name FROM sqlite_master")
        }
        if not old_tables:
            raise sqlite3.DatabaseError(_("it has no tables"))
        _check_is_released_database(old_connection, old_tables, source_path)
        with open_extra_connection(build_sqlite_settings(target_path)) as new_connection:
            call_command(
                "migrate",
                database=new_connection.alias,
                interactive=False,
                verbosity=0,
                upgrading=True,
            )
            database_version.record_version(
                new_connection, database_version.read_version(new_connection)
            )
            models = [
                model
                for model in list_table_models(apps)
                if model._meta.db_table not in PREFILLED_TABLES
            ]
            with new_connection.constraint_checks_disabled():
                for model in models:
                    _copy_table(
                        old_connection, new_connection, model, old_tables, rescue_result
                    )
                _delete_broken_references(new_connection, rescue_result)
    target_path.chmod(0o600)
    return rescue_result


def _check_is_released_database(
    old_connection: sqlite3.Connection, old_tables: set[str], source_path: Path
) -> None:
    """Raise WrongDatabase if the file's migrations show that it is older than version 1.0."""
    if "django_migrations" not in old_tables:
        return
    try:
        cursor = old_connection.execute(
            "SELECT count(*), sum(app = ?) FROM django_migrations",
            [database_version.VERSION_APP_LABEL],
        )
        migration_count, version_migration_count = cursor.fetchone()
    except sqlite3.DatabaseError:
        return  # the table of migrations is damaged, but others may be intact
    if migration_count and not version_migration_count:
        message = _(
            "%(file)s was made by a version before 1.0, which this version can’t read. "
            "Export each event with that version: python manage.py event export EVENT "
            "--out FILE. Import it here: %(command)s."
        )
        placeholders = {"file": source_path, "command": format_command("event import FILE")}
        raise database_version.WrongDatabase(message % placeholders)


def _copy_table(
    old_connection: sqlite3.Connection,
    new_connection: BaseDatabaseWrapper,
    model: ModelClass,
    old_tables: set[str],
    rescue_result: RescueResult,
) -> None:
    """Copy the rows of one table; columns that the old file lacks get their default value."""
    table_name = model._meta.db_table
    with new_connection.cursor() as cursor:
        cursor.execute(f'DELETE FROM "{table_name}"')
        if table_name not in old_tables:
            rescue_result.lost_row_counts[table_name, "the table is missing"] += 1
            return
        old_columns = {
            row[1] for row in old_connection.execute(f'PRAGMA table_info("{table_name}")')
        }
        model_fields = model._meta.local_concrete_fields
        copied_columns = [
            str(model_field.column)
            for model_field in model_fields
            if model_field.column in old_columns
        ]
        missing_fields = [
            model_field for model_field in model_fields if model_field.column not in old_columns
        ]
        default_values = [
            _compute_field_default(model_field, new_connection)
            for model_field in missing_fields
        ]
        columns = [
            *copied_columns,
            *(str(model_field.column) for model_field in missing_fields),
        ]
        placeholders = _format_placeholders(len(columns))
        insert_sql = (
            f"INSERT INTO {_format_insert_target(table_name, columns)} VALUES ({placeholders})"
        )
        for row in _iter_rows(old_connection, table_name, copied_columns, rescue_result):
            try:
                cursor.execute(insert_sql, [*row, *default_values])
                rescue_result.copied_row_counts[table_name] += 1
            except Exception as error:
                rescue_result.lost_row_counts[table_name, str(error)] += 1


def _iter_rows(
    old_connection: sqlite3.Connection,
    table_name: str,
    columns: Sequence[str],
    rescue_result: RescueResult,
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table in the order of their row ids, skipping unreadable ones."""
    column_list = ", ".join(f'"{name}"' for name in columns)
    last_read_id, last_id, batch_size = (
        -1,
        _find_last_rowid(old_connection, table_name),
        ROWS_PER_BATCH,
    )
    while last_read_id < last_id:
        try:
            rows_with_id = old_connection.execute(
                f'SELECT rowid, {column_list} FROM "{table_name}" '
                "WHERE rowid > ? AND rowid <= ? ORDER BY rowid",
                [last_read_id, last_read_id + batch_size],
            ).fetchall()
        except sqlite3.Error as error:
            if batch_size == 1:
                rescue_result.lost_row_counts[table_name, str(error)] += 1
                last_read_id += 1
            batch_size = 1
            continue
        for _rowid, *row in rows_with_id:
            yield tuple(row)
        last_read_id += batch_size
        batch_size = (
            min(batch_size * 2, ROWS_PER_BATCH) if rows_with_id else ROWS_PER_BATCH * 100
        )


def _find_last_rowid(old_connection: sqlite3.Connection, table_name: str) -> int:
    try:
        last_rowid = old_connection.execute(
            f'SELECT max(rowid) FROM "{table_name}"'
        ).fetchone()[0]
    except sqlite3.Error:
        last_rowid = old_connection.execute(
            "SELECT seq FROM sqlite_sequence WHERE name = ?", [table_name]
        ).fetchone()[0]
    return int(last_rowid or 0)


def _compute_field_default(
    model_field: models.Field[Any, Any], connection: BaseDatabaseWrapper
) -> Any:
    default_value = model_field.get_default()
    if default_value is None and model_field.empty_strings_allowed and not model_field.null:
        default_value = ""
    return model_field.get_db_prep_save(default_value, connection)


def _delete_broken_references(
    connection: BaseDatabaseWrapper, rescue_result: RescueResult
) -> None:
    """Delete rows with a broken foreign key, and the rows that refer to them."""
    with connection.cursor() as cursor:
        while True:
            cursor.execute("PRAGMA foreign_key_check")
            broken_rows = {
                (table_name, rowid) for table_name, rowid, *_rest in cursor.fetchall()
            }
            if not broken_rows:
                return
            for table_name, rowid in broken_rows:
                cursor.execute(f'DELETE FROM "{table_name}" WHERE rowid = %s', [rowid])
                rescue_result.copied_row_counts[table_name] -= 1
                rescue_result.lost_row_counts[
                    table_name, "it belongs to a row that could not be read"
                ] += 1


def _format_insert_target(table_name: str, columns: Sequence[str]) -> str:
    quoted_columns = ", ".join(f'"{name}"' for name in columns)
    return f'"{table_name}" ({quoted_columns})'


def _format_placeholders(column_count: int) -> str:
    return ", ".join(["%s"] * column_count)
