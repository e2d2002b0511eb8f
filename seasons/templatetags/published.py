"""One side of a table on a published page, written straight: a page has hundreds of them."""

from functools import lru_cache

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from scoring.sheets.short_names import partners
from scoring.templatetags.scoring import label_side, short_label
from seasons.published.values import PublishedSide

register = template.Library()


@register.simple_tag
def side(of: PublishedSide) -> SafeString:
    """Name a side by its label and its people, linked to its card where it is one entry."""
    return _side(of.entries, of.label, of.name)


@lru_cache(maxsize=1000)
def _side(entries: tuple[int, ...], label: str, name: str) -> SafeString:
    names = format_html_join(
        " ", '<span class="partner">{}</span>', [(each,) for each in partners(name)]
    )
    if len(entries) == 1:
        names = format_html('<a href="card-{}.html">{}</a>', entries[0], names)
    return format_html(
        '<span class="side"><span class="pair__label">{}<span class="visually-hidden">{}</span>'
        "</span> {}</span>",
        short_label(label),
        label_side(label),
        names,
    )
