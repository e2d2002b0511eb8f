"""The template tags for open calls and challenges, the tour, and the bar of a rehearsal."""

from django import template
from django.http import HttpRequest

from clubs import permissions
from hall.challenges.sheets import filter_events_with_open_challenges
from hall.desk.tour import get_current_stop
from hall.models import Rehearsal
from hall.phones.calls import describe_waiting_call, format_calls_version
from hall.rehearsal.sheets import RehearsalSheet, build_rehearsal_sheet
from tournaments.models import Event

register = template.Library()
register.filter("seen", format_calls_version)
register.filter("about", describe_waiting_call)
register.simple_tag(get_current_stop, name="tour_stop")


@register.simple_tag(name="questions_waiting")
def list_events_with_open_challenges(request: HttpRequest, slug: str = "") -> list[Event]:
    """Return the user's events with open challenges; with `slug`, check only that event."""
    events = Event.objects.filter(
        club__in=permissions.list_directed_clubs(request), put_away_at__isnull=True
    )
    return list(
        filter_events_with_open_challenges(events.filter(slug=slug) if slug else events)
    )


@register.simple_tag(name="rehearsal_of")
def build_rehearsal_of_event(event: Event) -> RehearsalSheet | None:
    """Return the page data of an event's rehearsal, or None for a real event."""
    rehearsal = Rehearsal.objects.filter(event=event).first()
    return build_rehearsal_sheet(rehearsal) if rehearsal else None
