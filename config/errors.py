"""Error responses: not found, forbidden, errors of the program, and outages.

A response is JSON under /api/ and for API clients, a line of text for fragments, or else a
page.
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
from server.api.errors import build_error_response
from server.errors import PageNotFound, PageNotReady
from server.fragments import HTMX_HEADER
from server.private_apis import mark_as_logged

log = logging.getLogger(__name__)

CONFLICT_CODES = {"entered_meanwhile"}
"""Codes of edit conflicts, after which the client may send its request again."""
PROBLEM_CONTENT_TYPE = "application/problem+json"
NUL_ERROR_MESSAGES = ("NUL (0x00)", "\\u0000 cannot be converted")
"""PostgreSQL's messages about NUL, the only character it cannot store; SQLite can."""
RETRY_AFTER_SECONDS = 30
"""The seconds after which a client may retry after an error of the program."""


def show_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the 404 response, with the reason if the exception has one."""
    if request.path.startswith("/api/"):
        detail = _("Page not found. Check the address.")
        return JsonResponse({"code": "not_found", "detail": detail}, status=404)
    not_found_error = exception if isinstance(exception, PageNotFound) else None
    context = {"not_found": not_found_error, "is_early": isinstance(exception, PageNotReady)}
    return render(request, "404.html", context, status=404)


def show_server_error(request: HttpRequest) -> HttpResponse:
    """Return the response to an outage or to an error of the program.

    Django calls this view while it handles an exception from any part of the program.
    """
    error = sys.exc_info()[1]
    if isinstance(error, ClubMoved):
        return _render_moved_club(request, error)
    if isinstance(error, DataError) and any(
        nul_message in str(error) for nul_message in NUL_ERROR_MESSAGES
    ):
        return _render_unstorable_character(request)
    outage = outages.find_outage(error)
    if outage is None:
        response = _render_program_error(request, error)
    else:
        assert error is not None
        outages.log_outage(outage, error)
        response = _render_outage(request, outage)
    response.headers["Cache-Control"] = "no-store"
    mark_as_logged(response)
    return response


def build_api_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the API response to an exception; the text of a WhistError is shown to users."""
    if not isinstance(error, WhistError):
        return build_error_response(error, context)
    set_rollback()
    if isinstance(error, QuotaReached):
        body = {"code": error.code, "detail": str(error), "status": 429}
        return Response(
            body | {"retry_after": error.wait_seconds},
            status=429,
            headers={"Retry-After": str(error.wait_seconds)},
            content_type=PROBLEM_CONTENT_TYPE,
        )
    status = 409 if error.code in CONFLICT_CODES else 400
    return Response({"code": error.code, "detail": str(error)}, status=status)


def _render_moved_club(request: HttpRequest, error: ClubMoved) -> HttpResponse:
    """Return the response that a club has moved to another machine."""
    if _accepts_json(request):
        return _build_problem_response(error.code, 409, str(error))
    if _is_fragment_request(request):
        return _build_text_response(str(error), 409)
    context = {"title": _("The club has moved"), "words": str(error)}
    return render(request, "409.html", context, status=409)


def _render_unstorable_character(request: HttpRequest) -> HttpResponse:
    """Return the response to a request with a character that cannot be stored."""
    message = _("The text contains a character that can’t be saved. Correct it.")
    if _accepts_json(request):
        return _build_problem_response("unwritable", 400, message)
    if _is_fragment_request(request):
        return _build_text_response(message, 400)
    context = {"title": _("Can’t be saved"), "words": message}
    return render(request, "409.html", context, status=400)


def _render_program_error(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    """Return the response to a bug, with an error number that the log contains too."""
    log_id = secrets.token_hex(4)
    log.error("Mistake %s at %s %s", log_id, request.method, request.path, exc_info=error)
    message = _("Sorry, something went wrong in Overplay (log number %(number)s).")
    detail = message % {"number": log_id}
    if _accepts_json(request):
        return _build_problem_response("error", 500, detail, log_id=log_id)
    if _is_fragment_request(request):
        return _build_text_response(detail, 500)
    return HttpResponse(loader.render_to_string("500.html", {"number": log_id}), status=500)


def _render_outage(request: HttpRequest, outage: outages.Outage) -> HttpResponse:
    """Return the response to an outage, with the time to retry."""
    detail = f"{outage.title}. {outage.message}"
    retry_seconds = outage.retry_after_seconds
    if _accepts_json(request):
        response = _build_problem_response(
            outage.code, outage.status, detail, retry_after=retry_seconds
        )
    elif _is_fragment_request(request):
        response = _build_text_response(detail, 503)
    else:
        is_safe_method = request.method in ("GET", "HEAD")
        page = loader.render_to_string(
            "away.html", {"outage": outage, "is_reading": is_safe_method}
        )
        response = HttpResponse(page, status=503)
        if is_safe_method:
            response.headers["Refresh"] = str(retry_seconds)
    response.headers["Retry-After"] = str(retry_seconds)
    return response


def _accepts_json(request: HttpRequest) -> bool:
    """Return whether the client expects JSON problem details."""
    return request.path.startswith("/api/") or PROBLEM_CONTENT_TYPE in request.headers.get(
        "Accept", ""
    )


def _is_fragment_request(request: HttpRequest) -> bool:
    """Return whether a script on a page sent the request, for a fragment or for JSON.

    The error for a script is a line of text even if the script expects JSON, because a phone
    keeps an unsent score until it receives JSON.
    """
    is_html_expected = "json" not in request.headers.get("Accept", "")
    return HTMX_HEADER in request.headers or not is_html_expected


def _build_problem_response(
    code: str, status: int, detail: str, **extra_fields: object
) -> HttpResponse:
    body = {"code": code, "detail": detail, "status": status} | extra_fields
    return JsonResponse(body, status=status, content_type=PROBLEM_CONTENT_TYPE)


def _build_text_response(message: str, status: int) -> HttpResponse:
    """Return a line of text in response to a fragment's request; the page stays as it is."""
    return HttpResponse(message, status=status, content_type="text/plain; charset=utf-8")
