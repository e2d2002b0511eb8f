"""An event can have several sessions, each with its own pages."""

from datetime import date, timedelta

import pytest
from django.http import Http404
from django.test import Client

import scoring.services
import tournaments.services
from clubs.models import Act, Membership
from exchange.eventfile import exporter, reader
from scoring.standings_engine import standings
from server.models import User
from tests import evenings
from tournaments import event_access
from tournaments.addresses import format_event_address, parse_event_address
from tournaments.errors import ActionUnavailable
from tournaments.event_access import EventAccess
from tournaments.models import Session
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db


def seat_six_pairs(session: Session, user: User) -> None:
    """Seat a session's six pairs."""
    tournaments.services.seat_section(
        session=session,
        movement=build_named_movement("compass", pairs=6),
        boards_a_round=2,
        by=user,
    )


@pytest.mark.parametrize(
    ("slug", "number", "expected_address"),
    [("cup", 1, "cup"), ("cup", 2, "cup/session-2"), ("cup-2", 12, "cup-2/session-12")],
)
def test_url_includes_session_number_from_second_session_on(
    slug: str, number: int, expected_address: str
) -> None:
    assert format_event_address(slug, number) == expected_address
    assert parse_event_address(expected_address) == (slug, number)


def test_double_click_adds_one_session() -> None:
    first_session, user = evenings.seat_session()
    session = tournaments.services.add_session(event=first_session.event, by=user)
    repeated_session = tournaments.services.add_session(event=first_session.event, by=user)
    assert session == repeated_session
    assert [one_session.number for one_session in first_session.event.sessions.all()] == [1, 2]
    assert Act.objects.filter(action="session.added").count() == 1
    assert session.boards_a_round == first_session.boards_a_round


def test_second_session_requires_prepared_first_session() -> None:
    event, user = evenings.create_event()
    with pytest.raises(ActionUnavailable, match="Set it up first"):
        tournaments.services.add_session(event=event, by=user)


def test_only_empty_last_session_can_be_deleted() -> None:
    first_session, user = evenings.seat_session()
    with pytest.raises(ActionUnavailable, match="Only the last session"):
        tournaments.services.remove_session(session=first_session, by=user)
    second_session = tournaments.services.add_session(event=first_session.event, by=user)
    tournaments.services.remove_session(session=second_session, by=user)
    assert Session.objects.filter(event=first_session.event).count() == 1


def test_session_with_movement_cannot_be_deleted() -> None:
    first_session, user = evenings.seat_session()
    second_session = tournaments.services.add_session(event=first_session.event, by=user)
    seat_six_pairs(second_session, user)
    with pytest.raises(ActionUnavailable, match="has a movement or boards"):
        tournaments.services.remove_session(session=second_session, by=user)


def test_second_session_has_own_pages_and_can_be_removed(client: Client) -> None:
    first_session, user = evenings.seat_session()
    client.force_login(user)
    desk = f"/director/events/{first_session.event.slug}/"
    response = client.post(f"{desk}sessions/add/")
    assert response["Location"] == f"{desk}session-2/"
    page = client.get(response["Location"]).content.decode()
    assert f'href="{desk}session-2/movement/"' in page
    assert f'href="{desk}"' in page  # the tab of the first session
    movement_response = client.get(f"{desk}session-2/movement/")
    assert "6 pairs" in movement_response.content.decode()
    removed_response = client.post(f"{desk}session-2/sessions/remove/")
    assert removed_response["Location"] == desk
    assert client.get(f"{desk}session-2/").status_code == 404


def test_evening_with_two_sessions_is_played_using_pages(client: Client) -> None:
    first_session, user = evenings.play_session()
    scoring.services.close_session(session=first_session, by=user)
    client.force_login(user)
    second_session = tournaments.services.add_session(event=first_session.event, by=user)
    seat_six_pairs(second_session, user)
    desk = f"/director/events/{first_session.event.slug}/session-2/"
    assert client.post(f"{desk}session/open/")["Location"] == f"{desk}room/"
    second_session.refresh_from_db()
    first_session.refresh_from_db()
    assert (first_session.state, second_session.state) == (
        Session.State.CLOSED,
        Session.State.OPEN,
    )
    sitting = second_session.sections.get().sittings.first()
    assert sitting is not None
    assert f"r-{sitting.pk}-" in client.get(f"{desk}scores/").content.decode()


def test_event_page_links_to_every_session(client: Client) -> None:
    first_session, user = evenings.play_session()
    tournaments.services.add_session(event=first_session.event, by=user)
    public = f"/events/{first_session.event.slug}/"
    assert f'href="{public}session-2/"' in client.get(public).content.decode()
    assert client.get(f"{public}session-2/").status_code == 200
    assert client.get(f"{public}session-3/").status_code == 404


def test_session_number_is_read_from_url() -> None:
    first_session, user = evenings.seat_session()
    tournaments.services.add_session(event=first_session.event, by=user)
    access = event_access.load_public_event(f"{first_session.event.slug}/session-2")
    assert event_access.load_session(access).number == 2
    assert access.session == event_access.load_session(access)
    assert access.address == f"{first_session.event.slug}/session-2"


def test_access_to_other_session_leaves_original_access_unchanged() -> None:
    first_session, user = evenings.seat_session()
    tournaments.services.add_session(event=first_session.event, by=user)
    access = event_access.load_public_event(first_session.event.slug)
    second_access = access.with_session(2)
    assert (access.session_number, second_access.session_number) == (1, 2)
    assert (access.address, second_access.address) == (
        first_session.event.slug,
        f"{first_session.event.slug}/session-2",
    )
    assert access.with_session(None) is access
    with pytest.raises(Http404, match="no session 3"):
        access.with_session(3)


def test_user_without_director_role_cannot_direct() -> None:
    first_session, _user = evenings.seat_session()
    assert not event_access.load_public_event(first_session.event.slug).can_direct
    assert not EventAccess.for_session(first_session).can_direct
    assert EventAccess(first_session.event, role=Membership.Role.DIRECTOR).can_direct
    assert not EventAccess(first_session.event, role=Membership.Role.SCORER).can_direct


def test_finished_session_stays_visible_before_upcoming_session(client: Client) -> None:
    first_session, user = evenings.play_session()
    scoring.services.close_session(session=first_session, by=user)
    standings.update_standings(first_session.event)
    tournaments.services.add_session(event=first_session.event, by=user)
    page = client.get(f"/events/{first_session.event.slug}/").content.decode()
    assert "So far" in page
    assert "Another session follows" in page
    assert "started yet" not in page
    assert "session 2 upcoming" in client.get("/").content.decode()
    later_html = client.get(f"/events/{first_session.event.slug}/session-2/").content.decode()
    assert "Another session follows" in later_html


def test_each_session_has_own_day(client: Client) -> None:
    first_session, user = evenings.seat_session()
    client.force_login(user)
    second_session = tournaments.services.add_session(event=first_session.event, by=user)
    assert second_session.day == first_session.event.date + timedelta(days=7)
    desk = f"/director/events/{first_session.event.slug}/"
    client.post(f"{desk}session-2/sessions/date/", {"date": "2026-03-31"})
    second_session.refresh_from_db()
    assert second_session.day == date(2026, 3, 31)
    assert "31 March 2026" in client.get(f"{desk}session-2/").content.decode()
    assert "10 March 2026" in client.get(desk).content.decode()
    response = client.post(f"{desk}session-2/sessions/date/", {"date": "soon"}, follow=True)
    assert "isn’t a date" in response.content.decode()
    with pytest.raises(ActionUnavailable, match="is on the event’s date"):
        tournaments.services.set_session_date(
            session=first_session, date=date(2026, 4, 1), by=user
        )


def test_event_file_includes_day_of_session() -> None:
    first_session, user = evenings.seat_session()
    tournaments.services.add_session(event=first_session.event, date=date(2026, 3, 31), by=user)
    file = reader.read_event_file(
        exporter.encode_event_file(
            exporter.export_event(first_session.event, should_include_deals=True)
        )
    )
    assert [session.date for session in file.sessions] == [None, date(2026, 3, 31)]


def test_new_entry_is_accepted_between_two_sessions() -> None:
    first_session, user = evenings.play_session()
    scoring.services.close_session(session=first_session, by=user)
    assert not tournaments.services.can_add_entries(first_session.event)
    tournaments.services.add_session(event=first_session.event, by=user)
    entry = tournaments.services.create_entry(
        event=first_session.event, names=["Zoë Whitfield", "Robert Foster"], by=user
    )
    assert entry.number == 7


def test_results_of_first_session_are_linked_before_second_session(
    client: Client,
) -> None:
    first_session, user = evenings.play_session()
    client.force_login(user)
    slug = first_session.event.slug
    assert client.get("/director/results/")["Location"] == "/director/"
    scoring.services.close_session(session=first_session, by=user)
    tournaments.services.add_session(event=first_session.event, by=user)
    results = f"/director/events/{slug}/standings/"
    assert client.get("/director/results/")["Location"] == results
    assert client.get("/director/prepare/")["Location"] == (
        f"/director/events/{slug}/session-2/"
    )
    desk = client.get("/director/").content.decode()
    assert f'href="{results}"' in desk
    assert "Session 1 results" in desk
    assert f'href="/director/events/{slug}/session-2/"' in desk
    page = client.get(f"/director/events/{slug}/session-2/").content.decode()
    assert f'href="{results}"' in page
    assert "Session 1" in page


def test_desk_links_to_second_session_in_play(client: Client) -> None:
    first_session, user = evenings.play_session()
    client.force_login(user)
    scoring.services.close_session(session=first_session, by=user)
    second_session = tournaments.services.add_session(event=first_session.event, by=user)
    seat_six_pairs(second_session, user)
    second_session.refresh_from_db()
    scoring.services.open_session(session=second_session, by=user)
    desk = client.get("/director/").content.decode()
    assert f'href="/director/events/{first_session.event.slug}/session-2/room/"' in desk
    scoring.services.close_session(session=second_session, by=user)
    results = f"/director/events/{first_session.event.slug}/session-2/standings/"
    assert client.get("/director/results/")["Location"] == results
