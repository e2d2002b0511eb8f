"""Template tag for a fragment that polls a background job."""

from django import template
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

POLL_SECONDS = 2


@register.simple_tag(takes_context=True, name="follow")
def build_poll_attributes(
    context: template.Context, is_waiting: bool, element_id: str, url: str = ""
) -> SafeString | str:
    """Return HTML attributes that reload a fragment until its job is done.

    `element_id` is the id of the element that has these attributes. The element is replaced by
    the element with this id in the response of `url`, by default the current page. The page
    must include components/htmx.html.
    """
    if not is_waiting:
        return ""
    if not url:
        request: HttpRequest = context["request"]
        url = request.get_full_path()
    return format_html(
        ' data-hx-get="{}" data-hx-select="#{}" data-hx-trigger="every {}s"'
        ' data-hx-target="#{}" data-hx-swap="outerHTML"',
        url,
        element_id,
        POLL_SECONDS,
        element_id,
    )
