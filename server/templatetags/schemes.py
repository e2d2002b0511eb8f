"""Whether a page is drawn light, dark, or as the reader's device is."""

from django import template
from django.http import HttpRequest
from django.utils.translation import gettext as _

from server.schemes import Scheme, chosen

register = template.Library()


@register.simple_tag(takes_context=True)
def scheme(context: template.Context) -> str:
    """Name the scheme that was chosen for this browser: "light", "dark" or "device"."""
    request: HttpRequest | None = context.get("request")
    return str(chosen(request))


@register.simple_tag
def scheme_choices() -> list[tuple[str, str]]:
    """List what can be chosen in the foot, each with its word."""
    return [
        (Scheme.LIGHT, _("Light")),
        (Scheme.DARK, _("Dark")),
        (Scheme.DEVICE, _("As the device")),
    ]
