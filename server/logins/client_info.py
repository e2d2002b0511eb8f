"""The client of a request: its address, and a description of its browser."""

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
"""Browsers by a word of their user agent; those that also name another browser come first."""
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

    Behind the server's proxy it is the last address in the header, which the proxy itself
    wrote. Earlier ones come from the client and are not trusted.
    """
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.ON_A_SERVER else ""
    return str(forwarded.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR", ""))


def shorten_address(address: str) -> str:
    """Return an IP address without the part that identifies a household."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, IPv4Address):
        return f"{address.rpartition('.')[0]}.*"
    if found.ipv4_mapped:
        return shorten_address(str(found.ipv4_mapped))
    return str(ip_network((address, 48), strict=False))


def describe_device(request: HttpRequest) -> str:
    """Return the browser and operating system of a request's user agent in words."""
    said = request.headers.get("User-Agent", "")
    browser = next((name for mark, name in BROWSERS if mark in said), "")
    system = next((name for mark, name in SYSTEMS if mark in said), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("a program")
