"""Events below their scores: made with their first session, renamed, given another day."""

from collections.abc import Mapping
from datetime import date as Date
from typing import Any

from django.utils.text import slugify

from clubs import audit
from clubs.audit import Actor, Back
from clubs.models import Club
from clubs.slugs import free_slug
from tournaments.models import Event, Session
from tournaments.services.events import IN_LISTS
from tournaments.services.groundwork.revisions import touch_all


def event_of_form(club: Club, form_key: str | None) -> Event | None:
    """Find the event that a form sent before has made."""
    return Event.objects.filter(club=club, form_key=form_key).first() if form_key else None


def create_event(*, club: Club, name: str, date: Date, by: Actor, **fields: Any) -> Event:
    """Make an event with its first session; raise ValidationError for faulty fields."""
    event = Event(
        club=club,
        slug=free_slug(f"{slugify(name)[:60] or 'event'}-{date.isoformat()}", Event),
        name=name,
        date=date,
        **fields,
    )
    event.full_clean()
    event.save()
    Session.objects.create(event=event, number=1)
    audit.record(
        by,
        "event.created",
        club=club,
        event=event,
        subject=name,
        after=date,
        back=Back(IN_LISTS, "event.put_away", waits_for=("play",)),
    )
    return event


def change_event(event: Event, wanted: Mapping[str, Any]) -> None:
    """Write fields of an event that is locked; its address stays."""
    for field, value in wanted.items():
        setattr(event, field, value)
    event.full_clean()
    event.save()
    touch_all(event)
