"""Template filter for dates and times; the settings make it available in all templates."""

from datetime import date, time

from django import template

from server import dates

register = template.Library()


@register.filter
def format_date(moment: date | time | None, format_name: str) -> str:
    """Format a date or time in the active language; None becomes an empty text."""
    return dates.format_date(moment, format_name) if moment else ""
