"""One version: the command line, the pages, the API and the changelog agree."""

import re
from pathlib import Path

import pytest
import yaml
from django.test import Client

import manage
from server.version import VERSION
from tests import evenings

ROOT = Path(__file__).resolve().parents[2]
RELEASE_HEADING_PATTERN = re.compile(
    r"^## (\d+\.\d+(?:\.\d+)?) \((\d{4}-\d\d-\d\d)\)$", re.MULTILINE
)


@pytest.mark.parametrize("word", ["--version", "version"])
def test_command_line_prints_program_version(word, monkeypatch, capsys) -> None:
    monkeypatch.setattr("sys.argv", ["manage.py", word])
    manage.main()
    assert capsys.readouterr().out == f"Overplay {VERSION}\n"


@pytest.mark.django_db
def test_director_page_footer_shows_version(client: Client) -> None:
    client.force_login(evenings.create_club_with_director()[1])
    footer = client.get("/director/").content.decode().partition('<footer class="foot">')[2]
    assert f"Version {VERSION}<" in footer


@pytest.mark.slow
def test_api_returns_version(client: Client) -> None:
    schema = yaml.safe_load(client.get("/api/schema/").content)
    assert schema["info"]["version"] == VERSION


def test_newest_changelog_section_is_current_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = RELEASE_HEADING_PATTERN.findall(text)
    assert releases[0][0] == VERSION
    assert [day for _version, day in releases] == sorted(
        (day for _version, day in releases), reverse=True
    )


def test_each_changelog_section_is_a_release_or_unreleased() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## .*$", text, re.MULTILINE)
    unreleased_headings = [
        line for line in headings if not RELEASE_HEADING_PATTERN.fullmatch(line)
    ]
    assert unreleased_headings in ([], ["## Not released yet"])
    assert not unreleased_headings or headings[0] == unreleased_headings[0]
