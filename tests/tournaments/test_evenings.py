"""A session belongs to an evening, which stores the only date."""

from datetime import date, timedelta

import pytest

import clubs.evenings.services
import hall.history.undo
import hall.phones.services
import scoring.services
import tournaments.services
from clubs.models import Act, Evening, RoundClock, TableLink
from scoring.services.events import build_edit_arguments
from server.models import User
from tests import evenings
from tournaments.models import Event, Session

pytestmark = pytest.mark.django_db
DAY = date(2026, 3, 10)
WEEK = timedelta(weeks=1)


@pytest.fixture
def session() -> Session:
    return evenings.seat_session()[0]


def list_days(event: Event) -> list[date]:
    return [session.day for session in event.sessions.order_by("number")]


def edit_event(event: Event, on: date, by: User | None = None) -> None:
    scoring.services.edit_event(
        event=event, by=by, **build_edit_arguments(event) | {"date": on}
    )


def take_back(event: Event, action: str) -> None:
    act = Act.objects.filter(action=action)[0]
    hall.history.undo.undo_event_act(event=event, act=act, by=None)


def test_each_session_belongs_to_an_evening_of_its_club(session: Session) -> None:
    event = session.event
    tournaments.services.add_session(event=event, by=None)
    evenings = Evening.objects.order_by("date")
    assert [item.date for item in evenings] == list_days(event) == [DAY, DAY + WEEK]
    assert {item.club for item in evenings} == {event.club}
    assert [item.session.number for item in evenings] == [1, 2]


def test_sessions_on_day_of_event_move_with_it_and_others_stay(
    session: Session,
) -> None:
    event = session.event
    tournaments.services.add_session(event=event, by=None)
    edit_event(event, DAY + 2 * WEEK)
    assert list_days(event) == [DAY + 2 * WEEK, DAY + WEEK]


def test_undo_of_event_move_does_not_move_other_session_of_that_day(
    session: Session,
) -> None:
    event = session.event
    tournaments.services.add_session(event=event, by=None)
    for _time in range(2):
        edit_event(event, DAY + WEEK)
        assert list_days(event) == [DAY + WEEK, DAY + WEEK]
        take_back(event, "event.changed")
        assert list_days(event) == [DAY, DAY + WEEK]
        event.refresh_from_db()
        assert event.date == DAY


def test_redo_of_event_move_affects_same_sessions(session: Session) -> None:
    event = session.event
    tournaments.services.add_session(event=event, by=None)
    edit_event(event, DAY + WEEK)
    take_back(event, "event.changed")
    take_back(event, "event.changed")
    assert list_days(event) == [DAY + WEEK, DAY + WEEK]
    take_back(event, "event.changed")
    assert list_days(event) == [DAY, DAY + WEEK]


def test_undo_restores_day_of_session(session: Session) -> None:
    added_session = tournaments.services.add_session(event=session.event, by=None)
    tournaments.services.set_session_date(session=added_session, date=date(2026, 5, 5), by=None)
    assert list_days(session.event) == [DAY, date(2026, 5, 5)]
    take_back(session.event, "session.dated")
    assert list_days(session.event) == [DAY, DAY + WEEK]
    assert Evening.objects.count() == 2


def test_evening_is_deleted_and_restored_with_session(session: Session) -> None:
    last = tournaments.services.add_session(event=session.event, by=None)
    clubs.evenings.services.set_clock(
        **evenings.build_service_arguments(last), minutes=9, moving=1, by=None
    )
    tournaments.services.remove_session(session=last, by=None)
    assert Evening.objects.get() == session.evening
    take_back(session.event, "session.removed")
    repeated_session = session.event.sessions.get(number=2)
    assert (repeated_session.pk, repeated_session.evening_id, repeated_session.day) == (
        last.pk,
        last.evening_id,
        DAY + WEEK,
    )
    clubs.evenings.services.set_clock(
        **evenings.build_service_arguments(repeated_session), minutes=8, moving=1, by=None
    )
    take_back(session.event, "clock.changed")
    assert not RoundClock.objects.exists()


def test_discarded_rehearsal_leaves_no_evening(session: Session) -> None:
    new_session = scoring.services.copy_session(session=session, name="To practise", by=None)
    assert new_session.day == DAY
    assert new_session.event.uid != session.event.uid
    scoring.services.delete_rehearsal(event=new_session.event, rehearsal_names=(), by=None)
    assert Evening.objects.get() == session.evening


def test_removing_seating_deletes_table_links(session: Session) -> None:
    table_links = hall.phones.services.create_table_links(session=session, by=None)
    tournaments.services.remove_seating(session=session, by=None)
    assert (len(table_links), TableLink.objects.count()) == (3, 0)
