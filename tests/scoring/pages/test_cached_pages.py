"""An event's public pages are cached for each state of the event."""

import gzip
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

import tournaments.services
from clubs.audit import record
from scoring.standings_engine import standings
from scoring.views import cached_pages
from scoring.views.cached_pages import INCOMPLETE_STANDINGS_CACHE_SECONDS
from server import page_cache
from server.page_cache import PAGE_CACHE
from server.public_versions import bump_version
from tests import evenings
from tournaments.models import Event, Session

pytestmark = pytest.mark.django_db

HTMX_HEADERS = {"HX-Request": "true"}
PAGES_OF_AN_EVENT: dict[str, tuple[str, dict[str, str]]] = {
    "page": ("", {}),
    "standings": ("standings/", HTMX_HEADERS),
    "unchanged standings": ("standings/?seen={version}", HTMX_HEADERS),
    "picture": ("entries/1/card.png", {}),
}
parametrize_page = pytest.mark.parametrize("page", PAGES_OF_AN_EVENT)
CSRF_TOKEN_PATTERN = re.compile(rb'csrfmiddlewaretoken" value="[^"]*"')


@pytest.fixture
def session() -> Session:
    session, _ = evenings.play_session()
    standings.update_standings(session.event)
    return session


@pytest.fixture
def read_state_slugs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Count the calls of a view."""
    slugs: list[str] = []
    read_state = cached_pages.load_event_state

    def count_and_read(slug: str) -> Any:
        slugs.append(slug)
        return read_state(slug)

    monkeypatch.setattr(cached_pages, "load_event_state", count_and_read)
    return slugs


def fetch_page(
    session: Session, page: str, *, client: Client | None = None, **heads: str
) -> Any:
    path_template, page_headers = PAGES_OF_AN_EVENT[page]
    event = Event.objects.select_related("ranking").get(pk=session.event_id)
    path = path_template.format(version=event.ranking.public_version + event.renamings)
    return (client or Client()).get(
        f"/events/{event.slug}/{path}", headers=page_headers | heads
    )


@parametrize_page
def test_page_is_rendered_once_for_each_state(
    session: Session, read_state_slugs: list[str], page: str
) -> None:
    first_response = fetch_page(session, page)
    assert fetch_page(session, page).content == first_response.content
    assert first_response.status_code == (204 if page == "unchanged standings" else 200)
    assert len(read_state_slugs) == 1
    for cache_key in (session.event.audit_key, session.event.club.audit_key):
        bump_version(cache_key)
        states_read_count_before = len(read_state_slugs)
        fetch_page(session, page)
        assert len(read_state_slugs) == states_read_count_before + 1


@parametrize_page
def test_client_with_the_current_state_gets_304(session: Session, page: str) -> None:
    etag = fetch_page(session, page).headers["ETag"]
    assert fetch_page(session, page, **{"If-None-Match": etag}).status_code == 304
    bump_version(session.event.audit_key)
    assert fetch_page(session, page, **{"If-None-Match": etag}).status_code != 304


def record_rename(session: Session, user: Any) -> None:
    session.event.name = "Another night"
    session.event.save()
    record(user, "event.edited", subject=session.event)


def hide_standings(session: Session, user: Any) -> None:
    tournaments.services.set_standings_visibility(event=session.event, shown="never", by=user)


@pytest.mark.parametrize("page", ["page", "standings", "unchanged standings"])
@pytest.mark.parametrize("change", [record_rename, hide_standings])
def test_change_is_visible_on_the_next_request(
    session: Session, page: str, change: Callable[[Session, Any], None]
) -> None:
    user = evenings.create_club_with_director()[1]
    fetch_page(session, page)
    change(session, user)
    response_after = fetch_page(session, page)
    if change is hide_standings:
        assert response_after.status_code == 200
        assert b'class="podium' not in response_after.content
        assert "The director isn’t showing the standings".encode() in response_after.content
    elif page == "page":
        assert b"Another night" in response_after.content


@pytest.mark.parametrize("page", ["page", "standings"])
def test_page_with_a_login_is_not_served_from_the_cache(session: Session, page: str) -> None:
    user = evenings.create_club_with_director()[1]
    director = Client()
    director.force_login(user)
    anonymous_response = fetch_page(session, page)
    assert not CSRF_TOKEN_PATTERN.search(anonymous_response.content)
    assert not anonymous_response.cookies
    own_response = fetch_page(session, page, client=director)
    assert "ETag" not in own_response.headers
    assert len(PAGE_CACHE.pages) == 1
    assert fetch_page(session, page).content == anonymous_response.content


def test_page_that_marks_a_name_is_not_cached(
    session: Session, read_state_slugs: list[str]
) -> None:
    path = f"/events/{session.event.slug}/"
    response = Client().get(f"{path}?find=Ann+of+Nowhere")
    assert b"Ann of Nowhere" in response.content
    assert "ETag" not in response.headers
    assert not PAGE_CACHE.pages
    assert read_state_slugs == []


def test_incomplete_standings_are_cached_briefly(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    Session.objects.update(revision=1000)
    fetch_page(session, "standings")
    (page,) = PAGE_CACHE.pages.values()
    assert 0 < page.expires_at - page.checked_at <= INCOMPLETE_STANDINGS_CACHE_SECONDS


def test_unknown_event_is_not_cached() -> None:
    assert Client().get("/events/nowhere/").status_code == 404
    assert not PAGE_CACHE.pages


def test_fragment_requested_as_a_page_redirects_to_the_page(session: Session) -> None:
    for _number in range(2):
        response = Client().get(f"/events/{session.event.slug}/standings/")
        assert response.headers["Location"] == f"/events/{session.event.slug}/"


def test_gzipped_standings_are_less_than_a_quarter_of_their_size(session: Session) -> None:
    response = fetch_page(session, "standings")
    gzip_response = fetch_page(session, "standings", **{"Accept-Encoding": "gzip, deflate, br"})
    assert b"<table" in response.content
    assert gzip.decompress(gzip_response.content) == response.content
    assert len(gzip_response.content) < len(response.content) / 4
    assert "Content-Security-Policy" in gzip_response.headers


def test_other_pages_are_not_cached(session: Session) -> None:
    for path in ("/", f"/events/{session.event.slug}/boards/", "/login/", "/nowhere/"):
        response: HttpResponse = Client().get(path)
        assert page_cache.CACHE_CONTROL not in response.headers.get("Cache-Control", "")
    assert not PAGE_CACHE.pages
