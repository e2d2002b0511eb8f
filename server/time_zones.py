"""The middleware that resets the time zone. Views later activate the time zone of a club."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

GetResponse = Callable[[HttpRequest], HttpResponse]


def reset_time_zone(get_response: GetResponse) -> GetResponse:
    """Return a middleware that resets the time zone, which threads keep between requests."""

    def middleware(request: HttpRequest) -> HttpResponse:
        timezone.deactivate()
        return get_response(request)

    return middleware
