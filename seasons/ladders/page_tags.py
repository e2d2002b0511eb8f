"""The template tags that link an event's result page to its handicap rankings."""

from django import template

from seasons.ladders.models import Season
from tournaments.models import Event

register = template.Library()


@register.simple_tag
def second_rankings(event: Event) -> list[Season]:
    """Return the seasons that also rank this event with handicaps."""
    shown = Event.objects.filter(pk=event.pk).public()
    kept = Season.objects.filter(
        entry_handicaps__entry__event__in=shown, handicap__isnull=False
    )
    return list(kept.select_related("club").distinct())
