"""A page's object comes from its access object; model instances store no request state."""

import re
from pathlib import Path

from django.apps import apps

from tests.rooms import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
REQUEST_STATE = re.compile(r"\bat_session\b|\bevent\.can_direct\b|\.can_direct\s*=[^=]")
"""The current session and a visitor's rights, written to or read from an event."""


def test_event_has_no_attribute_for_current_session_or_visitor() -> None:
    files = [file for room in PROGRAM for file in (ROOT / room).rglob("*.py")]
    files += (ROOT / "templates").rglob("*.html")
    assert len(files) > 400
    actual = {
        f"{file.relative_to(ROOT)}: {match.group()}"
        for file in files
        for match in REQUEST_STATE.finditer(file.read_text())
    }
    assert actual == set()


def test_model_class_defines_no_public_integer_attribute() -> None:
    attributes = {
        f"{model.__name__}.{name}"
        for model in apps.get_models()
        for name, value in vars(model).items()
        if isinstance(value, int) and not name.startswith("_")
    }
    assert attributes == set()
