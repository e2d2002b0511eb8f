"""What an event is doing, in the words that lists and pages share."""

from dataclasses import dataclass
from datetime import date as Date

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.models import Event, Session


@dataclass(frozen=True, slots=True)
class EventLine:
    """One event in a list."""

    slug: str
    name: str
    date: Date
    state: str  # "coming", "open", "closed"
    state_text: str
    next_text: str = ""
    next_url: str = ""


def event_line(event: Event, *, next_text: str = "", next_url: str = "") -> EventLine:
    """Describe an event for a list."""
    state = state_of(event)
    return EventLine(
        slug=event.slug,
        name=event.name,
        date=event.date,
        state=state,
        state_text=_("not opened") if _is_late(event, state) else state_text(state),
        next_text=next_text,
        next_url=next_url,
    )


def state_of(found: Event | Session) -> str:
    """An event's or a session's state as pages name it: coming, open or closed."""
    return "coming" if found.state == Session.State.PLANNED else str(found.state)


def state_text(state: str) -> str:
    """A state in one or two words."""
    return {"coming": _("to come"), "open": _("in play"), "closed": _("finished")}[state]


def _is_late(event: Event, state: str) -> bool:
    """Whether an event that nobody has opened is of a day gone by."""
    today = timezone.localdate(timezone=event.club.zone)
    return state == "coming" and event.date < today


def is_today(event: Event) -> bool:
    """Whether an event is dated today in its club's zone."""
    return event.date == timezone.localdate(timezone=event.club.zone)
