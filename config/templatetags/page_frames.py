"""The frame of a page, and the icons in it."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from config.page_frame import PageFrame, frame_of

register = template.Library()


@register.simple_tag(takes_context=True)
def page_frame(context: template.Context) -> PageFrame:
    """Make the frame of the page that is drawn."""
    return frame_of(context.get("request"), context.flatten())


@register.simple_tag
def icon(name: str, kind: str = "") -> SafeString:
    """Draw one of our icons; a word stands beside it, or its link has a label."""
    return format_html(
        '<svg class="icon icon--{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        kind or name,
        static("img/icons.svg"),
        name,
    )
