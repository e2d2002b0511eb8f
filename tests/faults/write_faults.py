"""Let the n-th write of an act fail, and read all rows for comparison."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import OperationalError, connection

WRITE_PATTERN = re.compile(
    r"\s*(WITH\b.*\b)?(INSERT|UPDATE|DELETE)\b", re.IGNORECASE | re.DOTALL
)
RowsByTable = dict[str, list[tuple[Any, ...]]]


class WriteFailed(OperationalError):
    """The error of a write that fails on purpose."""


@dataclass
class WriteCounter:
    """A wrapper of Django's queries that counts writes, and acts on one of them.

    `before` is called with the write's number before it is executed.
    """

    before_write: Callable[[int], None] = lambda _number: None
    write_count: int = 0

    def __call__(
        self, execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]
    ) -> Any:
        """Execute a query."""
        if WRITE_PATTERN.match(sql) is None:
            return execute(sql, params, many, context)
        self.write_count += 1
        self.before_write(self.write_count)
        return execute(sql, params, many, context)


@contextmanager
def fail_write(number: int) -> Iterator[WriteCounter]:
    """Let a write fail with WriteFailed within a block, counted from 1."""

    def fail(count: int) -> None:
        if count == number:
            raise WriteFailed(f"Write {number} fails on purpose.")

    counter = WriteCounter(before_write=fail)
    with connection.execute_wrapper(counter):
        yield counter


def read_all_rows() -> RowsByTable:
    """Return all rows of all models, by table and in the order of their values."""
    rows: RowsByTable = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            rows[table] = sorted(cursor.fetchall(), key=repr)
    return rows


def list_changed_tables(before: RowsByTable, after: RowsByTable) -> list[str]:
    """Return the tables whose rows differ."""
    return [table for table in before if before[table] != after[table]]
