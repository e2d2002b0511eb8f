"""Template tags for the display settings of a browser."""

from dataclasses import dataclass

from django import template
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from server.schemes import chosen_settings

register = template.Library()
ON_A_WALL = ("screen", "clock")


@dataclass(frozen=True, slots=True)
class Choice:
    """A button in the footer: its setting, its label, whether it is pressed."""

    name: str
    value: str
    word: str
    is_pressed: bool


@register.simple_tag(takes_context=True)
def scheme(context: template.Context) -> str:
    """Return this browser's colour scheme: "light", "dark" or "device"."""
    request: HttpRequest | None = context.get("request")
    return chosen_settings(request).get("scheme", "device")


@register.simple_tag(takes_context=True)
def drawn_for(context: template.Context, page: str = "") -> SafeString:
    """Return the display settings as attributes of the page.

    A big-screen page is dark, since halls are dim; its URL can choose light.
    """
    request: HttpRequest | None = context.get("request")
    found = chosen_settings(request)
    if page in ON_A_WALL and request is not None:
        found["scheme"] = "light" if "light" in request.GET else "dark"
    return format_html_join("", ' data-{}="{}"', found.items())


@register.simple_tag(takes_context=True)
def scheme_choices(context: template.Context) -> list[Choice]:
    """List the colour schemes of the footer."""
    found = chosen_settings(context.get("request")).get("scheme", "device")
    words = {"light": _("Light"), "dark": _("Dark"), "device": _("As the device")}
    return [Choice("scheme", value, word, value == found) for value, word in words.items()]


@register.simple_tag(takes_context=True)
def more_choices(context: template.Context) -> list[Choice]:
    """List the other settings of the footer, each on or off."""
    found = chosen_settings(context.get("request"))
    words = {
        ("letters", "large"): _("Large text"),
        ("rows", "close"): _("Tight rows"),
        ("suits", "four"): _("Four-colour suits"),
    }
    return [
        Choice(name, value, word, found.get(name) == value)
        for (name, value), word in words.items()
    ]
