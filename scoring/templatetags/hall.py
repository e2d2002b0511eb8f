"""What pages of the hall remember of what they show."""

from collections.abc import Iterable

from django import template

from scoring.models import DirectorCall
from scoring.sheets.calls import seen_calls

register = template.Library()


@register.filter
def seen(calls: Iterable[DirectorCall]) -> str:
    """Write down which calls a page shows."""
    return seen_calls(calls)
