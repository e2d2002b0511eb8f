"""Security headers: what a page may do, and who may load it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

Answer = Callable[[HttpRequest], HttpResponseBase]

UNUSED_FEATURES = (
    *("accelerometer", "autoplay", "browsing-topics", "camera", "display-capture"),
    *("encrypted-media", "geolocation", "gyroscope", "hid", "idle-detection", "magnetometer"),
    *("microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking"),
)
"""Pages share links, copy them, fill the screen and use passkeys; none needs these."""
POLICIES = {
    "Permissions-Policy": ", ".join(f"{name}=()" for name in UNUSED_FEATURES),
    "Cross-Origin-Resource-Policy": "same-origin",
}


def add_policies(get_response: Answer) -> Answer:
    """Return a middleware that adds the headers to every response, static files included."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        for name, value in POLICIES.items():
            response.headers.setdefault(name, value)
        return response

    return middleware
