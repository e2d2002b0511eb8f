"""A middleware that removes NUL from query strings, since PostgreSQL rejects it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

GetResponse = Callable[[HttpRequest], HttpResponse]


def strip_nul(get_response: GetResponse) -> GetResponse:
    """Return a middleware that removes NUL from query strings."""

    def middleware(request: HttpRequest) -> HttpResponse:
        query_string = request.META.get("QUERY_STRING", "")
        if "%00" in query_string:
            request.META["QUERY_STRING"] = query_string.replace("%00", "")
        return get_response(request)

    return middleware
