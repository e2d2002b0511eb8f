"""Migrations: they say what the models say, and their names say what they do."""

from pathlib import Path

import pytest
from django.core.management import call_command

from tests.rooms import ROOMS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.django_db
def test_the_migrations_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        call_command("makemigrations", check_changes=True, dry_run=True)
    except SystemExit:
        pytest.fail(f"The models have changed:\n{capsys.readouterr().out}")


def test_a_migration_is_named_by_what_it_does() -> None:
    names = [path.stem for room in ROOMS for path in (ROOT / room / "migrations").glob("0*.py")]
    assert names
    assert [name for name in names if "auto" in name.split("_")] == []
