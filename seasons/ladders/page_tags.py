"""The template tags that link an event's result page to its handicap rankings."""

from django import template

from seasons.ladders.models import Season
from tournaments.models import Event

register = template.Library()


@register.simple_tag
def find_handicap_seasons(event: Event) -> list[Season]:
    """Return the seasons that have a handicap ranking of this event."""
    public_event_query = Event.objects.filter(pk=event.pk).public()
    handicap_seasons = Season.objects.filter(
        entry_handicaps__entry__event__in=public_event_query, handicap__isnull=False
    )
    return list(handicap_seasons.select_related("club").distinct())
