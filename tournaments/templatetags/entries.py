"""The texts for entries in templates: {{ event|words }} has `singular`, `plural` and so on."""

from django import template

from tournaments.entry_words import get_entry_texts

register = template.Library()
register.filter("words", get_entry_texts)
