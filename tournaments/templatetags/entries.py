"""The words for entries in templates: {{ event|words }} has `one`, `many` and so on."""

from django import template

from tournaments.entry_words import words_of

register = template.Library()
register.filter("words", words_of)
