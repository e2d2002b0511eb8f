"""The files that a page offers."""

from django import template

from exchange import formats
from exchange.formats import Format, Place, Words

register = template.Library()


@register.simple_tag
def offered(place: str) -> list[tuple[Format, Words]]:
    """The formats that are offered in a place, each with the words of its button."""
    return formats.offered(Place(place))
