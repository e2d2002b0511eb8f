"""Times are shown in a club's zone: each request starts without one, and its loader sets it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

Answer = Callable[[HttpRequest], HttpResponse]


def forget_zone(answer: Answer) -> Answer:
    """Make sure that no request sees the zone of the one before it in the same thread."""

    def middleware(request: HttpRequest) -> HttpResponse:
        timezone.deactivate()
        return answer(request)

    return middleware
