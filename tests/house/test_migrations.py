"""Migrations match the models, and their names describe their operations."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.rooms import ROOMS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.django_db
def test_migrations_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        call_command("makemigrations", check_changes=True, dry_run=True)
    except SystemExit:
        pytest.fail(f"The models have changed:\n{capsys.readouterr().out}")


def test_migration_is_named_after_what_it_does() -> None:
    names = [path.stem for room in ROOMS for path in (ROOT / room / "migrations").glob("0*.py")]
    assert names
    assert [name for name in names if "auto" in name.split("_")] == []


def test_migration_that_changes_rows_declares_the_table() -> None:
    """An upgrade treats changed rows as an error, unless `rewrites` names their table."""
    paths = [path for room in ROOMS for path in (ROOT / room / "migrations").glob("0*.py")]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}
    row_changing_migrations = {
        name: text
        for name, text in texts.items()
        if re.search(r"migrations\.Run(Python|SQL)\(", text)
    }
    assert row_changing_migrations
    assert [
        name for name, text in row_changing_migrations.items() if "rewrites = " not in text
    ] == []


def test_data_migration_writes_to_the_migrated_database() -> None:
    """An upgrade first migrates a copy under another alias; other databases must not change."""
    migrations_without_alias = [
        path.relative_to(ROOT).as_posix()
        for path in sorted(ROOT.glob("*/migrations/0*.py"))
        if ".objects" in (text := path.read_text("utf-8"))
        and not re.search(r"connection\.alias|using\(", text)
    ]
    assert migrations_without_alias == []
