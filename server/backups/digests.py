"""Digests of a database: one number for each table, equal for equal rows on any database.

A row has one canonical form: JSON of its columns in the order of their names, times in UTC to
the microsecond, decimals as exact text, bytes as base64. The rows of a table are in the order
of their keys.
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

FETCH_ROWS = 2000
"""Rows fetched at a time."""

Model = type[models.Model]
Columns = Mapping[str, frozenset[str]]
"""The columns in the digest, by table."""


@dataclass(frozen=True, slots=True)
class TableDigest:
    """The number of rows of a table and the SHA-256 of them all."""

    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Digest:
    """The digests of all tables, by name."""

    tables: Mapping[str, TableDigest]

    @property
    def sha256(self) -> str:
        """One digest for all tables."""
        lines = [f"{name} {table.sha256}\n" for name, table in sorted(self.tables.items())]
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())

    def differing(self, other: "Digest") -> list[str]:
        """Return the names of tables that differ or exist only in one."""
        names = sorted({*self.tables, *other.tables})
        return [name for name in names if self.tables.get(name) != other.tables.get(name)]

    def as_data(self) -> dict[str, Any]:
        """Return the data for a manifest."""
        return {
            name: {"rows": table.rows, "sha256": table.sha256}
            for name, table in sorted(self.tables.items())
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Digest":
        """Read what `as_data` wrote; raises KeyError and TypeError for anything else."""
        return cls(
            {
                str(name): TableDigest(int(table["rows"]), str(table["sha256"]))
                for name, table in data.items()
            }
        )


def models_of(connection: BaseDatabaseWrapper) -> list[Model]:
    """List the models of a database's own state, which may be of an older version."""
    loader = MigrationLoader(connection)
    applied = frozenset(loader.applied_migrations)
    known = frozenset(loader.disk_migrations)
    if known <= applied:
        return tables_of(apps)
    state = loader.project_state([node for node in applied if node in loader.graph.nodes])
    return tables_of(state.apps)


def tables_of(registry: Any) -> list[Model]:
    """List one model for each table that backups cover, with the table of migrations."""
    found: dict[str, Model] = {}
    for model in registry.get_models(include_auto_created=True):
        if model._meta.managed and not model._meta.proxy:
            found.setdefault(model._meta.db_table, model)
    found[MigrationRecorder.Migration._meta.db_table] = MigrationRecorder.Migration
    return [model for _name, model in sorted(found.items())]


def digest(connection: BaseDatabaseWrapper, columns: Columns | None = None) -> Digest:
    """Compute the digests of a database, or of some tables and columns.

    For a consistent result the caller must have opened a transaction with a snapshot.
    """
    found: dict[str, TableDigest] = {}
    for model in models_of(connection):
        table = model._meta.db_table
        if columns is None:
            found[table] = _of_table(connection.alias, model, None)
        elif table in columns:
            found[table] = _of_table(connection.alias, model, columns[table])
    return Digest(found)


def _of_table(alias: str, model: Model, columns: frozenset[str] | None) -> TableDigest:
    lines: Iterable[bytes] = _lines(alias, model, columns)
    if not isinstance(model._meta.pk, models.IntegerField):
        lines = sorted(lines)  # databases collate text differently
    summed, rows = hashlib.sha256(), 0
    for line in lines:
        summed.update(line)
        rows += 1
    return TableDigest(rows, summed.hexdigest())


def _lines(alias: str, model: Model, columns: frozenset[str] | None) -> Iterator[bytes]:
    fields = [
        field.attname
        for field in sorted(
            model._meta.local_concrete_fields, key=lambda each: str(each.column)
        )
        if columns is None or field.column in columns
    ]
    asked: Any = models.QuerySet(model, using=alias).order_by("pk").values_list(*fields)
    for row in asked.iterator(chunk_size=FETCH_ROWS):
        yield canonical_row(row)


def canonical_row(row: Iterable[Any]) -> bytes:
    """Return the canonical form of a row."""
    text = json.dumps(
        list(row), default=_plain, sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return f"{text}\n".encode("utf-8", "surrogatepass")


def _plain(value: Any) -> Any:
    """Return the JSON form of a value that JSON lacks; raise TypeError for an unknown type."""
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
