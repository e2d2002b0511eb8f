"""Digests of a database: a row count and a SHA-256 for each table.

Equal rows have equal digests on SQLite and PostgreSQL, because each row is hashed in a
canonical form: JSON with sorted columns, times in UTC, decimals as exact text, and bytes as
base64.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

ROWS_PER_FETCH = 2000
"""The number of rows fetched at a time."""

ModelClass = type[models.Model]
ColumnsByTable = Mapping[str, frozenset[str]]
"""The columns to include in a digest, by table."""


@dataclass(frozen=True, slots=True)
class DatabaseTableDigest:
    """The number of rows of a table, and the SHA-256 of their canonical forms."""

    row_count: int
    sha256: str


@dataclass(frozen=True, slots=True)
class DatabaseDigest:
    """The digests of all tables, by table name."""

    digests_by_table: Mapping[str, DatabaseTableDigest]

    @property
    def sha256(self) -> str:
        """The SHA-256 of all table digests."""
        digest_lines = [
            f"{name} {table_digest.sha256}\n"
            for name, table_digest in sorted(self.digests_by_table.items())
        ]
        return hashlib.sha256("".join(digest_lines).encode()).hexdigest()

    @property
    def row_count(self) -> int:
        """The number of rows in all tables."""
        return sum(table_digest.row_count for table_digest in self.digests_by_table.values())

    def list_differences(self, other_digest: "DatabaseDigest") -> list[str]:
        """Return the names of the tables that differ, or exist in only one database."""
        table_names = sorted({*self.digests_by_table, *other_digest.digests_by_table})
        return [
            table_name
            for table_name in table_names
            if self.digests_by_table.get(table_name)
            != other_digest.digests_by_table.get(table_name)
        ]

    def to_data(self) -> dict[str, Any]:
        """Return the digests as JSON data for a backup's manifest."""
        return {
            name: {"rows": table_digest.row_count, "sha256": table_digest.sha256}
            for name, table_digest in sorted(self.digests_by_table.items())
        }

    @classmethod
    def from_data(cls, digest_data: Mapping[str, Any]) -> "DatabaseDigest":
        """Build the digests from the result of `to_data`. Raises KeyError or TypeError."""
        return cls(
            {
                str(name): DatabaseTableDigest(
                    int(table_data["rows"]), str(table_data["sha256"])
                )
                for name, table_data in digest_data.items()
            }
        )


def list_models(connection: BaseDatabaseWrapper) -> list[ModelClass]:
    """List the models in the state after the migrations that this database has.

    An older version of the program may have made the database.
    """
    loader = MigrationLoader(connection)
    applied_migrations = frozenset(loader.applied_migrations)
    disk_migrations = frozenset(loader.disk_migrations)
    if disk_migrations <= applied_migrations:
        return list_table_models(apps)
    project_state = loader.project_state(
        [
            migration_key
            for migration_key in applied_migrations
            if migration_key in loader.graph.nodes
        ]
    )
    return list_table_models(project_state.apps)


def list_table_models(app_registry: Any) -> list[ModelClass]:
    """List one model for each table in a backup, including the table of migrations."""
    models_by_table: dict[str, ModelClass] = {}
    for model in app_registry.get_models(include_auto_created=True):
        if model._meta.managed and not model._meta.proxy:
            models_by_table.setdefault(model._meta.db_table, model)
    models_by_table[MigrationRecorder.Migration._meta.db_table] = MigrationRecorder.Migration
    return [model for _name, model in sorted(models_by_table.items())]


def compute_digest(
    connection: BaseDatabaseWrapper, columns: ColumnsByTable | None = None
) -> DatabaseDigest:
    """Compute the digests of a database, or of some of its tables and columns.

    For a consistent result, call it in a transaction with a snapshot.
    """
    digests_by_table: dict[str, DatabaseTableDigest] = {}
    for model in list_models(connection):
        table_name = model._meta.db_table
        if columns is None:
            digests_by_table[table_name] = _compute_table_digest(connection.alias, model, None)
        elif table_name in columns:
            digests_by_table[table_name] = _compute_table_digest(
                connection.alias, model, columns[table_name]
            )
    return DatabaseDigest(digests_by_table)


def _compute_table_digest(
    database_alias: str, model: ModelClass, columns: frozenset[str] | None
) -> DatabaseTableDigest:
    row_lines: Iterable[bytes] = _iter_row_lines(database_alias, model, columns)
    if not isinstance(model._meta.pk, models.IntegerField):
        row_lines = sorted(row_lines)  # databases collate text differently
    hasher, row_count = hashlib.sha256(), 0
    for row_line in row_lines:
        hasher.update(row_line)
        row_count += 1
    return DatabaseTableDigest(row_count, hasher.hexdigest())


def _iter_row_lines(
    database_alias: str, model: ModelClass, columns: frozenset[str] | None
) -> Iterator[bytes]:
    field_names = [
        field.attname
        for field in sorted(
            model._meta.local_concrete_fields, key=lambda model_field: str(model_field.column)
        )
        if columns is None or field.column in columns
    ]
    queryset: Any = (
        models.QuerySet(model, using=database_alias).order_by("pk").values_list(*field_names)
    )
    for row in queryset.iterator(chunk_size=ROWS_PER_FETCH):
        yield format_canonical_row(row)


def format_canonical_row(row_values: Iterable[Any]) -> bytes:
    """Return a row as canonical JSON in UTF-8."""
    row_text = json.dumps(
        list(row_values),
        default=_convert_to_json_value,
        sort_keys=True,
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return f"{row_text}\n".encode("utf-8", "surrogatepass")


def _convert_to_json_value(value: Any) -> Any:
    """Convert a value without a JSON type; raise TypeError for an unknown type."""
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat(timespec="microseconds")
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value // timedelta(microseconds=1))
        case Decimal():
            return format(value.normalize(), "f")
        case UUID():
            return str(value)
        case bytes() | bytearray() | memoryview():
            return base64.b64encode(bytes(value)).decode("ascii")
        case _:
            raise TypeError(f"no form for {type(value).__name__}")
