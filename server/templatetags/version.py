"""Template tag for the program's version."""

from django import template

from server.version import VERSION

register = template.Library()


@register.simple_tag(name="version")
def get_version() -> str:
    """Return the program's version, e.g. "1.0"."""
    return VERSION
