"""Files and the API are the same in all languages; pages show the reader's decimals."""

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation

import scoring.services
from clubs.models import Membership
from config import catalogues
from config.demo_season import create_demo_season
from config.urls import api_urls
from drives.models import Drive
from exchange.formats import map_formats_by_name
from tests.browser.pages import create_full_event, fill_route, find_first_player, list_routes
from tournaments.models import Event, Session

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("restore_english")]

FILE_FORMATS = (
    *("event", "csv", "xlsx", "bridgewebs", "usebio"),
    *(name for name in map_formats_by_name() if "second" not in name),
)
LANGUAGES = catalogues.list_catalogue_languages()


@pytest.fixture
def restore_english() -> Iterator[None]:
    """Restore the language, because a request leaves its own active."""
    with translation.override("en"):
        yield


def create_event_with_decimals() -> tuple[Session, Client]:
    """Create a finished event whose matchpoints and percentages have decimals."""
    session, user = create_full_event(is_closed=False)
    scoring.services.set_scoring_terms(event=session.event, method="matchpoints", by=user)
    scoring.services.close_session(session=session, by=user)
    client = Client()
    client.force_login(user)
    return session, client


def export_files(event: Event, folder: Path) -> dict[str, bytes]:
    """Return an event's files in all formats, by format."""
    contents = {}
    for file_format in FILE_FORMATS:
        file = folder / file_format
        options = ["--format", file_format, "--out", str(file)]
        call_command("event", "export", event.slug, *options, stdout=StringIO())
        contents[file_format] = file.read_bytes()
    return contents


def test_exported_files_are_equal_in_all_languages(tmp_path: Path) -> None:
    session, _client = create_event_with_decimals()
    with translation.override("en"):
        english_files = export_files(session.event, tmp_path)
    assert b"." in english_files["csv"]
    for language in LANGUAGES:
        with translation.override(language):
            assert export_files(session.event, tmp_path) == english_files, language


def test_files_of_season_and_drive_are_equal_in_all_languages(tmp_path: Path) -> None:
    session, client = create_event_with_decimals()
    club = session.event.club
    club.memberships.update(role=Membership.Role.OWNER)
    season, drive = create_demo_season(club), Drive.objects.get(club=club)
    ladders = [f"{season.slug}/{ladder.slug}" for ladder in season.ladders.all()]

    def read_files() -> list[str]:
        contents = [run_season_command("export", season.slug)]
        for ladder in ladders:
            contents += [
                run_season_command("ladder", ladder, "--format", f) for f in ("json", "csv")
            ]
        file = client.get(reverse("api-drive-file", args=[drive.slug]))
        assert file.status_code == 200
        return [*contents, file.content.decode()]

    def run_season_command(*arguments: str) -> str:
        file = tmp_path / "file"
        call_command("season", *arguments, "--out", str(file), stdout=StringIO())
        return file.read_text(encoding="utf-8")

    with translation.override("en"):
        english = read_files()
    assert len(english) == 2 + 2 * len(ladders)
    assert re.search(r"\d\.\d", "".join(english))
    for language in LANGUAGES:
        client.cookies["language"] = language
        with translation.override(language):
            assert read_files() == english, language


def test_api_is_equal_in_all_languages() -> None:
    session, client = create_event_with_decimals()
    values = {
        "slug": session.event.slug,
        "name": "compass",
        "pk": find_first_player(session),
    }
    answers = 0
    urls = {"/api" + fill_route(route, values) for route in list_routes(api_urls)}
    for url in sorted(url for url in urls if not url.endswith("/clock/")):  # it counts seconds
        english = client.get(url, headers={"Accept-Language": "en"})
        answers += english.status_code == 200
        for language in ("da", "fr"):
            answer = client.get(url, headers={"Accept-Language": language})
            assert answer.content == english.content, (url, language)
    assert answers > 10


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_standings_show_the_decimals_of_the_reader(language: str) -> None:
    session, _client = create_event_with_decimals()
    page = Client().get(
        reverse("event", args=[session.event.slug]), headers={"Accept-Language": language}
    )
    text = page.content.decode()
    separator, foreign_separator = (".", ",") if language == "en" else (",", ".")
    assert f'<span class="figure__part">{separator}00</span>' in text
    assert f'<span class="figure__part">{foreign_separator}' not in text
