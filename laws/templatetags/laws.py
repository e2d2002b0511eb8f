"""How the law book's pages name their places."""

from django import template

register = template.Library()


@register.filter
def anchor(key: str) -> str:
    """Turn a place in the laws, such as `IV.9`, into an id that style sheets can write too."""
    return key.replace(".", "-")
