"""Adds security headers to every response: what its page may do, and who may embed it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]

UNUSED_FEATURES = (
    *("accelerometer", "autoplay", "browsing-topics", "camera", "display-capture"),
    *("encrypted-media", "geolocation", "gyroscope", "hid", "idle-detection", "magnetometer"),
    *("microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking"),
)
"""Browser features that no page uses."""
POLICY_HEADERS = {
    "Permissions-Policy": ", ".join(f"{name}=()" for name in UNUSED_FEATURES),
    "Cross-Origin-Resource-Policy": "same-origin",
}


def add_policies(get_response: GetResponse) -> GetResponse:
    """Return a middleware that adds the security headers to every response."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        for name, value in POLICY_HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return middleware
