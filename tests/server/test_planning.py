"""The embedded database plans queries by the length of its tables."""

import pytest
from django.db import connection

from server.jobs import sweep
from server.query_planner import analyze_tables
from tests.factories import EventFactory, PlayerFactory
from tournaments.models import Event

pytestmark = pytest.mark.django_db
SQLITE_ONLY = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="PostgreSQL measures its tables by itself"
)


def read_row_statistics() -> dict[str, int]:
    """Return how many rows the database's statistics give its tables."""
    if "sqlite_stat1" not in connection.introspection.table_names():
        return {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT tbl, stat FROM sqlite_stat1")
        return {table: int(stat.split()[0]) for table, stat in cursor.fetchall()}


@SQLITE_ONLY
def test_sweep_analyzes_tables_at_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "close_old_connections", lambda: None)
    PlayerFactory.create_batch(7)
    sweeper = sweep.Sweep({})
    sweeper.run_once()
    assert read_row_statistics()["clubs_player"] == 7
    PlayerFactory.create_batch(2)
    sweeper.run_once()
    assert read_row_statistics()["clubs_player"] == 7  # not at each sweep


@SQLITE_ONLY
def test_grown_table_is_analyzed_again() -> None:
    EventFactory()
    analyze_tables()
    assert read_row_statistics()["tournaments_event"] == 1
    EventFactory.create_batch(60)
    analyze_tables()
    assert read_row_statistics()["tournaments_event"] == Event.objects.count() == 61
