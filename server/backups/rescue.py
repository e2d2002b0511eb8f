"""Copying of the readable rows of an SQLite file into a new file with the current schema.

It is the last resort without a backup, for a damaged file or one with an unknown schema. Every
readable row that satisfies the current constraints is copied; the others are counted by reason.
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
from server.backups.digests import Model, list_table_models
from server.backups.second_database import build_sqlite_settings, open_second_database
from server.command_line import format_command

OWN_TABLES = frozenset({"django_migrations", "server_installed"})
"""Tables that are filled when the new file is created."""
ROWS_PER_BATCH = 100
"""The number of rows read together; after an error each of them is read separately."""


@dataclass(slots=True)
class RescueResult:
    """The rows copied by table, and the rows lost by table and reason."""

    copied_rows: Counter[str] = field(default_factory=Counter)
    lost_rows: Counter[tuple[str, str]] = field(default_factory=Counter)


def rescue_rows(source: Path, target: Path) -> RescueResult:
    """Create a new file from all readable rows; the old file is only read.

    Raises FileExistsError if the target exists, and sqlite3.DatabaseError if the list of tables
    cannot be read. Raises WrongDatabase for a file from before version 1.0, whose events have
    other columns.
    """
    if target.exists():
        raise FileExistsError(target)
    rescue_result = RescueResult()
    with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as old:
        there = {name for (name,) in old.execute("SELECT name FROM sqlite_master")}
        if not there:
            raise sqlite3.DatabaseError(_("it has no tables"))
        _refuse_before_first_release(old, there, source)
        with open_second_database(build_sqlite_settings(target)) as new:
            call_command(
                "migrate", database=new.alias, interactive=False, verbosity=0, upgrading=True
            )
            database_version.record_version(new, database_version.read_version(new))
            wanted = [
                each
                for each in list_table_models(apps)
                if each._meta.db_table not in OWN_TABLES
            ]
            with new.constraint_checks_disabled():
                for model in wanted:
                    _copy_table(old, new, model, there, rescue_result)
                _delete_broken_references(new, rescue_result)
    target.chmod(0o600)
    return rescue_result


def _refuse_before_first_release(
    old: sqlite3.Connection, there: set[str], source: Path
) -> None:
    """Raise WrongDatabase if the migrations can be read and none records a released version."""
    if "django_migrations" not in there:
        return
    try:
        marks = old.execute(
            "SELECT count(*), sum(app = ?) FROM django_migrations",
            [database_version.VERSION_MARK],
        )
        applied, marked = marks.fetchone()
    except sqlite3.DatabaseError:  # this table is damaged; others may be intact
        return
    if applied and not marked:
        words = _(
            "%(file)s was made by a version before 1.0, which this "
            "version can't read. Export each event with that version: "
            "python manage.py event export EVENT --out FILE. Import it "
            "here: %(command)s."
        )
        named = {"file": source, "command": format_command("event import FILE")}
        raise database_version.WrongDatabase(words % named)


def _copy_table(
    old: sqlite3.Connection,
    new: BaseDatabaseWrapper,
    model: Model,
    there: set[str],
    result: RescueResult,
) -> None:
    """Copy the rows of one table; missing columns get their default values."""
    table = model._meta.db_table
    with new.cursor() as cursor:
        cursor.execute(f'DELETE FROM "{table}"')
        if table not in there:
            result.lost_rows[table, "the table is missing"] += 1
            return
        has = {row[1] for row in old.execute(f'PRAGMA table_info("{table}")')}
        fields = model._meta.local_concrete_fields
        known = [str(each.column) for each in fields if each.column in has]
        others = [each for each in fields if each.column not in has]
        fresh = [_compute_default(each, new) for each in others]
        columns = [*known, *(str(each.column) for each in others)]
        values = _format_placeholders(len(columns))
        words = f"INSERT INTO {_format_target(table, columns)} VALUES ({values})"
        for row in _iter_rows(old, table, known, result):
            try:
                cursor.execute(words, [*row, *fresh])
                result.copied_rows[table] += 1
            except Exception as error:
                result.lost_rows[table, str(error)] += 1


def _iter_rows(
    old: sqlite3.Connection, table: str, columns: Sequence[str], result: RescueResult
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table by their row ids, without those on damaged pages."""
    asked = ", ".join(f'"{name}"' for name in columns)
    after, last, step = -1, _find_last_rowid(old, table), ROWS_PER_BATCH
    while after < last:
        try:
            rows = old.execute(
                f'SELECT rowid, {asked} FROM "{table}" WHERE rowid > ? AND rowid <= ? '
                "ORDER BY rowid",
                [after, after + step],
            ).fetchall()
        except sqlite3.Error as error:
            if step == 1:
                result.lost_rows[table, str(error)] += 1
                after += 1
            step = 1
            continue
        for _number, *row in rows:
            yield tuple(row)
        after += step
        step = min(step * 2, ROWS_PER_BATCH) if rows else ROWS_PER_BATCH * 100


def _find_last_rowid(old: sqlite3.Connection, table: str) -> int:
    try:
        found = old.execute(f'SELECT max(rowid) FROM "{table}"').fetchone()[0]
    except sqlite3.Error:
        found = old.execute(
            "SELECT seq FROM sqlite_sequence WHERE name = ?", [table]
        ).fetchone()[0]
    return int(found or 0)


def _compute_default(each: models.Field[Any, Any], new: BaseDatabaseWrapper) -> Any:
    value = each.get_default()
    if value is None and each.empty_strings_allowed and not each.null:
        value = ""
    return each.get_db_prep_save(value, new)


def _delete_broken_references(new: BaseDatabaseWrapper, result: RescueResult) -> None:
    """Delete rows with a broken foreign key, and the rows that refer to them."""
    with new.cursor() as cursor:
        while True:
            cursor.execute("PRAGMA foreign_key_check")
            broken = {(table, number) for table, number, *_rest in cursor.fetchall()}
            if not broken:
                return
            for table, number in broken:
                cursor.execute(f'DELETE FROM "{table}" WHERE rowid = %s', [number])
                result.copied_rows[table] -= 1
                result.lost_rows[table, "it belongs to a row that could not be read"] += 1


def _format_target(table: str, columns: Sequence[str]) -> str:
    quoted = ", ".join(f'"{name}"' for name in columns)
    return f'"{table}" ({quoted})'


def _format_placeholders(count: int) -> str:
    return ", ".join(["%s"] * count)
