"""The schema of a database, read from the database or built from the models."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.translation import gettext as _

ModelClass = type[models.Model]

POSTGRES_TYPE_NAMES = {
    "varchar": "character varying",
    "char": "character",
    "bool": "boolean",
    "time": "time without time zone",
}
"""PostgreSQL's name of each type, by the shorter name that Django uses."""


@dataclass(frozen=True, slots=True, order=True)
class DatabaseColumn:
    """A column with its type in the database's notation.

    The fields must not be renamed: the fingerprint of a schema contains their names.
    """

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
        schema_lines = [f"{column}\n" for column in sorted(self.columns)]
        schema_lines += [
            f"{table_name} {name}\n" for table_name, name in sorted(self.constraint_names)
        ]
        return hashlib.sha256("".join(schema_lines).encode()).hexdigest()


def read_schema(connection: BaseDatabaseWrapper, table_names: Iterable[str]) -> DatabaseSchema:
    """Read the schema of these tables from a database; missing tables are left out."""
    sorted_table_names = sorted(table_names)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            return _read_sqlite_schema(cursor, sorted_table_names)
        return _read_postgres_schema(cursor, sorted_table_names)


def build_expected_schema(
    connection: BaseDatabaseWrapper, model_classes: Iterable[ModelClass]
) -> DatabaseSchema:
    """Return the schema that these models need in the connection's database system."""
    columns, constraint_names = set[DatabaseColumn](), set[tuple[str, str]]()
    for model in model_classes:
        table_name = model._meta.db_table
        for model_field in model._meta.local_concrete_fields:
            database_column: Any = model_field
            if model_field.primary_key and model._meta.auto_created:
                # The key of a join table always has the type of DEFAULT_AUTO_FIELD.
                database_column = models.BigAutoField()
            column_type = _format_type(connection, str(database_column.db_type(connection)))
            is_nullable = model_field.null and not model_field.primary_key
            columns.add(
                DatabaseColumn(table_name, str(model_field.column), column_type, is_nullable)
            )
        constraint_names |= {(table_name, index.name) for index in model._meta.indexes}
        constraint_names |= {
            (table_name, constraint.name) for constraint in model._meta.constraints
        }
    return DatabaseSchema(frozenset(columns), frozenset(constraint_names))


def describe_differences(
    actual_schema: DatabaseSchema, expected_schema: DatabaseSchema
) -> list[str]:
    """Return a message for each difference between the actual and the expected schema.

    Additional indexes are ignored, since they change no data.
    """
    actual_columns_by_key = {
        (column.table, column.name): column for column in actual_schema.columns
    }
    expected_columns_by_key = {
        (column.table, column.name): column for column in expected_schema.columns
    }
    differences = []
    for table_name, name in sorted(
        expected_columns_by_key.keys() - actual_columns_by_key.keys()
    ):
        differences.append(
            _("%(table)s.%(name)s is missing") % {"table": table_name, "name": name}
        )
    for table_name, name in sorted(
        actual_columns_by_key.keys() - expected_columns_by_key.keys()
    ):
        differences.append(
            _("%(table)s.%(name)s is not part of Overplay")
            % {"table": table_name, "name": name}
        )
    for column_key in sorted(expected_columns_by_key.keys() & actual_columns_by_key.keys()):
        actual_type, expected_type = (
            _format_column(actual_columns_by_key[column_key]),
            _format_column(expected_columns_by_key[column_key]),
        )
        if actual_type != expected_type:
            message = _("%(table)s.%(name)s is %(is)s instead of %(should)s")
            placeholders = {
                "table": column_key[0],
                "name": column_key[1],
                "is": actual_type,
                "should": expected_type,
            }
            differences.append(message % placeholders)
    for table_name, name in sorted(
        expected_schema.constraint_names - actual_schema.constraint_names
    ):
        message = _("%(table)s has no constraint %(name)s")
        differences.append(message % {"table": table_name, "name": name})
    return differences


def _format_column(column: DatabaseColumn) -> str:
    return f"{column.type} null" if column.null else column.type


def _format_type(connection: BaseDatabaseWrapper, type_name: str) -> str:
    """Return a column type as the connection's database writes it."""
    if connection.vendor == "sqlite":
        return type_name.lower()
    type_word, parenthesis, size_text = type_name.lower().partition("(")
    return (
        POSTGRES_TYPE_NAMES.get(type_word, type_word)
        + parenthesis
        + size_text.replace(", ", ",")
    )


def _read_sqlite_schema(cursor: Any, table_names: list[str]) -> DatabaseSchema:
    columns, constraint_names = set[DatabaseColumn](), set[tuple[str, str]]()
    for table_name in table_names:
        cursor.execute(
            'SELECT name, type, "notnull", pk FROM pragma_table_info(%s)', [table_name]
        )
        for name, column_type, is_not_null, is_primary_key in cursor.fetchall():
            columns.add(
                DatabaseColumn(
                    table_name,
                    name,
                    column_type.lower(),
                    not is_not_null and not is_primary_key,
                )
            )
        cursor.execute("SELECT sql FROM sqlite_master WHERE name = %s", [table_name])
        create_statement = cursor.fetchone()
        declared_constraint_names = (
            re.findall(r'CONSTRAINT "([^"]+)"', create_statement[0]) if create_statement else []
        )
        cursor.execute("SELECT name FROM sqlite_master WHERE tbl_name = %s", [table_name])
        constraint_names |= {
            (table_name, name)
            for name in [*declared_constraint_names, *(row[0] for row in cursor.fetchall())]
        }
    return DatabaseSchema(frozenset(columns), frozenset(constraint_names))


def _read_postgres_schema(cursor: Any, table_names: list[str]) -> DatabaseSchema:
    cursor.execute(
        "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull "
        "FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid "
        "WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') "
        "AND a.attnum > 0 AND NOT a.attisdropped AND c.relname = ANY(%s)",
        [table_names],
    )
    columns = frozenset(DatabaseColumn(*row) for row in cursor.fetchall())
    cursor.execute(
        "SELECT c.relname, n.conname FROM pg_constraint n JOIN pg_class c "
        "ON c.oid = n.conrelid WHERE c.relname = ANY(%s) "
        "UNION SELECT tablename, indexname FROM pg_indexes "
        "WHERE schemaname = current_schema() AND tablename = ANY(%s)",
        [table_names, table_names],
    )
    return DatabaseSchema(
        columns, frozenset((table_name, name) for table_name, name in cursor.fetchall())
    )
