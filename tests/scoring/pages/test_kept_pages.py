"""The standings are rendered once per state of an event, and are never out of date."""

import gzip
from unittest import mock

import pytest
from django.test import Client

import clubs.services
import tournaments.services
from clubs import audit
from scoring.models import Ranking
from scoring.sheets.ranks import load_rank_version
from scoring.standings_engine import standings
from scoring.views import public
from tests import evenings
from tournaments.models import Session

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def session() -> Session:
    session, _ = evenings.played()
    standings.update_standings(session.event)
    return session


@pytest.fixture
def client() -> Client:
    """Return a client that requests fragments like an open page."""
    return Client(headers={"HX-Request": "true"})


def address(session: Session) -> str:
    return f"/events/{session.event.slug}/standings/"


def test_the_second_phone_gets_the_same_page_without_its_being_drawn(
    session: Session, client: Client
) -> None:
    first = client.get(address(session))
    with mock.patch.object(public, "render") as render:
        second = client.get(address(session))
    assert render.call_count == 0
    assert second.content == first.content
    assert second.headers["Content-Type"] == first.headers["Content-Type"]


def test_a_name_put_right_is_seen_at_once(session: Session, client: Client) -> None:
    client.get(address(session))
    entry = session.event.entries.first()
    assert entry is not None
    tournaments.services.rename_entry(entry=entry, names=["Ann Other", "Bo Else"], by=None)
    assert "Ann Other &amp; Bo Else" in client.get(address(session)).content.decode()


def test_standings_that_the_director_hides_are_gone_at_once(
    session: Session, client: Client
) -> None:
    shown = client.get(address(session)).content.decode()
    tournaments.services.set_standings_visibility(event=session.event, shown="never", by=None)
    hidden = client.get(address(session)).content.decode()
    assert "<table" in shown
    assert "<table" not in hidden


def test_an_open_page_is_left_alone_until_the_standings_change(
    session: Session, client: Client
) -> None:
    version = Ranking.objects.get(event=session.event).version
    asked = f"{address(session)}?seen={version}"
    assert [client.get(asked).status_code for _ in range(2)] == [204, 204]
    session.event.sessions.update(revision=1000)
    standings.update_standings(session.event)
    assert client.get(asked).status_code == 200


def test_a_visitor_with_a_cookie_gets_a_page_of_his_own(
    session: Session, client: Client
) -> None:
    client.get(address(session))
    with mock.patch.object(public, "render", wraps=public.render) as render:
        client.get(address(session), headers={"Cookie": "sessionid=somebody"})
    assert render.call_count == 1


def test_a_yes_from_the_other_side_has_nothing_drawn_anew(
    session: Session, client: Client
) -> None:
    client.get(address(session))
    audit.record(None, "result.agreed", subject=session.event)
    with mock.patch.object(public, "render") as render:
        client.get(address(session))
    assert render.call_count == 0


def test_an_act_in_another_club_has_nothing_drawn_anew(
    session: Session, client: Client
) -> None:
    other = clubs.services.create_club(name="Elsewhere", owner=None, by=None)
    client.get(address(session))
    audit.record(None, "club.changed", subject=other)
    with mock.patch.object(public, "render") as render:
        client.get(address(session))
    assert render.call_count == 0


def test_phones_that_can_unpack_get_it_packed(session: Session, client: Client) -> None:
    plain = client.get(address(session))
    packed = client.get(address(session), headers={"Accept-Encoding": "gzip, deflate"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["Vary"]


def test_an_unknown_event_is_not_found(client: Client) -> None:
    assert client.get("/events/nowhere/standings/").status_code == 404


def test_an_open_page_learns_of_a_player_s_new_name(session: Session, client: Client) -> None:
    asked = f"{address(session)}?seen={load_rank_version(session.event)}"
    assert client.get(asked).status_code == 204
    entry = session.event.entries.get(number=1)
    player = entry.memberships.get(order=1).player
    tournaments.services.rename_player(player=player, name="Ann Other", by=None)
    renewed = client.get(asked)
    assert renewed.status_code == 200
    assert "Ann Other" in renewed.content.decode()
    assert (
        client.get(f"{address(session)}?seen={load_rank_version(session.event)}").status_code
        == 204
    )
