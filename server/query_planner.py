"""Update SQLite's statistics for its query planner.

Without statistics SQLite assumes tables of equal size, and may read all events of ten years for
a query about one person. Source: SQLite's page on ANALYZE, "Approximate ANALYZE for large
databases".
"""

from django.db import connection

SAMPLE_ROW_COUNT = 400
"""The number of rows sampled from each index. All samples together take some hundredths of a
second.
"""


def analyze_tables() -> None:
    """Run ANALYZE on SQLite; do nothing on other databases.

    Raises OperationalError if another connection holds its lock for too long.
    """
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA analysis_limit = {SAMPLE_ROW_COUNT}")
        cursor.execute("ANALYZE")
