"""Refusals without their pages, for walks over every address.

The page that says "not here" or "not for you" takes as long to draw as any other, and is the
same at every address but for its reason.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html

from config import errors, urls
from server.refusals import PageMissing


@contextmanager
def refused_in_a_line() -> Iterator[None]:
    """Answer what is missing or forbidden with its status and its reason alone."""
    with (
        patch.object(urls, "handler403", _forbidden, create=True),
        patch.object(urls, "handler404", _missing),
    ):
        yield


def _forbidden(*_asked: object, **_told: object) -> HttpResponse:
    return HttpResponse(status=403)  # its page tells no reason


def _missing(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith("/api/"):
        return errors.not_found(request, exception)
    told = exception if isinstance(exception, PageMissing) else None
    line = format_html("<p>{} {}</p>", told.reason, told.way or "") if told else ""
    return HttpResponse(line, status=404)
