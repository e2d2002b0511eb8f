"""The time zone of a request: reset at its start, then set to the club's by its visit."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

Answer = Callable[[HttpRequest], HttpResponse]


def reset_time_zone(answer: Answer) -> Answer:
    """Return a middleware that resets the time zone, which threads keep between requests."""

    def middleware(request: HttpRequest) -> HttpResponse:
        timezone.deactivate()
        return answer(request)

    return middleware
