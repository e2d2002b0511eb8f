"""Template tags for the handicap rankings on an event's result page."""

from django import template

from seasons.ladders.models import Season
from tournaments.models import Event

register = template.Library()


@register.simple_tag
def second_rankings(event: Event) -> list[Season]:
    """Return the seasons that also rank an event with handicaps."""
    shown = Event.objects.filter(pk=event.pk).public()
    kept = Season.objects.filter(
        entry_handicaps__entry__event__in=shown, handicap__isnull=False
    )
    return list(kept.select_related("club").distinct())
