"""Error responses without their pages, for walks over every URL.

An error page takes as long to render as any other, and is the same at every URL but for its
reason.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html

from config import errors, urls
from server.errors import PageNotFound


@contextmanager
def short_error_responses() -> Iterator[None]:
    """Respond to 403 and 404 with only the status and the reason."""
    with (
        patch.object(urls, "handler403", respond_forbidden, create=True),
        patch.object(urls, "handler404", respond_not_found),
    ):
        yield


def respond_forbidden(*_asked: object, **_told: object) -> HttpResponse:
    return HttpResponse(status=403)  # its page shows no reason


def respond_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith("/api/"):
        return errors.show_not_found(request, exception)
    not_found = exception if isinstance(exception, PageNotFound) else None
    reason_html = (
        format_html("<p>{} {}</p>", not_found.reason, not_found.related_link or "")
        if not_found
        else ""
    )
    return HttpResponse(reason_html, status=404)
