"""Finds the IP address of a request's client, and describes its browser."""

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
"""Names of browsers by a word in the user agent; a browser that names others comes first."""
SYSTEMS = (
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

    Behind a proxy it is the last address in X-Forwarded-For, which the proxy wrote. Earlier
    ones come from the client and are not trusted.
    """
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.ON_A_SERVER else ""
    return str(forwarded.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR", ""))


def shorten_address(address: str) -> str:
    """Return an IP address without the part that identifies a household."""
    try:
        ip = ip_address(address)
    except ValueError:
        return ""
    if isinstance(ip, IPv4Address):
        return f"{address.rpartition('.')[0]}.*"
    if ip.ipv4_mapped:
        return shorten_address(str(ip.ipv4_mapped))
    return str(ip_network((address, 48), strict=False))


def describe_device(request: HttpRequest) -> str:
    """Return a request's browser and operating system, e.g. for the list of sessions."""
    user_agent = request.headers.get("User-Agent", "")
    browser = next((name for mark, name in BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS if mark in user_agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("a program")
