"""Template filter for the anchors of the law pages."""

from django import template

register = template.Library()


@register.filter
def anchor(section_key: str) -> str:
    """Return the HTML id for a section such as `IV.9`, which is also valid in CSS."""
    return section_key.replace(".", "-")
