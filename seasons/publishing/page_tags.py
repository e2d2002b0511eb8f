"""The long tables of a published page, which `seasons.publishing.site.rows` writes."""

from collections.abc import Iterable

from django import template
from django.utils.safestring import SafeString

from seasons.publishing.documents.values import PublishedPlay
from seasons.publishing.site.cards import CardRow
from seasons.publishing.site.rows import Columns, card_html, plays_html
from server import formatting

register = template.Library()


@register.simple_tag
def card_rows(
    lines: Iterable[tuple[CardRow, str]],
    method: str,
    scores: formatting.ColumnFormat,
    averages: formatting.ColumnFormat,
) -> SafeString:
    """The rows of an entry's card."""
    return card_html(lines, Columns(method, scores, averages))


@register.simple_tag
def play_rows(
    plays: Iterable[PublishedPlay], method: str, scores: formatting.ColumnFormat
) -> SafeString:
    """The rows of a board's traveller."""
    return plays_html(plays, Columns(method, scores, scores))
