"""One log line for each request, as JSON (`LOG_FORMAT=json`).

It has the page, the status, the duration and the number of queries; never a URL with a secret,
never a value. The response has the request's id, which is in each line logged during it.
"""

import json
import logging
import re
import secrets
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponseBase

from server.logs import Discreet

log = logging.getLogger("overplay.requests")

SLOW_REQUEST, SLOW_QUERY = 1.0, 0.2
"""Seconds from which on it is a warning."""
NUMBER = re.compile(r"[A-Za-z0-9_-]{8,64}")
"""A request id that a proxy has set."""
VALUE = re.compile(r"'(?:[^']|'')*'|\b\d+\b")

ASKED: ContextVar[str] = ContextVar("request_id", default="")
CLUB: ContextVar[int | None] = ContextVar("club", default=None)


def set_request_club(club: int) -> None:
    """Record the club of the current request; visits call this."""
    CLUB.set(club)


@dataclass(slots=True)
class Asking:
    """Counts the queries of a request, and records slow ones."""

    queries: int = 0
    slow: list[dict[str, Any]] = field(default_factory=list)

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        """Execute one query, and record it."""
        began = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            took = time.perf_counter() - began
            self.queries += 1
            if took > SLOW_QUERY:
                self.slow.append({"ms": round(took * 1000), "shape": query_without_values(sql)})


def query_without_values(sql: str) -> str:
    """Return a query without its values."""
    return VALUE.sub("?", sql)[:500]


def log_requests(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return a middleware that sets an id for every request and logs it if lines are JSON."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-Id", "")
        number = given if NUMBER.fullmatch(given) else secrets.token_hex(8)
        token = ASKED.set(number)
        try:
            if not log.isEnabledFor(logging.INFO):
                response = get_response(request)
            else:
                response = _noted(get_response, request)
        finally:
            ASKED.reset(token)
        response.headers["X-Request-Id"] = number
        return response

    return answer


def _noted(
    get_response: Callable[[HttpRequest], HttpResponseBase], request: HttpRequest
) -> HttpResponseBase:
    asking, began = Asking(), time.perf_counter()
    CLUB.set(None)
    with connection.execute_wrapper(asking):
        response = get_response(request)
    took = time.perf_counter() - began
    match = request.resolver_match
    told = {
        "method": request.method,
        "view": match.view_name if match else "",
        "status": response.status_code,
        "ms": round(took * 1000),
        "queries": asking.queries,
        "club": CLUB.get(),
        "login": getattr(getattr(request, "user", None), "pk", None),
    }
    if asking.slow:
        told["slow_queries"] = asking.slow
    is_slow = took > SLOW_REQUEST or bool(asking.slow)
    log.log(logging.WARNING if is_slow else logging.INFO, "request", extra={"told": told})
    return response


class JsonLines(Discreet):
    """Formats records as JSON, with a star for every hand and secret."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; a traceback is a string in it."""
        plain: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(
                timespec="milliseconds"
            ),
            "level": record.levelname,
            "logger": record.name,
            "message": self.hide(record.getMessage()),
        }
        if number := ASKED.get():
            plain["request"] = number
        plain |= getattr(record, "told", {})
        if record.exc_info:
            plain["traceback"] = self.hide(self.formatException(record.exc_info))
        return json.dumps(plain, default=str, ensure_ascii=False)
