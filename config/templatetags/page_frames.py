"""Template tags for the frame of a page and its icons."""

from urllib.parse import urlencode

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from config.page_frame import PageFrame, build_frame

register = template.Library()


@register.simple_tag(takes_context=True, name="page_frame")
def build_page_frame(context: template.Context) -> PageFrame:
    """Return the frame of the current page."""
    return build_frame(context.get("request"), context.flatten())


@register.simple_tag(takes_context=True, name="connect_phones_url")
def build_connect_phones_url(context: template.Context) -> str:
    """Return the URL of the Wi-Fi access page, which leads back to the current page."""
    request = getattr(context, "request", None)
    url = reverse("hall")
    if request is None or request.method != "GET":
        return url
    return f"{url}?{urlencode({'next': request.get_full_path()})}"


@register.simple_tag(name="icon")
def render_icon(name: str, kind: str = "") -> SafeString:
    """Render an icon, hidden from screen readers, since its label is next to it."""
    return format_html(
        '<svg class="icon icon--{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        kind or name,
        static("img/icons.svg"),
        name,
    )
