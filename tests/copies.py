"""Evenings that are built once; later calls with the same arguments copy the rows.

Entering, seating and playing an evening through the services takes hundreds of queries.
Inserting the same rows takes a dozen, whose SQL and parameters are cached.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from django.apps import apps
from django.db import connection, transaction
from django.db.models import DateTimeField, Model
from django.utils import timezone
from django.utils.translation import get_language

from tests.rooms import ROOMS

BuilderParams = ParamSpec("BuilderParams")
BuiltObjects = TypeVar("BuiltObjects", bound="Model | tuple[Model, ...]")


@dataclass(frozen=True)
class Rows:
    """All rows of a table: the INSERT statement, the values, and which values are times.

    Times are Python datetimes; all other values are as the database adapter takes them.
    """

    sql: str
    values: list[list[Any]]
    times: list[tuple[int, DateTimeField[Any, Any]]]

    def build_later_rows(self, by: timedelta) -> list[list[Any]]:
        """Return the rows with every time in them moved later by a duration."""
        rows = [list(row) for row in self.values]
        for place, field in self.times:
            for row in rows:
                if row[place] is not None:
                    row[place] = field.get_db_prep_save(row[place] + by, connection)
        return rows


@dataclass(frozen=True)
class RowSnapshot:
    """The rows that were put into an empty database, when, and the on-commit callbacks."""

    rows: list[Rows]
    built_at: datetime
    on_commit_callbacks: list[Callable[[], object]]


def build_once(
    build: Callable[BuilderParams, BuiltObjects],
) -> Callable[BuilderParams, BuiltObjects]:
    """Decorate a builder: it runs once for the same arguments, and later its rows are copied.

    Times in a copy are as if it had been built now. The builder itself runs in a database that
    already has rows, because the keys would differ, and for arguments that are not hashable,
    such as a list.
    """
    snapshots_by_key: dict[Hashable, tuple[RowSnapshot, BuiltObjects]] = {}

    @wraps(build)
    def copy_or_build(
        *args: BuilderParams.args, **options: BuilderParams.kwargs
    ) -> BuiltObjects:
        key = (args, *sorted(options.items()), get_language(), connection.in_atomic_block)
        if not (_is_hashable(key) and _is_empty()):
            return build(*args, **options)
        if key in snapshots_by_key:
            _insert_snapshot(snapshots_by_key[key][0])
        else:
            run_on_commit_count_before = len(connection.run_on_commit)
            actual = build(*args, **options)
            snapshots_by_key[key] = record_built_rows(run_on_commit_count_before), actual
        return reload_objects(snapshots_by_key[key][1])

    return copy_or_build


def _is_hashable(key: tuple[object, ...]) -> bool:
    try:
        hash(key)
    except TypeError:
        return False
    return True


@cache
def list_models() -> list[type[Model]]:
    return [model for room in ROOMS for model in apps.get_app_config(room).get_models()]


@cache
def build_has_rows_conditions() -> list[str]:
    tables = [connection.ops.quote_name(model._meta.db_table) for model in list_models()]
    return [f"EXISTS (SELECT 1 FROM {table})" for table in tables]


def _is_empty() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {' OR '.join(build_has_rows_conditions())}")
        return not cursor.fetchone()[0]


def list_filled_models() -> list[type[Model]]:
    """Return the models whose tables have rows."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(build_has_rows_conditions())}")
        return [
            model
            for model, has_rows in zip(list_models(), cursor.fetchone(), strict=True)
            if has_rows
        ]


def record_built_rows(callback_count_before: int) -> RowSnapshot:
    rows = [read_rows(model) for model in list_filled_models()]
    acts = [act for _, act, _ in connection.run_on_commit[callback_count_before:]]
    return RowSnapshot(rows, timezone.now(), acts)


def read_rows(model: type[Model]) -> Rows:
    fields, quote_name = model._meta.local_concrete_fields, connection.ops.quote_name
    columns = ", ".join(quote_name(field.column) for field in fields)
    placeholders = ", ".join("%s" for _ in fields)
    times = [
        (place, field) for place, field in enumerate(fields) if isinstance(field, DateTimeField)
    ]
    return Rows(
        f"INSERT INTO {quote_name(model._meta.db_table)} ({columns}) VALUES ({placeholders})",
        [[prepare_value(field, row) for field in fields] for row in model._base_manager.all()],
        times,
    )


def prepare_value(field: Any, row: Model) -> Any:
    value = getattr(row, field.attname)
    is_time = isinstance(field, DateTimeField)
    return value if is_time else field.get_db_prep_save(value, connection)


def _insert_snapshot(snapshot: RowSnapshot) -> None:
    elapsed_time = timezone.now() - snapshot.built_at
    with transaction.atomic(), connection.cursor() as cursor:
        for rows in snapshot.rows:
            cursor.executemany(rows.sql, rows.build_later_rows(elapsed_time))
    for act in snapshot.on_commit_callbacks:
        transaction.on_commit(act)


def reload_objects(made: BuiltObjects) -> BuiltObjects:
    """Read the built objects again from this test's database."""
    if isinstance(made, tuple):
        return tuple(reload_objects(item) for item in made)
    return type(made)._base_manager.select_related().get(pk=made.pk)
