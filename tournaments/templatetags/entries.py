"""The words for entries in templates: {{ event|words }} has `one`, `many` and so on."""

from django import template

from tournaments.entry_words import entry_words_for

register = template.Library()
register.filter("words", entry_words_for)
