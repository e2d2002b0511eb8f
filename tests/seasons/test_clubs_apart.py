"""With two clubs, their pages, players and events in play stay separate."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

import scoring.services
from tests import evenings
from tournaments.movements import build_named_movement
from tournaments.services import seat_section

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_clubs():
    """Return two clubs, each with an event in play; one director has both."""
    own_session, user = evenings.open_session()
    other_club, _user = evenings.create_club_with_director("Hilltop Whist Club")
    event = scoring.services.create_event(
        club=other_club, name="Hilltop cup", date=date(2026, 3, 10), by=user
    )
    evenings.enter_everybody(event, [(f"P{n}", f"Q{n}") for n in range(6)], user)
    their_session = seat_section(
        session=event.sessions.get(),
        movement=build_named_movement("compass", pairs=6),
        boards_a_round=2,
        by=user,
    ).session
    their_session.refresh_from_db()
    scoring.services.open_session(session=their_session, by=user)
    return own_session.event, their_session.event, user


def test_front_page_links_to_each_club(two_clubs) -> None:
    page = Client().get("/").content.decode()
    for event in two_clubs[:2]:
        assert f'href="{reverse("club_page", args=[event.club.slug])}"' in page
        assert f'href="/players/?club={event.club.slug}"' in page


def test_players_are_listed_separately_for_each_club(two_clubs) -> None:
    our_event, their_event, _user = two_clubs
    listed_players = Client().get(f"/players/?club={their_event.club.slug}").context["players"]
    assert {player.club_id for player in listed_players} == {their_event.club_id}
    response = Client().get("/players/")
    assert {player.club_id for player in response.context["players"]} == {
        our_event.club_id,
        their_event.club_id,
    }
    assert "Hilltop Whist Club" in response.content.decode()
    assert Client().get("/players/?club=nowhere").status_code == 404


def test_club_page_omits_current_events_of_other_club(two_clubs) -> None:
    ours, theirs, user = two_clubs
    client = Client()
    client.force_login(user)
    page = client.get(f"/director/players/?club={theirs.club.slug}").content.decode()
    assert f"/director/events/{ours.slug}/" not in page
    jobs_page = client.get(reverse("jobs")).content.decode()
    assert "bar--live" not in jobs_page
