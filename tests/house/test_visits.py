"""A page's object comes from its visit; no model instance stores state of the request."""

import re
from pathlib import Path

from django.apps import apps

from tests.rooms import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
TOLD = re.compile(r"\bat_session\b|\bevent\.is_directed\b|\.is_directed\s*=[^=]")
"""The current session and a visitor's rights, written to or read from an event."""


def test_no_event_is_told_which_session_is_at_hand_or_who_looks_at_it() -> None:
    files = [file for room in PROGRAM for file in (ROOT / room).rglob("*.py")]
    files += (ROOT / "templates").rglob("*.html")
    assert len(files) > 400
    actual = {
        f"{file.relative_to(ROOT)}: {told.group()}"
        for file in files
        for told in TOLD.finditer(file.read_text())
    }
    assert actual == set()


def test_a_row_keeps_nothing_that_the_database_does_not_know() -> None:
    kept = {
        f"{model.__name__}.{name}"
        for model in apps.get_models()
        for name, value in vars(model).items()
        if isinstance(value, int) and not name.startswith("_")
    }
    assert kept == set()
