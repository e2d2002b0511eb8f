"""Services that add a session to an event, change its day, or remove the last session."""

from collections.abc import Collection
from datetime import date as Date
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.evenings.event_days import format_event_day_error, is_valid_event_day
from clubs.evenings.services import delete_evening, update_fixture_days
from clubs.models import Evening
from tournaments.errors import ActionUnavailable, InvalidDay
from tournaments.models import Event, Session
from tournaments.session_acts import record_session_act

MAX_SESSIONS = 99
ONE_WEEK = timedelta(days=7)


def check_day(day: Date) -> None:
    """Raise InvalidDay for a day outside the range that calendars accept."""
    if not is_valid_event_day(day):
        raise InvalidDay(format_event_day_error())


def create_session(
    *, event: Event, session_number: int, date: Date, **session_fields: Any
) -> Session:
    """Create a session with its evening; the caller records the audit act."""
    evening = Evening.objects.create(club=event.club, date=date)
    return Session.objects.create(
        event=event, number=session_number, evening=evening, **session_fields
    )


@transaction.atomic
def add_session(*, event: Event, date: Date | None = None, by: Actor) -> Session:
    """Add a session to an event, with as many boards a round as the last session.

    The default date is a week after the last session. If the last session has no setup, it is
    returned, so that a double click adds only one session. Raises ActionUnavailable if the only
    session has no setup or there are MAX_SESSIONS, and InvalidDay for a day outside the
    accepted range.
    """
    # Without this lock, two requests could take the same session number.
    Event.objects.select_for_update().get(pk=event.pk)
    last_session = _find_last_session(event)
    if _has_no_setup(last_session):
        if last_session.number > 1:
            return last_session
        raise ActionUnavailable(_("The first session has no movement yet. Set it up first."))
    if last_session.number == MAX_SESSIONS:
        raise ActionUnavailable(
            _("An event can have at most %(most)s sessions.") % {"most": MAX_SESSIONS}
        )
    day = date or _add_week(last_session.day)
    check_day(day)
    new_session = create_session(
        event=event,
        session_number=last_session.number + 1,
        date=day,
        boards_a_round=last_session.boards_a_round,
    )
    _record_session_added(by, new_session)
    return new_session


@transaction.atomic
def set_session_date(
    *, session: Session, date: Date, with_series: Collection[int] = (), by: Actor
) -> Session:
    """Set the day of a session after the first one; the first one is on the event's day.

    Only an undo passes `with_series`. It contains the primary key of the fixture that follows
    its series again after the undo.
    Raises ActionUnavailable for the first session, and InvalidDay for a day outside the
    accepted range.
    """
    session = (
        Session.objects.select_for_update(of=("self",))
        .select_related("event__club", "evening")
        .get(pk=session.pk)
    )
    old_day = session.day
    if session.number == 1:
        raise ActionUnavailable(
            _("The first session is on the event’s date. Change that instead.")
        )
    if old_day == date:
        return session
    check_day(date)
    session.evening.date = date
    session.evening.save(update_fields=["date"])
    detached_fixture_pks = update_fixture_days([session.evening_id], with_series)
    undo_arguments: dict[str, Any] = (
        {"with_series": detached_fixture_pks} if detached_fixture_pks else {}
    )
    event = session.event
    audit.record(
        by,
        "session.dated",
        subject=event,
        where={"session": session.number},
        before={"date": old_day.isoformat()},
        after={"date": date.isoformat()},
        undo=Undo(
            (f"day {session.pk}",),
            "session.date",
            {"session": session.pk, "date": old_day.isoformat(), **undo_arguments},
        ),
    )
    return session


def move_session(*, session: Session, evening: Evening) -> None:
    """Attach a session to an evening of the calendar; the caller records the audit act."""
    old_evening = session.evening
    session.evening = evening
    session.save(update_fields=["evening"])
    delete_evening(evening=old_evening)


@transaction.atomic
def remove_session(*, session: Session, by: Actor) -> None:
    """Remove the last session of an event while it has no setup.

    Raises ActionUnavailable for the only session, for a session before the last, and for one
    with a movement, boards or a penalty. A penalty is a ruling, and rulings are never deleted.
    """
    event = session.event
    Event.objects.select_for_update().get(pk=event.pk)
    last_session = _find_last_session(event)
    if last_session.pk != session.pk or last_session.number == 1:
        raise ActionUnavailable(_("Only the last session can be removed."))
    if not _has_no_setup(last_session):
        raise ActionUnavailable(_("This session has a movement or boards. Undo these first."))
    session_number = last_session.number
    undo_arguments = {
        "pk": last_session.pk,
        "evening": last_session.evening_id,
        "date": last_session.day.isoformat(),
        "boards_a_round": last_session.boards_a_round,
    }
    try:
        last_session.delete()
    except ProtectedError as error:
        raise ActionUnavailable(
            _("This session has a penalty in the history and can’t be removed.")
        ) from error
    delete_evening(evening=last_session.evening)
    audit.record(
        by,
        "session.removed",
        subject=event,
        where={"session": session_number},
        undo=Undo(("sessions",), "session.put_back", undo_arguments),
    )


@transaction.atomic
def restore_session(
    *, event: Event, pk: int, evening: int, date: Date, boards_a_round: int, by: Actor
) -> Session:
    """Undo the removal of the last session, which gets its earlier primary keys again.

    Older acts in the history refer to these keys.
    """
    Event.objects.select_for_update().get(pk=event.pk)
    last_session = _find_last_session(event)
    if last_session.pk == pk:
        return last_session
    if _has_no_setup(last_session):
        raise ActionUnavailable(_("The last session is still empty. Set it up first."))
    session_evening, _is_new = Evening.objects.get_or_create(
        pk=evening, defaults={"club": event.club, "date": date}
    )
    new_session = Session.objects.create(
        pk=pk,
        event=event,
        number=last_session.number + 1,
        boards_a_round=boards_a_round,
        evening=session_evening,
    )
    _record_session_added(by, new_session)
    return new_session


def _record_session_added(by: Actor, new_session: Session) -> None:
    undo = Undo(("sessions",), "session.remove", {"session": new_session.pk})
    record_session_act(by, "session.added", new_session, undo=undo)


def _add_week(day: Date) -> Date:
    return day + ONE_WEEK if day < Date.max - ONE_WEEK else day


def _find_last_session(event: Event) -> Session:
    return event.sessions.select_related("evening").order_by("-number")[:1].get()


def _has_no_setup(session: Session) -> bool:
    return (
        session.state == Session.State.PLANNED
        and session.board_set is None
        and not session.sections.exists()
    )
