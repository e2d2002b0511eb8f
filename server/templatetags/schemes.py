"""Template tags for the display settings of a browser."""

from dataclasses import dataclass

from django import template
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from server.display_settings import read_display_settings
from server.languages import list_language_choices

register = template.Library()
BIG_SCREEN_PAGES = ("screen", "clock")


@dataclass(frozen=True, slots=True)
class DisplayChoice:
    """A button in the footer: its setting and value, its label, and whether it is pressed."""

    name: str
    value: str
    label: str
    is_pressed: bool


@register.simple_tag(takes_context=True, name="scheme")
def get_colour_scheme(context: template.Context) -> str:
    """Return the browser's colour scheme: "light", "dark" or "device"."""
    request: HttpRequest | None = context.get("request")
    return read_display_settings(request).get("scheme", "device")


@register.simple_tag(takes_context=True, name="display_attributes")
def build_display_attributes(context: template.Context, page: str = "") -> SafeString:
    """Return the display settings as attributes of the page's root element.

    A big-screen page is dark by default, since halls are dim, but its URL can choose light.
    """
    request: HttpRequest | None = context.get("request")
    display_settings = read_display_settings(request)
    if page in BIG_SCREEN_PAGES and request is not None:
        display_settings["scheme"] = "light" if "light" in request.GET else "dark"
    return format_html_join("", ' data-{}="{}"', display_settings.items())


@register.simple_tag(takes_context=True, name="scheme_choices")
def list_scheme_choices(context: template.Context) -> list[DisplayChoice]:
    """List the buttons of the footer for the colour scheme."""
    current_scheme = read_display_settings(context.get("request")).get("scheme", "device")
    labels = {"light": _("Light"), "dark": _("Dark"), "device": _("Same as device")}
    return [
        DisplayChoice("scheme", value, label, value == current_scheme)
        for value, label in labels.items()
    ]


@register.simple_tag(name="language_choices")
def list_language_buttons() -> list[DisplayChoice]:
    """List the buttons of the footer for the language; [] if there is only one."""
    current_code = get_language()
    return [
        DisplayChoice("language", code, language_name, code == current_code)
        for code, language_name in list_language_choices()
    ]


@register.simple_tag(takes_context=True, name="more_choices")
def list_other_choices(context: template.Context) -> list[DisplayChoice]:
    """List the footer's buttons that switch the other settings on or off."""
    display_settings = read_display_settings(context.get("request"))
    labels = {
        ("letters", "large"): _("Large text"),
        ("rows", "close"): _("Compact rows"),
        ("suits", "four"): _("Four-colour suits"),
    }
    return [
        DisplayChoice(name, value, label, display_settings.get(name) == value)
        for (name, value), label in labels.items()
    ]
