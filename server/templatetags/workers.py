"""What a director's pages tell of the program that works in the background."""

from django import template

from server.jobs import hearts

register = template.Library()


@register.simple_tag
def worker_is_missing() -> bool:
    """Whether nothing has been heard of a worker for half a minute."""
    return hearts.is_missing()
