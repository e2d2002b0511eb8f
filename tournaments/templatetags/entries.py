"""What a page calls those who take part: pairs, players or teams."""

from django import template

from tournaments.entry_words import EntryWords, words_of
from tournaments.models import Event

register = template.Library()


@register.filter
def words(event: Event) -> EntryWords:
    """Return the texts of an event's contest: {{ event|words }} has one, many and so on."""
    return words_of(event)
