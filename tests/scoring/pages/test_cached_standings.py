"""The standings are rendered once per state of an event, and are never out of date."""

import gzip
from unittest import mock

import pytest
from django.test import Client

import clubs.services
import tournaments.services
from clubs import audit
from scoring.models import Ranking
from scoring.sheets.ranks import load_ranking_version
from scoring.standings_engine import standings
from scoring.views import public
from tests import evenings
from tournaments.models import Session

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def session() -> Session:
    session, _ = evenings.play_session()
    standings.update_standings(session.event)
    return session


@pytest.fixture
def client() -> Client:
    """Return a client that requests fragments like an open page."""
    return Client(headers={"HX-Request": "true"})


def build_address(session: Session) -> str:
    return f"/events/{session.event.slug}/standings/"


def test_second_phone_gets_the_cached_page(session: Session, client: Client) -> None:
    first_response = client.get(build_address(session))
    with mock.patch.object(public, "render") as render:
        second_response = client.get(build_address(session))
    assert render.call_count == 0
    assert second_response.content == first_response.content
    assert second_response.headers["Content-Type"] == first_response.headers["Content-Type"]


def test_corrected_name_is_visible_immediately(session: Session, client: Client) -> None:
    client.get(build_address(session))
    entry = session.event.entries.first()
    assert entry is not None
    tournaments.services.rename_entry(entry=entry, names=["Ann Other", "Bo Else"], by=None)
    assert "Ann Other &amp; Bo Else" in client.get(build_address(session)).content.decode()


def test_standings_hidden_by_the_director_disappear_immediately(
    session: Session, client: Client
) -> None:
    html = client.get(build_address(session)).content.decode()
    tournaments.services.set_standings_visibility(event=session.event, shown="never", by=None)
    hidden_html = client.get(build_address(session)).content.decode()
    assert "<table" in html
    assert "<table" not in hidden_html


def test_open_page_is_not_updated_until_the_standings_change(
    session: Session, client: Client
) -> None:
    version = Ranking.objects.get(event=session.event).version
    url = f"{build_address(session)}?seen={version}"
    assert [client.get(url).status_code for _ in range(2)] == [204, 204]
    session.event.sessions.update(revision=1000)
    standings.update_standings(session.event)
    assert client.get(url).status_code == 200


def test_visitor_with_a_cookie_gets_an_uncached_page(session: Session, client: Client) -> None:
    client.get(build_address(session))
    with mock.patch.object(public, "render", wraps=public.render) as render:
        client.get(build_address(session), headers={"Cookie": "sessionid=somebody"})
    assert render.call_count == 1


def test_confirmation_by_the_opponents_invalidates_no_page(
    session: Session, client: Client
) -> None:
    client.get(build_address(session))
    audit.record(None, "result.agreed", subject=session.event)
    with mock.patch.object(public, "render") as render:
        client.get(build_address(session))
    assert render.call_count == 0


def test_act_in_another_club_invalidates_no_page(session: Session, client: Client) -> None:
    other_club = clubs.services.create_club(name="Elsewhere", owner=None, by=None)
    client.get(build_address(session))
    audit.record(None, "club.changed", subject=other_club)
    with mock.patch.object(public, "render") as render:
        client.get(build_address(session))
    assert render.call_count == 0


def test_page_is_compressed_for_phones_that_accept_gzip(
    session: Session, client: Client
) -> None:
    response = client.get(build_address(session))
    packed_response = client.get(
        build_address(session), headers={"Accept-Encoding": "gzip, deflate"}
    )
    assert "Content-Encoding" not in response.headers
    assert packed_response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed_response.content) == response.content
    for answer in (response, packed_response):
        assert "Accept-Encoding" in answer.headers["Vary"]


def test_unknown_event_is_not_found(client: Client) -> None:
    assert client.get("/events/nowhere/standings/").status_code == 404


def test_open_page_is_updated_after_a_player_is_renamed(
    session: Session, client: Client
) -> None:
    url = f"{build_address(session)}?seen={load_ranking_version(session.event)}"
    assert client.get(url).status_code == 204
    entry = session.event.entries.get(number=1)
    player = entry.memberships.get(order=1).player
    tournaments.services.rename_player(player=player, name="Ann Other", by=None)
    updated_response = client.get(url)
    assert updated_response.status_code == 200
    assert "Ann Other" in updated_response.content.decode()
    assert (
        client.get(
            f"{build_address(session)}?seen={load_ranking_version(session.event)}"
        ).status_code
        == 204
    )
