"""The request log: one line of JSON for each request (`LOG_FORMAT=json`).

A line has the view, the status, the duration and the number of queries. It has no URL and no
value, since these may be secret. All log lines of a request have the request's id, which is
also in the response.
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

from server.logs import RedactingFormatter

log = logging.getLogger("overplay.requests")

SLOW_REQUEST_SECONDS, SLOW_QUERY_SECONDS = 1.0, 0.2
"""The durations in seconds above which a request or query is logged as a warning."""
REQUEST_ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{8,64}")
"""Matches an acceptable request id set by a proxy."""
SQL_VALUE_PATTERN = re.compile(r"'(?:[^']|'')*'|\b\d+\b")

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
REQUEST_CLUB_PK: ContextVar[int | None] = ContextVar("club", default=None)


def set_request_club(club_pk: int) -> None:
    """Record the club of the current request for the log."""
    REQUEST_CLUB_PK.set(club_pk)


@dataclass(slots=True)
class QueryRecorder:
    """Counts the queries of a request and records slow ones."""

    query_count: int = 0
    slow_queries: list[dict[str, Any]] = field(default_factory=list)

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        """Execute one query and record it."""
        started_at = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            seconds = time.perf_counter() - started_at
            self.query_count += 1
            if seconds > SLOW_QUERY_SECONDS:
                self.slow_queries.append(
                    {"ms": round(seconds * 1000), "shape": strip_query_values(sql)}
                )


def strip_query_values(sql: str) -> str:
    """Return the text of a query without its values."""
    return SQL_VALUE_PATTERN.sub("?", sql)[:500]


def log_requests(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return a middleware that gives each request an id, and logs it if the format is JSON."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        proxy_request_id = request.headers.get("X-Request-Id", "")
        request_id = (
            proxy_request_id
            if REQUEST_ID_PATTERN.fullmatch(proxy_request_id)
            else secrets.token_hex(8)
        )
        token = REQUEST_ID.set(request_id)
        try:
            if not log.isEnabledFor(logging.INFO):
                response = get_response(request)
            else:
                response = _log_request(get_response, request)
        finally:
            REQUEST_ID.reset(token)
        response.headers["X-Request-Id"] = request_id
        return response

    return middleware


def _log_request(
    get_response: Callable[[HttpRequest], HttpResponseBase], request: HttpRequest
) -> HttpResponseBase:
    recorder, started_at = QueryRecorder(), time.perf_counter()
    REQUEST_CLUB_PK.set(None)
    with connection.execute_wrapper(recorder):
        response = get_response(request)
    seconds = time.perf_counter() - started_at
    url_match = request.resolver_match
    log_data = {
        "method": request.method,
        "view": url_match.view_name if url_match else "",
        "status": response.status_code,
        "ms": round(seconds * 1000),
        "queries": recorder.query_count,
        "club": REQUEST_CLUB_PK.get(),
        "login": getattr(getattr(request, "user", None), "pk", None),
    }
    if recorder.slow_queries:
        log_data["slow_queries"] = recorder.slow_queries
    is_slow = seconds > SLOW_REQUEST_SECONDS or bool(recorder.slow_queries)
    log.log(logging.WARNING if is_slow else logging.INFO, "request", extra={"told": log_data})
    return response


class JsonFormatter(RedactingFormatter):
    """A log formatter that writes JSON and replaces bridge hands and secrets with a star."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a line of JSON; a traceback is a string in it."""
        log_entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(
                timespec="milliseconds"
            ),
            "level": record.levelname,
            "logger": record.name,
            "message": self.redact(record.getMessage()),
        }
        if request_id := REQUEST_ID.get():
            log_entry["request"] = request_id
        log_entry |= getattr(record, "told", {})
        if record.exc_info:
            log_entry["traceback"] = self.redact(self.formatException(record.exc_info))
        return json.dumps(log_entry, default=str, ensure_ascii=False)
