"""A cache of public pages in this process's memory, valid while their versions are current.

A view whose response is the same for all users of a language calls `mark_cacheable` with the
versions that it read before rendering. The middleware then stores the compressed response.
Requests with a login, or with any cookie except that of the language, are never cached.
"""

import re
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import NamedTuple

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import get_conditional_response, patch_vary_headers

from server.counters import COUNTERS, PAGE_RESPONSE_COUNTER
from server.invalidation import KNOWN_VERSIONS
from server.languages import get_request_language, has_only_language_cookie
from server.public_versions import are_versions_current
from server.version import VERSION

CacheKey = tuple[str, ...]

CACHE_PERMISSION_KEY = "overplay.cacheable"
"""The key of a view's CachePermission in `request.META`."""
PAGE_OVERHEAD_BYTES = 1000  # estimated memory of a cached page without its content
CACHED_STATUSES = (200, 204, 302)
MAX_STALE_SECONDS = 60.0
"""The seconds for which a page is still served while the database is unavailable."""
CACHE_CONTROL = "max-age=0, s-maxage=1"
"""The Cache-Control header: browsers always revalidate, a shared proxy once a second."""
VARY_HEADERS = ("Accept-Encoding", "Accept-Language", "Cookie", "HX-Request")
GZIP_PATTERN = re.compile(r"\bgzip\b")  # the same pattern as in Django's GZipMiddleware
POLL_QUERY_PATTERN = re.compile(r"(?:^|&)seen=\d")
"""Matches the query string of a page that polls every few seconds."""


class CachePermission(NamedTuple):
    """A view's permission to cache its response.

    `state` is everything that affects the response, except the versions.
    """

    versions_by_subject: Mapping[str, int]
    state: str
    max_age_seconds: int


@dataclass(slots=True)
class CachedPage:
    """A stored response, and the time until which it may be served."""

    status: int
    headers: dict[str, str]
    content: bytes
    versions_by_subject: Mapping[str, int]
    expires_at: float
    checked_at: float  # the last Unix time at which the page was known to be current

    def is_current(self) -> bool:
        """Return whether the page may be served; False if the versions cannot be compared."""
        now = time.time()
        try:
            is_valid = now < self.expires_at and are_versions_current(self.versions_by_subject)
        except (DatabaseError, InterfaceError):
            return False
        if is_valid:
            self.checked_at = now
        return is_valid

    def build_response(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response, or 304 if the client already has it."""
        response = HttpResponse(self.content, status=self.status, headers=self.headers)
        if "If-None-Match" not in request.headers:
            return response
        etag = self.headers["ETag"]
        return get_conditional_response(request, etag=etag, response=response) or response


class PageCache:
    """An LRU cache of pages, limited to `CACHE_BYTES` bytes."""

    def __init__(self) -> None:
        self.pages: OrderedDict[CacheKey, CachedPage] = OrderedDict()
        self.size_bytes = 0
        self._lock = threading.Lock()

    def get(self, cache_key: CacheKey) -> CachedPage | None:
        """Return a page, and mark it as used most recently."""
        with self._lock:
            if cache_key in self.pages:
                self.pages.move_to_end(cache_key)
            return self.pages.get(cache_key)

    def set(self, cache_key: CacheKey, page: CachedPage) -> None:
        """Store a page, and drop the least recently used ones above the limit."""
        with self._lock:
            if old_page := self.pages.pop(cache_key, None):
                self.size_bytes -= _compute_size(old_page)
            self.pages[cache_key] = page
            self.size_bytes += _compute_size(page)
            while self.size_bytes > settings.CACHE_BYTES and self.pages:
                _key, dropped_page = self.pages.popitem(last=False)
                self.size_bytes -= _compute_size(dropped_page)

    def clear(self) -> None:
        """Drop all pages."""
        with self._lock:
            self.pages.clear()
            self.size_bytes = 0


PAGE_CACHE = PageCache()


def clear_page_cache() -> None:
    """Drop all pages and forget all versions of this process; for tests."""
    PAGE_CACHE.clear()
    KNOWN_VERSIONS.newest_versions_by_subject.clear()


def mark_cacheable(
    request: HttpRequest,
    versions_by_subject: Mapping[str, int],
    *,
    state: object = "",
    seconds: int,
) -> None:
    """Allow the response to this request to be cached for at most `seconds`.

    `versions_by_subject` must be read before the content of the response. `state` is everything
    else that affects the response.
    """
    request.META[CACHE_PERMISSION_KEY] = CachePermission(
        versions_by_subject, str(state), seconds
    )


def is_response_public(request: HttpRequest) -> bool:
    """Return whether the response cannot depend on the user: no login and no cookie."""
    meta = request.META
    cookies = meta.get("HTTP_COOKIE", "")
    is_personal = "HTTP_AUTHORIZATION" in meta or (
        cookies and not has_only_language_cookie(cookies)
    )
    return request.method == "GET" and not is_personal


def find_cached_page(request: HttpRequest) -> CachedPage | None:
    """Return the last response to this request, to be served during a database outage.

    The response was current at most a minute ago. It is not returned if this process knows a
    newer version, which may hide something.
    """
    page = PAGE_CACHE.get(_build_key(request)) if is_response_public(request) else None
    if page is None or time.time() - page.checked_at > MAX_STALE_SECONDS:
        return None
    return page if KNOWN_VERSIONS.are_all_current(page.versions_by_subject) else None


class PageCacheMiddleware:
    """Middleware that serves and stores cached pages; it must be the first one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.gzip = GZipMiddleware(get_response)
        self.poll_semaphore = threading.BoundedSemaphore(1)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Respond from the cache, or render the page."""
        if not is_response_public(request):
            return self.get_response(request)
        cache_key = _build_key(request)
        page = PAGE_CACHE.get(cache_key)
        if page is not None and page.is_current():
            COUNTERS.add(PAGE_RESPONSE_COUNTER, "cached", str(page.status))
            return page.build_response(request)
        if not POLL_QUERY_PATTERN.search(request.META.get("QUERY_STRING", "")):
            return self._render_and_cache_page(request, cache_key)
        # When an event changes, all its pages poll at once. One request is served; the
        # others retry in a second, so that score entry does not wait for them.
        if not self.poll_semaphore.acquire(blocking=False):
            COUNTERS.add(PAGE_RESPONSE_COUNTER, "postponed", "204")
            return HttpResponse(status=204, headers={"Cache-Control": "no-store"})
        try:
            return self._render_and_cache_page(request, cache_key)
        finally:
            self.poll_semaphore.release()

    def _render_and_cache_page(
        self, request: HttpRequest, cache_key: CacheKey
    ) -> HttpResponseBase:
        response = self.get_response(request)
        cache_permission = request.META.get(CACHE_PERMISSION_KEY)
        if not isinstance(cache_permission, CachePermission) or not isinstance(
            response, HttpResponse
        ):
            return response
        if response.status_code not in CACHED_STATUSES or response.cookies:
            return response
        now = time.time()
        # Pages expire at different times, but a page expires at the same time in all processes.
        expiry_offset = zlib.crc32(request.path.encode()) % cache_permission.max_age_seconds
        period_number = int((now + expiry_offset) // cache_permission.max_age_seconds)
        etag = sha256(
            repr((_describe_build(), cache_key, cache_permission, period_number)).encode()
        ).hexdigest()[:20]
        patch_vary_headers(response, VARY_HEADERS)
        response.headers.setdefault("Cache-Control", CACHE_CONTROL)
        response.headers["ETag"] = f'W/"{etag}"'
        response.headers.pop("X-Request-Id", None)  # this header belongs to one request only
        self.gzip.process_response(request, response)
        page = CachedPage(
            response.status_code,
            dict(response.headers),
            response.content,
            cache_permission.versions_by_subject,
            expires_at=(period_number + 1) * cache_permission.max_age_seconds - expiry_offset,
            checked_at=now,
        )
        PAGE_CACHE.set(cache_key, page)
        COUNTERS.add(PAGE_RESPONSE_COUNTER, "drawn", str(page.status))
        return page.build_response(request)


def _build_key(request: HttpRequest) -> CacheKey:
    """Return a tuple of everything in a request that may affect a public response."""
    meta = request.META
    return (
        request.scheme or "",
        meta.get("HTTP_HOST", ""),
        request.path,
        meta.get("QUERY_STRING", ""),
        meta.get("HTTP_HX_REQUEST", ""),
        get_request_language(request),
        "gzip" if GZIP_PATTERN.search(meta.get("HTTP_ACCEPT_ENCODING", "")) else "",
    )


def _compute_size(page: CachedPage) -> int:
    return len(page.content) + PAGE_OVERHEAD_BYTES


@cache
def _describe_build() -> tuple[str, str]:
    """Return the program's version and the hash of its static files.

    They are part of every ETag, because both affect all pages.
    """
    return VERSION, getattr(staticfiles_storage, "manifest_hash", "")
