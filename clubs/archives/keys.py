"""The reservation of primary keys for imported rows; no other row has ever had these keys."""

from array import array
from collections.abc import Sequence
from typing import Any

from django.db import connection

from clubs.archives.spec import ModelClass


def reserve_pks(model: ModelClass, pk_count: int) -> Sequence[int]:
    """Reserve `pk_count` primary keys of a model's table, and return them in ascending order.

    The caller must be in a transaction.
    """
    if not pk_count:
        return array("q")
    table_name, pk_column = model._meta.db_table, str(model._meta.pk.column)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            return _reserve_sqlite_pks(cursor, table_name, pk_column, pk_count)
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
            [f'"{table_name}"', pk_column, pk_count],
        )
        return array("q", sorted(row[0] for row in cursor.fetchall()))


def _reserve_sqlite_pks(
    cursor: Any, table_name: str, pk_column: str, pk_count: int
) -> Sequence[int]:
    execute = cursor.execute
    quote_name = connection.ops.quote_name
    execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table_name])
    sequence_row = cursor.fetchone()
    execute(f"SELECT MAX({quote_name(pk_column)}) FROM {quote_name(table_name)}")
    highest_pk = cursor.fetchone()[0]
    first_pk = max(sequence_row[0] if sequence_row else 0, highest_pk or 0) + 1
    if sequence_row:
        execute(
            "UPDATE sqlite_sequence SET seq = %s WHERE name = %s",
            [first_pk + pk_count - 1, table_name],
        )
    else:
        execute(
            "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)",
            [table_name, first_pk + pk_count - 1],
        )
    return array("q", range(first_pk, first_pk + pk_count))
