"""Template tag for a fragment that follows a background job."""

from django import template
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

POLL_SECONDS = 2


@register.simple_tag(takes_context=True)
def follow(
    context: template.Context, is_waiting: bool, part: str, url: str = ""
) -> SafeString | str:
    """Return attributes that fetch a fragment again while its job is not done.

    `part` is the id of the element that has the attributes; `url` returns only it. Without
    `url` it is taken from the page itself. The page includes components/htmx.html.
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
        part,
        POLL_SECONDS,
        part,
    )
