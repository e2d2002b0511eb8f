"""What pages of the hall remember of what they show."""

from collections.abc import Iterable

from django import template
from django.http import HttpRequest

from clubs import access
from hall.challenges.sheets import waiting_questions
from hall.phones.calls import WaitingCall, about_call, seen_calls
from tournaments.models import Event

register = template.Library()


@register.filter
def seen(calls: Iterable[WaitingCall]) -> str:
    """Write down which calls a page shows."""
    return seen_calls(calls)


@register.filter
def about(call: WaitingCall) -> list[str]:
    """Say what a call may be about."""
    return about_call(call)


@register.simple_tag
def questions_waiting(request: HttpRequest, slug: str = "") -> list[Event]:
    """List the events a director directs in which players ask about a score, or the one."""
    events = Event.objects.filter(club__in=access.clubs_of(request), put_away_at__isnull=True)
    return list(waiting_questions(events.filter(slug=slug) if slug else events))
