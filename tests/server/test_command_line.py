"""Messages name a command as the user types it."""

import sys

import pytest
from django.template import Context, Template

from server.command_line import format_command


@pytest.mark.parametrize(
    ("program_path", "expected_command"),
    [
        ("manage.py", "python manage.py backup"),
        ("/srv/overplay/manage.py", "python manage.py backup"),
        ("/srv/overplay/.venv/bin/granian", "python manage.py backup"),
        ("/home/ann/.local/bin/overplay", "overplay backup"),
        ("overplay.exe", "overplay backup"),
    ],
)
def test_displayed_command_matches_how_program_was_started(
    program_path: str, expected_command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [program_path, "serve"])
    assert format_command("backup") == expected_command
    page = Template('{% load command_line %}{% command "backup" %}')
    assert page.render(Context()) == expected_command
