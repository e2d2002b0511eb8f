"""The middleware that adds security headers to every response."""

from collections.abc import Callable

from django.conf import settings
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
    "X-Content-Type-Options": "nosniff",
}


def add_security_headers(get_response: GetResponse) -> GetResponse:
    """Return a middleware that adds the security headers to every response."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        for name, value in POLICY_HEADERS.items():
            response.headers.setdefault(name, value)
        if settings.SECURE_HSTS_SECONDS and request.is_secure():
            response.headers.setdefault(
                "Strict-Transport-Security",
                f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains; preload",
            )
        return response

    return middleware
