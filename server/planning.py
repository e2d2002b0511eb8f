"""What the embedded database knows of its tables when it plans how to answer a question.

Without figures it takes every table for equally long, and may read all evenings of ten years
where those of one person were asked for. PostgreSQL measures its tables by itself.
Source: SQLite's page on ANALYZE, "Approximate ANALYZE for large databases".
"""

from django.db import connection

LOOKED_AT = 400
"""Rows of an index that are looked at, however long it is: hundredths of a second in all."""


def measure_tables() -> None:
    """Have SQLite measure its tables, so that its plans fit them; elsewhere nothing is done.

    Raises OperationalError where somebody else has been writing for too long.
    """
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA analysis_limit = {LOOKED_AT}")
        cursor.execute("ANALYZE")
