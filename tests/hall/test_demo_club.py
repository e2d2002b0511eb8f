"""The demo club: its mark on every page, and its removal."""

from typing import Any

import pytest
from django.test import Client

import clubs.services
from clubs.models import Club
from server.backups import create
from server.models import User
from tests import evenings
from tournaments.models import Event

pytestmark = pytest.mark.django_db
DEMO_LABEL = "Demo club"


@pytest.fixture
def demo_event_and_client() -> tuple[Event, Client]:
    """Return an event in play of the demo club, and its owner's browser."""
    session, user = evenings.open_session()
    Club.objects.update(is_demo=True)
    client = Client()
    client.force_login(user)
    return session.event, client


@pytest.fixture
def backup_club_counts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the number of clubs at each backup instead of making it."""
    club_counts: list[int] = []

    def record_club_count(_request: Any) -> None:
        club_counts.append(Club.objects.count())

    monkeypatch.setattr(create, "create_backup_and_clean_up", record_club_count)
    return club_counts


def shows_demo_label(client: Client, path: str) -> bool:
    response = client.get(path)
    assert response.status_code == 200
    return DEMO_LABEL in response.content.decode()


def create_own_club(client: Client) -> Club:
    user = User.objects.get()
    return clubs.services.create_club(name="Hilltop Whist Club", owner=user, by=user)


@pytest.mark.parametrize("page", ["", "scores/", "movement/", "papers/", "history/"])
def test_every_page_of_the_demo_club_is_marked(
    demo_event_and_client: tuple[Event, Client], page: str
) -> None:
    event, client = demo_event_and_client
    assert shows_demo_label(client, f"/director/events/{event.slug}/{page}")
    assert shows_demo_label(Client(), f"/events/{event.slug}/")
    Club.objects.update(is_demo=False)
    assert not shows_demo_label(client, f"/director/events/{event.slug}/{page}")


def test_only_directors_see_links_to_create_club_or_remove_demo(
    demo_event_and_client: tuple[Event, Client],
) -> None:
    event, client = demo_event_and_client
    links = ('href="/director/club/new/"', 'href="/director/demo/remove/"')
    director_page = client.get(f"/director/events/{event.slug}/").content.decode()
    players = Client().get(f"/events/{event.slug}/").content.decode()
    assert all(link in director_page for link in links)
    assert not any(link in players for link in links)


def test_last_club_cannot_be_removed(
    demo_event_and_client: tuple[Event, Client], backup_club_counts: list[int]
) -> None:
    _event, client = demo_event_and_client
    assert "Start your own club before" in client.get("/director/demo/remove/").content.decode()
    client.post("/director/demo/remove/")
    assert Club.objects.filter(is_demo=True).exists()
    assert backup_club_counts == []


def test_removing_the_demo_keeps_other_clubs_and_makes_a_backup(
    demo_event_and_client: tuple[Event, Client], backup_club_counts: list[int]
) -> None:
    _event, client = demo_event_and_client
    own_club = create_own_club(client)
    response = client.post("/director/demo/remove/", follow=True)
    assert response.status_code == 200
    assert list(Club.objects.all()) == [own_club]
    assert not Event.objects.exists()
    assert backup_club_counts == [2]


def test_stranger_cannot_remove_the_demo(demo_event_and_client: tuple[Event, Client]) -> None:
    create_own_club(demo_event_and_client[1])
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    assert stranger.post("/director/demo/remove/").status_code == 404
    assert Client().post("/director/demo/remove/").status_code == 302
    assert Club.objects.filter(is_demo=True).exists()
