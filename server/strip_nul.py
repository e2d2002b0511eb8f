"""Middleware: strip NUL bytes from query strings (PostgreSQL rejects them)."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

Answer = Callable[[HttpRequest], HttpResponse]


def strip_nul(get_response: Answer) -> Answer:
    """Return a middleware that removes NUL from paths and query strings."""

    def answer(request: HttpRequest) -> HttpResponse:
        asked = request.META.get("QUERY_STRING", "")
        if "%00" in asked:
            request.META["QUERY_STRING"] = asked.replace("%00", "")
        return get_response(request)

    return answer
