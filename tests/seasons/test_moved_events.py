"""An evening of a series can be detached by moving its event, and follows again after undo."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

import hall.history.undo
import scoring.services
import tournaments.services
from clubs import audit
from clubs.evenings import services
from clubs.inverses import INVERSES
from clubs.models import Act, Fixture, Series
from clubs.undo import undo_recorded_act
from scoring.services.events import build_edit_arguments
from seasons.calendar.services import enter_bookings
from server.models import User
from tests import evenings
from tournaments.models import Event
from tournaments.services.sessions import move_session

pytestmark = pytest.mark.django_db
SERIES_RULE = {"kind": "weekly", "first": "", "every": 1, "weekday": 1}


@pytest.fixture
def series_event() -> tuple[Fixture, Event, User]:
    """Return the fourth evening of a series, with an event on it."""
    club, user = evenings.create_club_with_director()
    rule = SERIES_RULE | {"first": timezone.localdate().isoformat()}
    values = {"title": "Tuesdays", "rule": rule, "holidays": {}, "start": None, "place": "Hall"}
    series = services.create_series(club=club, values_by_field=values, by=user)
    fixture = series.fixtures.order_by("evening__date")[3]
    return fixture, enter_bookings(fixture=fixture, by=user).event, user


def move_event(event: Event, user: User, days: int = 1) -> None:
    fields: Any = build_edit_arguments(event) | {"date": event.date + timedelta(days=days)}
    scoring.services.edit_event(event=event, by=user, **fields)


def undo_newest(event: Event, user: User) -> None:
    newest_act = (
        audit.list_acts(event).filter(action__in=("event.changed", "session.dated")).first()
    )
    assert newest_act is not None
    hall.history.undo.undo_event_act(event=event, act=newest_act, by=user)


def change_series_and_get_place(fixture: Fixture, user: User, place: str = "School") -> str:
    services.change_series(series=Series.objects.get(), values={"place": place}, by=user)
    return Fixture.objects.select_related("evening").get(pk=fixture.pk).evening.place


def is_own(fixture: Fixture) -> bool:
    return Fixture.objects.get(pk=fixture.pk).is_own


def test_event_moved_and_moved_back_follows_series_again(
    series_event: tuple[Fixture, Event, User],
) -> None:
    fixture, event, user = series_event
    day = event.date
    move_event(event, user)
    assert is_own(fixture)
    assert change_series_and_get_place(fixture, user, "Barn") == "Hall"
    undo_newest(event, user)
    reloaded_fixture = Fixture.objects.select_related("evening").get(pk=fixture.pk)
    assert (reloaded_fixture.is_own, reloaded_fixture.evening.date) == (False, day)
    undo_newest(event, user)  # undo
    assert is_own(fixture)
    undo_newest(event, user)  # and redo
    assert not is_own(fixture)
    assert change_series_and_get_place(fixture, user) == "School"


def test_evening_changed_after_event_move_stays_detached_after_undo(
    series_event: tuple[Fixture, Event, User],
) -> None:
    fixture, event, user = series_event
    move_event(event, user)
    services.change_fixture(fixture=fixture, values={"title": "Cup"}, by=user)
    undo_newest(event, user)
    assert is_own(fixture)
    assert change_series_and_get_place(fixture, user) == "Hall"


def test_undone_manual_change_lets_evening_follow_series_again(
    series_event: tuple[Fixture, Event, User],
) -> None:
    fixture, event, user = series_event
    move_event(event, user)
    services.change_fixture(fixture=fixture, values={"title": "Cup"}, by=user)
    club = event.club
    act = audit.list_acts(club).filter(action="fixture.changed").get()
    undo_recorded_act(audit.list_acts(club), act, INVERSES, club=club, by=user)
    assert is_own(fixture)  # the event is still on another date
    undo_newest(event, user)
    assert not is_own(fixture)


def test_session_moved_and_moved_back_follows_series_again(
    series_event: tuple[Fixture, Event, User],
) -> None:
    fixture, _event, user = series_event
    other_fixture = Fixture.objects.filter(series__isnull=False).order_by("evening__date")[5]
    first_session, _user = evenings.seat_session()
    second_session = tournaments.services.add_session(event=first_session.event, by=user)
    move_session(session=second_session, evening=other_fixture.evening)
    second_session.refresh_from_db()
    tournaments.services.set_session_date(
        session=second_session, date=other_fixture.evening.date + timedelta(days=1), by=user
    )
    assert is_own(other_fixture)
    assert not is_own(fixture)
    undo_newest(first_session.event, user)
    assert not is_own(other_fixture)


def test_evening_detached_before_move_stays_detached(
    series_event: tuple[Fixture, Event, User],
) -> None:
    fixture, event, user = series_event
    services.change_fixture(fixture=fixture, values={"title": "Cup"}, by=user)
    move_event(event, user)
    assert "with_series" not in Act.objects.get(action="event.changed").back["given"]
    undo_newest(event, user)
    assert is_own(fixture)
