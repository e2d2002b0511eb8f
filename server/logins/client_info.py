"""The IP address of a request's client, and a description of the browser."""

from ipaddress import IPv4Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
"""Pairs of a word in the user agent and the name of the browser.

The first match counts, because some user agents contain the words of several browsers.
"""
OPERATING_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)


def find_client_address(request: HttpRequest) -> str:
    """Return the client's IP address.

    Behind a proxy this is the last address in X-Forwarded-For, which the proxy wrote. Earlier
    addresses come from the client and are not trusted.
    """
    forwarded_for_header = (
        request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.IS_SERVER_DEPLOYMENT else ""
    )
    return str(
        forwarded_for_header.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR", "")
    )


def shorten_address(address: str) -> str:
    """Return an IP address without the part that identifies a household."""
    try:
        parsed_address = ip_address(address)
    except ValueError:
        return ""
    if isinstance(parsed_address, IPv4Address):
        return f"{address.rpartition('.')[0]}.*"
    if parsed_address.ipv4_mapped:
        return shorten_address(str(parsed_address.ipv4_mapped))
    return str(ip_network((address, 48), strict=False))


def describe_device(request: HttpRequest) -> str:
    """Return a request's browser and operating system, e.g. for the list of sessions."""
    user_agent = request.headers.get("User-Agent", "")
    browser = next((name for word, name in BROWSERS if word in user_agent), "")
    system = next((name for word, name in OPERATING_SYSTEMS if word in user_agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("a program")
