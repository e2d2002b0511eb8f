"""An empty database gets all its tables at once: the very ones that migrations lead to."""

from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from tests.databases import opened, sqlite_file
from tests.releases.conftest import RUNNER, SERVER
from tests.releases.stored import Release

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_then")]

OF_POSTGRES = (
    "SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, "
    "is_identity, column_default FROM information_schema.columns "
    "WHERE table_schema = current_schema()",
    # A rule that went through a dump is written another way: its name must do.
    "SELECT conrelid::regclass::text, conname, CASE WHEN contype = 'c' THEN '' "
    "ELSE pg_get_constraintdef(oid) END FROM pg_constraint "
    "WHERE connamespace = current_schema()::regnamespace",
    "SELECT tablename, indexname, CASE WHEN indexdef LIKE '% WHERE %' "
    "THEN '' ELSE indexdef END FROM pg_indexes WHERE schemaname = current_schema()",
)
OF_SQLITE = "SELECT tbl_name, name, sql FROM sqlite_master"


def described() -> dict[str, set[tuple[Any, ...]]]:
    """All columns, rules and indexes of the database that is open, by table, in no order."""
    found: dict[str, set[tuple[Any, ...]]] = {}
    with closing(connection.cursor()) as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(OF_SQLITE)
            for table, name, made in cursor.fetchall():
                rows = found.setdefault(table, set())
                rows |= {(name, part) for part in parts(made or "")}
            return found
        for question in OF_POSTGRES:
            cursor.execute(question)
            for table, *rest in cursor.fetchall():
                found.setdefault(table, set()).add(tuple(rest))
    return found


def parts(made: str) -> list[str]:
    """Cut what lies in the outer brackets of a CREATE at its own commas."""
    found, depth, inner = [""], 0, made.partition("(")[2].rpartition(")")[0]
    for sign in inner:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            found.append("")
        else:
            found[-1] += sign
    return [each.strip() for each in found]


def rows_there() -> set[tuple[str, int]]:
    """How many rows stand in each table that a first start fills."""
    filled = ("django_content_type", "auth_permission", "django_migrations")
    with closing(connection.cursor()) as cursor:
        counted = set()
        for table in filled:
            cursor.execute(f"SELECT COUNT(*) FROM {table}")
            counted.add((table, cursor.fetchone()[0]))
    return counted


def test_tables_made_at_once_are_those_that_migrations_lead_to(
    release: Release, tmp_path: Path
) -> None:
    from tests.releases import stored

    upgraded = described()
    with ExitStack() as stack:
        if SERVER:
            server = SERVER.rpartition("/")[0]
            url = stack.enter_context(
                stored.empty_postgres(server, f"test_overplay_fresh_{RUNNER}")
            )
            there = stored.database({"DATABASE_URL": url}, tmp_path)
        else:
            there = sqlite_file(tmp_path / "fresh.sqlite3")
        stack.enter_context(opened(there))
        call_command("migrate", verbosity=0)
        fresh, filled = described(), rows_there()
    assert len(fresh) > 80
    different = {
        table: rows ^ upgraded.get(table, set())
        for table, rows in fresh.items()
        if rows != upgraded.get(table)
    }
    assert different == {}
    assert min(count for _, count in filled) > 80
