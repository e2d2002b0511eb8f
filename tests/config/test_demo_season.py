"""The demo club has a season, from which a workflow publishes a static site."""

import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import CommandError, call_command

from boards.models import BoardSet
from clubs.models import Club
from drives.models import Drive
from hall.demo_club import DEMO_CLUB_NAME
from tests.house.markup import find_faults
from tests.site_files import assert_links_resolve, read_texts
from tournaments.models import Event

pytestmark = pytest.mark.django_db
MAX_SITE_BYTES = 3_000_000
"""The maximum size of the demo club's site in bytes (issue 38)."""
WORKFLOW = Path(settings.BASE_DIR) / ".github" / "workflows" / "demo-site.yml"


@pytest.mark.slow
def test_demo_club_exports_a_small_static_site(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path
    call_command("demo", verbosity=0)
    call_command("season", "demo", stdout=StringIO())
    call_command("season", "demo", stdout=StringIO())  # changes nothing
    club = Club.objects.get()
    assert club.seasons.count() == 1
    call_command("club", "site", DEMO_CLUB_NAME, out=tmp_path / "site", verbosity=0)
    folder = tmp_path / "site"
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    assert sum(map(len, files.values())) <= MAX_SITE_BYTES
    assert_links_resolve(files)
    texts = read_texts(files)
    for name, text in texts.items():
        addresses = set(re.findall(r"https?://[\w.-]+", text))
        assert addresses <= {"http://www.w3.org"}, name  # the namespace of the feed
        assert "<script" not in text, name
        if name.endswith(".html"):
            assert find_faults(text) == [], name
    _assert_every_kind_of_page(texts)
    _assert_no_secret(club, "\n".join([*texts, *texts.values()]), tmp_path)


def _assert_every_kind_of_page(texts: dict[str, str]) -> None:
    season = texts["seasons/this-season.html"]
    assert season.count("<table") == 4
    person = next(text for name, text in texts.items() if name.startswith("people/"))
    assert re.search(r"place \d+/28", person)
    assert "#ladder-best" in person
    evenings = [name for name in texts if re.fullmatch(r"evenings/club-.*/boards.html", name)]
    assert len(evenings) == 3
    assert texts[evenings[0]].count("Turn-up") == 28
    drive_pages = "".join(text for name, text in texts.items() if name.startswith("drives/"))
    assert "Raffle" in drive_pages
    assert "Rubbers won" in drive_pages


def _assert_no_secret(club: Club, text: str, folder: Path) -> None:
    password = (folder / "demo_login.txt").read_text().split()[1]
    assert password not in text
    open_events = Event.objects.filter(club=club).exclude(sessions__state="closed")
    assert open_events.count() == 2
    for event in open_events:
        assert event.slug not in text
    drive = Drive.objects.get(club=club, closed_at=None)
    # The drive has no page, but the calendar may list it.
    assert f"drives/{drive.uid}.html" not in text
    for board_set in BoardSet.objects.exclude(secret=None):
        assert bytes(board_set.secret).hex() not in text
    for path in ("/t/", "/e/", "/d/", "/me/"):
        assert f'href="{path}' not in text


def test_season_needs_the_demo_club_first() -> None:
    with pytest.raises(CommandError, match="demo"):
        call_command("season", "demo")


def test_workflow_starts_only_manually_and_may_write_only_to_github_pages() -> None:
    workflow = yaml.safe_load(WORKFLOW.read_text("utf-8"))
    assert set(workflow[True]) == {"workflow_dispatch"}, "YAML 1.1 reads `on` as true"
    assert workflow["permissions"] == {"contents": "read"}
    assert set(workflow["jobs"]["publish"]["permissions"]) == {"pages", "id-token"}
