"""Create an event with its first session, and edit an event.

`scoring.services` calls this module and updates the scores.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date as Date
from typing import Any

from clubs import audit
from clubs.activities.services import build_creation_undo
from clubs.audit import Actor
from clubs.evenings.services import update_fixture_days
from clubs.models import Club, Evening
from tournaments.models import Event, Session
from tournaments.services.groundwork.revisions import count_write_for_event
from tournaments.services.sessions import check_day, create_session


def create_event(*, club: Club, name: str, date: Date, by: Actor, **event_fields: Any) -> Event:
    """Create an event with its first session.

    Raises ValidationError for invalid fields, and InvalidDay for a day outside the accepted
    range.
    """
    check_day(date)
    event = Event(
        club=club,
        slug=Event.create_slug(name, date),
        name=name,
        date=date,
        **event_fields,
    )
    event.full_clean()
    event.save()
    create_session(event=event, session_number=1, date=date)
    audit.record(
        by,
        "event.created",
        subject=event,
        where={"name": name},
        after={"date": date.isoformat()},
        undo=build_creation_undo(Event, "play"),
    )
    return event


@dataclass(frozen=True, slots=True)
class MovedRowKeys:
    """The primary keys of the rows that were moved with an event to another day."""

    sessions: list[int]
    detached_fixture_keys: list[int]
    """The keys of evenings that no longer follow their series since the move."""


def update_event(
    event: Event,
    new_values: Mapping[str, Any],
    session_ids: Collection[int] | None = None,
    detached_fixture_keys: Collection[int] = (),
) -> MovedRowKeys:
    """Update the given fields of a locked event; its URL stays the same.

    A new day also moves the sessions that were on the old day; the moved rows are returned. An
    undo passes their keys: then only the sessions in `session_ids` move, and the fixtures in
    `detached_fixture_keys` follow their series again. Raises InvalidDay for a day outside the
    accepted range.
    """
    old_date = event.date
    if new_values.get("date", old_date) != old_date:
        check_day(new_values["date"])
    for field_name, value in new_values.items():
        setattr(event, field_name, value)
    event.full_clean()
    event.save()
    count_write_for_event(event)
    if event.date == old_date:
        return MovedRowKeys([], [])
    return _move_sessions(event, old_date, session_ids, detached_fixture_keys)


def _move_sessions(
    event: Event,
    old_date: Date,
    session_ids: Collection[int] | None,
    detached_fixture_keys: Collection[int],
) -> MovedRowKeys:
    """Move the sessions that are on an event's old day to its new day."""
    sessions = Session.objects.filter(event=event, evening__date=old_date)
    if session_ids is not None:
        sessions = sessions.filter(pk__in=session_ids)
    session_pks = list(sessions.values_list("pk", flat=True))
    evenings = Evening.objects.filter(session__in=session_pks)
    evenings.update(date=event.date)
    evening_pks = list(evenings.values_list("pk", flat=True))
    return MovedRowKeys(session_pks, update_fixture_days(evening_pks, detached_fixture_keys))
