"""The files that a page offers."""

from django import template

from exchange import formats
from exchange.formats import Format, Place, Words
from tournaments.models import Event

register = template.Library()


@register.simple_tag
def offered(place: str, event: Event) -> list[tuple[Format, Words]]:
    """The formats that an event's page offers, each with the words of its button."""
    return formats.offered(Place(place), event)
