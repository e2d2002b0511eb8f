"""Template tag for the files that a page offers."""

from django import template

from exchange import formats
from exchange.formats import Format, Place, Words
from tournaments.models import Event

register = template.Library()


@register.simple_tag
def offered(place: str, event: Event) -> list[tuple[Format, Words]]:
    """Return the formats that a page of an event offers, each with the label of its button."""
    return formats.offered(Place(place), event)
