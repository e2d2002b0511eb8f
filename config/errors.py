"""Error responses: missing, forbidden and broken pages, and outages.

JSON under /api/ and for API clients, one line for a fragment of a page, otherwise a page.
"""

import logging
import secrets
import sys
from typing import Any

from django.db import DataError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import loader
from django.utils.translation import gettext as _
from rest_framework.response import Response
from rest_framework.views import set_rollback

from boards.whist.errors import WhistError
from clubs.errors import ClubMoved
from scoring.errors import QuotaReached
from server import outages
from server.api.errors import answer_refusal
from server.fragments import ASKED_BY_A_PAGE
from server.private_apis import mark_as_logged
from server.refusals import PageMissing, PageNotYetThere

log = logging.getLogger(__name__)

CONFLICTS = {"entered_meanwhile"}
"""Error codes for edit conflicts; the client may retry."""
PROBLEM = "application/problem+json"
NUL = ("NUL (0x00)", "\\u0000 cannot be converted")
"""PostgreSQL's messages about NUL, the only character it cannot store; SQLite stores it."""
OURS = 30
"""Seconds after which a client may retry after an error of the program."""


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the 404 response, with the reason if there is one in words."""
    if request.path.startswith("/api/"):
        detail = _("There is nothing here. Check the address.")
        return JsonResponse({"code": "not_found", "detail": detail}, status=404)
    told = exception if isinstance(exception, PageMissing) else None
    context = {"told": told, "is_early": isinstance(exception, PageNotYetThere)}
    return render(request, "404.html", context, status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """Return the response to an outage, or to an error of the program.

    Django calls it while it handles the exception, whatever part of the program raised it.
    """
    error = sys.exc_info()[1]
    if isinstance(error, ClubMoved):
        return _moved(request, error)
    if isinstance(error, DataError) and any(said in str(error) for said in NUL):
        return _unwritable(request)
    outage = outages.outage_of(error)
    if outage is None:
        response = _mistaken(request, error)
    else:
        assert error is not None
        outages.log_outage(outage, error)
        response = _away(request, outage)
    response.headers["Cache-Control"] = "no-store"
    mark_as_logged(response)
    return response


def answer_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the API response to an exception; a WhistError's text is for the user."""
    if not isinstance(error, WhistError):
        return answer_refusal(error, context)
    set_rollback()
    if isinstance(error, QuotaReached):
        said = {"code": error.code, "detail": str(error), "status": 429}
        return Response(
            said | {"retry_after": error.wait},
            status=429,
            headers={"Retry-After": str(error.wait)},
            content_type=PROBLEM,
        )
    status = 409 if error.code in CONFLICTS else 400
    return Response({"code": error.code, "detail": str(error)}, status=status)


def _moved(request: HttpRequest, error: ClubMoved) -> HttpResponse:
    """Report that a club has moved to another machine."""
    if _wants_data(request):
        return _problem(error.code, 409, str(error))
    if _wants_a_line(request):
        return _line(str(error), 409)
    context = {"title": _("The club has moved"), "words": str(error)}
    return render(request, "409.html", context, status=409)


def _unwritable(request: HttpRequest) -> HttpResponse:
    """Refuse a request with a character that cannot be stored; no one types it."""
    words = _("What was sent holds a character that cannot be saved. Correct it.")
    if _wants_data(request):
        return _problem("unwritable", 400, words)
    if _wants_a_line(request):
        return _line(words, 400)
    context = {"title": _("That cannot be saved"), "words": words}
    return render(request, "409.html", context, status=400)


def _mistaken(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    """Report an error of the program, with a short number that is also in the log."""
    number = secrets.token_hex(4)
    log.error("Mistake %s at %s %s", number, request.method, request.path, exc_info=error)
    words = _("Overplay has made a mistake here, not you. In the log it is number %(number)s.")
    detail = words % {"number": number}
    if _wants_data(request):
        return _problem("error", 500, detail, log_id=number)
    if _wants_a_line(request):
        return _line(detail, 500)
    return HttpResponse(loader.render_to_string("500.html", {"number": number}), status=500)


def _away(request: HttpRequest, outage: outages.Outage) -> HttpResponse:
    """Report an outage, and when to retry."""
    detail = f"{outage.title}. {outage.words}"
    wait = outage.retry_after
    if _wants_data(request):
        response = _problem(outage.code, outage.status, detail, retry_after=wait)
    elif _wants_a_line(request):
        response = _line(detail, 503)
    else:
        asks_only = request.method in ("GET", "HEAD")
        page = loader.render_to_string("away.html", {"outage": outage, "asks_only": asks_only})
        response = HttpResponse(page, status=503)
        if asks_only:
            response.headers["Refresh"] = str(wait)
    response.headers["Retry-After"] = str(wait)
    return response


def _wants_data(request: HttpRequest) -> bool:
    """Return whether the client expects JSON problem details."""
    return request.path.startswith("/api/") or PROBLEM in request.headers.get("Accept", "")


def _wants_a_line(request: HttpRequest) -> bool:
    """Return whether a script of a page sent the request, for a fragment or for data.

    A phone keeps an entry that it sent until the response is JSON.
    """
    is_for_people = "json" not in request.headers.get("Accept", "")
    return ASKED_BY_A_PAGE in request.headers or not is_for_people


def _problem(code: str, status: int, detail: str, **more: object) -> HttpResponse:
    body = {"code": code, "detail": detail, "status": status} | more
    return JsonResponse(body, status=status, content_type=PROBLEM)


def _line(words: str, status: int) -> HttpResponse:
    """Return one line for a fragment of a page; the page keeps its content."""
    return HttpResponse(words, status=status, content_type="text/plain; charset=utf-8")
