"""Messages name a command as the user types it."""

import sys

import pytest
from django.template import Context, Template

from server.command_line import format_command


@pytest.mark.parametrize(
    ("started_as", "text"),
    [
        ("manage.py", "python manage.py backup"),
        ("/srv/overplay/manage.py", "python manage.py backup"),
        ("/srv/overplay/.venv/bin/granian", "python manage.py backup"),
        ("/home/ann/.local/bin/overplay", "overplay backup"),
        ("overplay.exe", "overplay backup"),
    ],
)
def test_displayed_command_begins_with_started_program(
    started_as: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [started_as, "serve"])
    assert format_command("backup") == text
    page = Template('{% load command_line %}{% command "backup" %}')
    assert page.render(Context()) == text
