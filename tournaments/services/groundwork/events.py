"""Events below their scores: made with their first session, renamed, given another day."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date as Date
from typing import Any

from clubs import audit
from clubs.activities.services import undo_of_creation
from clubs.audit import Actor
from clubs.evenings.services import follow_evenings
from clubs.models import Club, Evening
from tournaments.models import Event, Session
from tournaments.services.groundwork.revisions import touch_all
from tournaments.services.sessions import check_day, make_session


def create_event(*, club: Club, name: str, date: Date, by: Actor, **fields: Any) -> Event:
    """Make an event with its first session; raise ValidationError for faulty fields.

    Raises DayRefused for a day of no club's life.
    """
    check_day(date)
    event = Event(
        club=club,
        slug=Event.new_slug(name, date),
        name=name,
        date=date,
        **fields,
    )
    event.full_clean()
    event.save()
    make_session(event=event, number=1, date=date)
    audit.record(
        by,
        "event.created",
        subject=event,
        where={"name": name},
        after={"date": date.isoformat()},
        back=undo_of_creation(Event, "play"),
    )
    return event


@dataclass(frozen=True, slots=True)
class MovedSessions:
    """What went along when an event was given another day, by their keys."""

    sessions: list[int]
    with_series: list[int]
    """Evenings of the calendar that their series leave be from now on."""


def change_event(
    event: Event,
    wanted: Mapping[str, Any],
    only: Collection[int] | None = None,
    with_series: Collection[int] = (),
) -> MovedSessions:
    """Write fields of an event that is locked; its address stays.

    The sessions that are of its day move with it; where their keys are given as `only`, as by
    an undo, no others; evenings `with_series` go along with these again. Return what moved.
    Raises DayRefused for a day of no club's life; one that stands may stay.
    """
    since = event.date
    if wanted.get("date", since) != since:
        check_day(wanted["date"])
    for field, value in wanted.items():
        setattr(event, field, value)
    event.full_clean()
    event.save()
    touch_all(event)
    if event.date == since:
        return MovedSessions([], [])
    return _move_sessions(event, since, only, with_series)


def _move_sessions(
    event: Event, since: Date, only: Collection[int] | None, with_series: Collection[int]
) -> MovedSessions:
    """Let sessions that were of an event's day be of its new one."""
    rows = Session.objects.filter(event=event, evening__date=since)
    if only is not None:
        rows = rows.filter(pk__in=only)
    moved = list(rows.values_list("pk", flat=True))
    rows_moved = Evening.objects.filter(session__in=moved)
    rows_moved.update(date=event.date)
    evenings = list(rows_moved.values_list("pk", flat=True))
    return MovedSessions(moved, follow_evenings(evenings, with_series))
