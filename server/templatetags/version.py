"""What pages tell of the program itself."""

from django import template

from server.version import VERSION

register = template.Library()


@register.simple_tag
def version() -> str:
    """Write the program's version: "1.0"."""
    return VERSION
