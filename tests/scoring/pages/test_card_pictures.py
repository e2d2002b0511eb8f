"""A scorecard's picture for messengers: the right size, and no more revealing than the page."""

from io import BytesIO

import pytest
from django.db.models import F
from django.test import Client
from PIL import Image

import scoring.services
import tournaments.services
from scoring.models import Result
from scoring.standings_engine import standings
from server.page_cache import PAGE_CACHE
from tests import evenings
from tournaments.models import Event, Session

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
LONG_NAMES = ["Małgorzata Szczepańska-Błaszczykowska", "Wojciech Brzęczyszczykiewicz"]


def fetch_picture(session: Session, picture_path: str = "entries/1/card.png") -> bytes:
    """Return what a messenger fetches."""
    standings.update_standings(session.event)
    PAGE_CACHE.clear()
    response = Client().get(f"/events/{session.event.slug}/{picture_path}")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "image/png"
    assert not response.cookies
    return response.content


def change_all_results(session: Session) -> None:
    """Change every result."""
    Result.objects.update(ns_tricks=13 - F("ns_tricks"))
    Session.objects.filter(pk=session.pk).update(revision=F("revision") + 1)


@pytest.mark.parametrize("name", ["entries/1/card.png", "standings.png"])
@pytest.mark.parametrize(
    ("standings_visibility", "is_closed", "shows_results"),
    [
        ("always", False, True),
        ("always", True, True),
        ("after", False, False),
        ("after", True, True),
        ("never", False, False),
        ("never", True, False),
    ],
)
def test_preview_image_shows_results_only_if_standings_are_visible(
    standings_visibility: str, is_closed: bool, shows_results: bool, name: str
) -> None:
    session, user = evenings.play_session()
    Event.objects.update(standings_shown=standings_visibility)
    if is_closed:
        scoring.services.close_session(session=session, by=user)
    picture_before = fetch_picture(session, name)
    change_all_results(session)
    assert (fetch_picture(session, name) != picture_before) is shows_results


@pytest.mark.parametrize("names", [["A", "B"], LONG_NAMES, ["Jiří Novák", "Ольга Иванова"]])
def test_preview_image_has_the_size_for_messengers_and_fits_every_name(
    names: list[str],
) -> None:
    session, user = evenings.play_session()
    entry = session.event.entries.get(number=1)
    tournaments.services.rename_entry(entry=entry, names=names, by=user)
    scoring.services.close_session(session=session, by=user)
    for name in ("entries/1/card.png", "standings.png"):
        image = Image.open(BytesIO(fetch_picture(session, name))).convert("RGB")
        assert image.size == (1200, 630)
        background = image.getpixel((1190, 300))
        edge_pixels = {image.getpixel((x, y)) for x in (2, 1197) for y in range(40, 625, 3)}
        assert edge_pixels == {background}  # nothing runs out of it


def test_page_links_its_preview_image_with_an_absolute_url() -> None:
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    page = Client().get(f"/events/{session.event.slug}/entries/1/").content.decode()
    picture_url = f"http://testserver/events/{session.event.slug}/entries/1/card.png"
    assert f'<meta property="og:image" content="{picture_url}">' in page
    assert Client().get(f"/events/{session.event.slug}/entries/99/card.png").status_code == 404
