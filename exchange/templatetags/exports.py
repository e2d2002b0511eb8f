"""The template tag for the file formats that a page offers."""

from django import template

from exchange import formats
from exchange.formats import BoardFileFormat, OfferingPage, Words
from tournaments.models import Event

register = template.Library()


@register.simple_tag
def offered(place: str, event: Event) -> list[tuple[BoardFileFormat, Words]]:
    """Return the formats that a page of an event offers, each with its button label."""
    return formats.list_offered_formats(OfferingPage(place), event)
