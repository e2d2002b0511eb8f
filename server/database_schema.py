"""The schema of a database, and the schema that the models expect."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.translation import gettext as _

Model = type[models.Model]

POSTGRES_TYPE_NAMES = {
    "varchar": "character varying",
    "char": "character",
    "bool": "boolean",
    "time": "time without time zone",
}
"""PostgreSQL's names of types for which Django uses a shorter name."""


@dataclass(frozen=True, slots=True, order=True)
class DatabaseColumn:
    """A column: its table, name, type in the database's notation, and nullability."""

    table: str
    name: str
    type: str
    null: bool


@dataclass(frozen=True, slots=True)
class DatabaseSchema:
    """The columns of some tables, and the names of their constraints and indexes."""

    columns: frozenset[DatabaseColumn]
    constraint_names: frozenset[tuple[str, str]]

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the columns, constraints and indexes."""
        lines = [f"{each}\n" for each in sorted(self.columns)]
        lines += [f"{table} {name}\n" for table, name in sorted(self.constraint_names)]
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def read_schema(connection: BaseDatabaseWrapper, tables: Iterable[str]) -> DatabaseSchema:
    """Read the schema of these tables from a database; missing tables are left out."""
    names = sorted(tables)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            return _read_sqlite_schema(cursor, names)
        return _read_postgres_schema(cursor, names)


def build_expected_schema(
    connection: BaseDatabaseWrapper, of: Iterable[Model]
) -> DatabaseSchema:
    """Return the schema that these models need on the connection's kind of database."""
    columns, named = set[DatabaseColumn](), set[tuple[str, str]]()
    for model in of:
        table = model._meta.db_table
        for field in model._meta.local_concrete_fields:
            made: Any = field
            if field.primary_key and model._meta.auto_created:
                # Migrations create this key by DEFAULT_AUTO_FIELD, whatever tables it joins.
                made = models.BigAutoField()
            kind = _format_type(connection, str(made.db_type(connection)))
            null = field.null and not field.primary_key
            columns.add(DatabaseColumn(table, str(field.column), kind, null))
        named |= {(table, each.name) for each in model._meta.indexes}
        named |= {(table, each.name) for each in model._meta.constraints}
    return DatabaseSchema(frozenset(columns), frozenset(named))


def describe_differences(actual: DatabaseSchema, expected: DatabaseSchema) -> list[str]:
    """Return a text for each difference between the actual and the expected schema.

    An additional index is ignored, since it changes no data.
    """
    have = {(each.table, each.name): each for each in actual.columns}
    want = {(each.table, each.name): each for each in expected.columns}
    said = []
    for table, name in sorted(want.keys() - have.keys()):
        said.append(_("%(table)s.%(name)s is missing") % {"table": table, "name": name})
    for table, name in sorted(have.keys() - want.keys()):
        said.append(
            _("%(table)s.%(name)s is not part of Overplay") % {"table": table, "name": name}
        )
    for key in sorted(want.keys() & have.keys()):
        is_, should = _format_column(have[key]), _format_column(want[key])
        if is_ != should:
            words = _("%(table)s.%(name)s is %(is)s instead of %(should)s")
            named = {"table": key[0], "name": key[1], "is": is_, "should": should}
            said.append(words % named)
    for table, name in sorted(expected.constraint_names - actual.constraint_names):
        words = _("%(table)s has no constraint %(name)s")
        said.append(words % {"table": table, "name": name})
    return said


def _format_column(column: DatabaseColumn) -> str:
    return f"{column.type} null" if column.null else column.type


def _format_type(connection: BaseDatabaseWrapper, type_name: str) -> str:
    """Return a column type in the database's notation."""
    if connection.vendor == "sqlite":
        return type_name.lower()
    short, bracket, rest = type_name.lower().partition("(")
    return POSTGRES_TYPE_NAMES.get(short, short) + bracket + rest.replace(", ", ",")


def _read_sqlite_schema(cursor: Any, tables: list[str]) -> DatabaseSchema:
    columns, named = set[DatabaseColumn](), set[tuple[str, str]]()
    for table in tables:
        cursor.execute('SELECT name, type, "notnull", pk FROM pragma_table_info(%s)', [table])
        for name, kind, is_set, is_key in cursor.fetchall():
            columns.add(DatabaseColumn(table, name, kind.lower(), not is_set and not is_key))
        cursor.execute("SELECT sql FROM sqlite_master WHERE name = %s", [table])
        made = cursor.fetchone()
        rules = re.findall(r'CONSTRAINT "([^"]+)"', made[0]) if made else []
        cursor.execute("SELECT name FROM sqlite_master WHERE tbl_name = %s", [table])
        named |= {(table, name) for name in [*rules, *(row[0] for row in cursor.fetchall())]}
    return DatabaseSchema(frozenset(columns), frozenset(named))


def _read_postgres_schema(cursor: Any, tables: list[str]) -> DatabaseSchema:
    cursor.execute(
        "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull "
        "FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid "
        "WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') "
        "AND a.attnum > 0 AND NOT a.attisdropped AND c.relname = ANY(%s)",
        [tables],
    )
    columns = frozenset(DatabaseColumn(*row) for row in cursor.fetchall())
    cursor.execute(
        "SELECT c.relname, n.conname FROM pg_constraint n JOIN pg_class c "
        "ON c.oid = n.conrelid WHERE c.relname = ANY(%s) "
        "UNION SELECT tablename, indexname FROM pg_indexes "
        "WHERE schemaname = current_schema() AND tablename = ANY(%s)",
        [tables, tables],
    )
    return DatabaseSchema(
        columns, frozenset((table, name) for table, name in cursor.fetchall())
    )
