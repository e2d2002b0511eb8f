"""The template tag for the file formats that a page offers."""

from django import template

from exchange import formats
from exchange.formats import BoardFileFormat, DownloadPage, Label
from tournaments.models import Event

register = template.Library()


@register.simple_tag(name="offered_formats")
def list_offered_formats(page_name: str, event: Event) -> list[tuple[BoardFileFormat, Label]]:
    """Return the formats that a page of an event offers, each with its button label.

    Files for other programs are a congress feature; files for a dealing machine are not.
    """
    page = DownloadPage(page_name)
    if page != DownloadPage.DEALING_MACHINE and not event.should_offer_congress_features:
        return []
    return formats.list_offered_formats(page, event)
