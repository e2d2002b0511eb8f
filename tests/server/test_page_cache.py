"""Public pages are rendered once per version, and never served to the wrong reader."""

import gzip
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.test import RequestFactory
from django.utils import translation
from django.utils.translation import get_language, get_language_from_request
from hypothesis import given
from hypothesis import strategies as st

from server import page_cache
from server.languages import LanguageMiddleware
from server.page_cache import (
    PAGE_CACHE,
    PAGE_OVERHEAD_BYTES,
    CachedPage,
    PageCache,
    PageCacheMiddleware,
    mark_cacheable,
)
from server.public_versions import bump_version, read_versions
from tests.languages import LONG_LANGUAGE, MARKED_LANGUAGE, offer_pseudo_languages

KEY = "event:a"
CONTENT = b"standings " * 100
CACHE_SECONDS = 100

pytestmark = pytest.mark.django_db


class Clock:
    """A clock that only moves when a test moves it."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(page_cache, "time", clock)
    return clock


class CountingView:
    """A view that counts how often it renders, and shows the count."""

    def __init__(self) -> None:
        self.drawn = 0
        self.is_marked = True
        self.state = ""
        self.seconds = CACHE_SECONDS
        self.make: Callable[[bytes], HttpResponse] = HttpResponse
        self.while_drawing: Callable[[], object] = lambda: None

    def __call__(self, request: HttpRequest) -> HttpResponse:
        versions = read_versions([KEY])
        self.drawn += 1
        self.while_drawing()
        if self.is_marked:
            mark_cacheable(request, versions, state=self.state, seconds=self.seconds)
        return self.make(CONTENT + str(self.drawn).encode())


@pytest.fixture
def view() -> CountingView:
    return CountingView()


@pytest.fixture
def middleware(view: CountingView) -> PageCacheMiddleware:
    return PageCacheMiddleware(view)


def fetch_page(
    middleware: PageCacheMiddleware, path: str = "/a/", method: str = "GET", **environ: str
) -> HttpResponse:
    request = RequestFactory().generic(method, path, **environ)
    response = middleware(request)
    assert isinstance(response, HttpResponse)
    return response


def read_render_number(response: HttpResponse) -> int:
    """Return the number of the rendering that a response shows."""
    content = response.content
    if response.headers.get("Content-Encoding") == "gzip":
        content = gzip.decompress(content)
    return int(content.removeprefix(CONTENT))


def test_page_is_rendered_once_per_version(middleware: PageCacheMiddleware) -> None:
    assert [read_render_number(fetch_page(middleware)) for _ in range(3)] == [1, 1, 1]
    bump_version(KEY)
    assert [read_render_number(fetch_page(middleware)) for _ in range(3)] == [2, 2, 2]
    bump_version("event:other")
    assert read_render_number(fetch_page(middleware)) == 2


def test_change_during_rendering_invalidates_page(
    middleware: PageCacheMiddleware, view: CountingView
) -> None:
    view.while_drawing = lambda: bump_version(KEY)
    fetch_page(middleware)
    view.while_drawing = lambda: None
    assert read_render_number(fetch_page(middleware)) == 2


def test_cached_page_expires(middleware: PageCacheMiddleware, clock: Clock) -> None:
    fetch_page(middleware)
    (page,) = PAGE_CACHE.pages.values()
    assert clock.now < page.expires_at <= clock.now + CACHE_SECONDS
    clock.now = page.expires_at - 0.01
    assert read_render_number(fetch_page(middleware)) == 1
    clock.now = page.expires_at
    assert read_render_number(fetch_page(middleware)) == 2


@pytest.mark.parametrize(
    "environ",
    [
        {"HTTP_HX_REQUEST": "true"},
        {"HTTP_HOST": "elsewhere.example"},
        {"wsgi.url_scheme": "https"},
        {"HTTP_ACCEPT_ENCODING": "gzip"},
        {"HTTP_ACCEPT_LANGUAGE": "xx"},
        {"HTTP_COOKIE": "language=xx"},
        {"QUERY_STRING": "find=ann"},
        {"PATH_INFO": "/b/"},
    ],
)
def test_cache_distinguishes_requests_by_header_query_and_path(
    middleware: PageCacheMiddleware, environ: dict[str, str]
) -> None:
    with offer_pseudo_languages(MARKED_LANGUAGE):
        first_response = fetch_page(middleware)
        other_response = fetch_page(middleware, **environ)
    assert (read_render_number(first_response), read_render_number(other_response)) == (1, 2)
    assert first_response.headers["ETag"] != other_response.headers["ETag"]


READER_ENVIRONS = st.fixed_dictionaries(
    {},
    optional={
        "HTTP_ACCEPT_LANGUAGE": st.sampled_from(
            ["", "en", "xx", "XX-be", "xl;q=0.5, en;q=0.1", "fi", "en-GB, xx", "*", "x" * 600]
        ),
        "HTTP_COOKIE": st.sampled_from(
            ["", "language=xx", "language=xl", "language=fi", "language=en", "language="]
        ),
        "HTTP_ACCEPT_ENCODING": st.sampled_from(["gzip", "br"]),
    },
)


@given(environs=st.lists(READER_ENVIRONS, min_size=1, max_size=12))
def test_cached_page_is_not_served_in_another_language(
    environs: list[dict[str, str]],
) -> None:
    """A page shows the language for which Django renders it, from the cache as without it."""

    def show_language(request: HttpRequest) -> HttpResponse:
        mark_cacheable(request, {}, seconds=CACHE_SECONDS)
        return HttpResponse(get_language() or "")

    page_cache.clear_page_cache()
    middleware = PageCacheMiddleware(LanguageMiddleware(show_language))
    etags: dict[tuple[str, str], str] = {}
    with offer_pseudo_languages(MARKED_LANGUAGE, LONG_LANGUAGE):
        for environ in environs:
            language = get_language_from_request(RequestFactory().get("/a/", **environ))
            response = fetch_page(middleware, **environ)
            assert response.content.decode() == language
            assert response.headers["Content-Language"] == language
            if "ETag" in response.headers:
                form = "gzip" if environ.get("HTTP_ACCEPT_ENCODING") == "gzip" else ""
                etag = response.headers["ETag"]
                assert etags.setdefault((language, form), etag) == etag
        assert len(set(etags.values())) == len(etags)
        assert len(PAGE_CACHE.pages) == len(etags)
    translation.activate("en")


@pytest.mark.parametrize(
    ("cookies", "is_cached"),
    [
        ("language=xx", True),
        ("language=pt-br", True),
        ("language=xx; sessionid=1", False),
        ("sessionid=1; language=xx", False),
        ("scheme=dark", False),
        ("language=x" * 20, False),
        ("language=xx ", False),
    ],
)
def test_page_with_cookies_other_than_language_is_not_cached(
    middleware: PageCacheMiddleware, cookies: str, is_cached: bool
) -> None:
    answers = [
        read_render_number(fetch_page(middleware, HTTP_COOKIE=cookies)) for _ in range(2)
    ]
    assert answers == ([1, 1] if is_cached else [1, 2])


PERSONAL_REQUESTS = [
    ("GET", {"HTTP_COOKIE": "sessionid=x"}),
    ("GET", {"HTTP_AUTHORIZATION": "Bearer x"}),
    ("POST", {}),
    ("HEAD", {}),
]


@pytest.mark.parametrize(("method", "environ"), PERSONAL_REQUESTS)
def test_personal_request_neither_reads_nor_fills_cache(
    middleware: PageCacheMiddleware, method: str, environ: dict[str, str]
) -> None:
    answers = [fetch_page(middleware, method=method, **environ) for _ in range(2)]
    assert [read_render_number(response) for response in answers] == [1, 2]
    assert not any({"ETag", "Cache-Control"} & set(response.headers) for response in answers)
    assert not PAGE_CACHE.pages
    assert read_render_number(fetch_page(middleware)) == 3
    assert read_render_number(fetch_page(middleware, method=method, **environ)) == 4


def build_response_with_cookie(content: bytes) -> HttpResponse:
    response = HttpResponse(content)
    response.set_cookie("own", "1")
    return response


@pytest.mark.parametrize(
    "build_response",
    [
        build_response_with_cookie,
        lambda content: HttpResponse(content, status=404),
        lambda content: HttpResponse(content, status=503),
    ],
)
def test_errors_and_responses_with_cookies_are_not_cached(
    middleware: PageCacheMiddleware,
    view: CountingView,
    build_response: Callable[[bytes], HttpResponse],
) -> None:
    view.make = build_response
    assert [read_render_number(fetch_page(middleware)) for _ in range(2)] == [1, 2]
    assert not PAGE_CACHE.pages


def test_response_not_marked_cacheable_is_not_cached(
    middleware: PageCacheMiddleware, view: CountingView
) -> None:
    view.is_marked = False
    assert [read_render_number(fetch_page(middleware)) for _ in range(2)] == [1, 2]


def test_redirect_is_cached(middleware: PageCacheMiddleware, view: CountingView) -> None:
    view.make = lambda _content: HttpResponseRedirect("/b/")
    assert [fetch_page(middleware).headers["Location"] for _ in range(2)] == ["/b/"] * 2
    assert view.drawn == 1


def test_etag_equals_version(middleware: PageCacheMiddleware) -> None:
    first_response = fetch_page(middleware)
    etag = first_response.headers["ETag"]
    assert first_response.headers["Cache-Control"] == "max-age=0, s-maxage=1"
    assert {"Accept-Encoding", "Cookie", "HX-Request"} <= set(
        first_response.headers["Vary"].split(", ")
    )
    unchanged_response = fetch_page(middleware, HTTP_IF_NONE_MATCH=etag)
    assert (unchanged_response.status_code, unchanged_response.content) == (304, b"")
    assert unchanged_response.headers["ETag"] == etag
    bump_version(KEY)
    response = fetch_page(middleware, HTTP_IF_NONE_MATCH=etag)
    assert (response.status_code, read_render_number(response)) == (200, 2)
    assert response.headers["ETag"] != etag


def test_all_processes_compute_same_etag_for_a_version(
    middleware: PageCacheMiddleware, clock: Clock
) -> None:
    first_etag = fetch_page(middleware).headers["ETag"]
    PAGE_CACHE.clear()
    assert fetch_page(middleware).headers["ETag"] == first_etag


@pytest.mark.parametrize("changed_attribute", ["state", "seconds"])
def test_etag_changes_with_state_and_elapsed_time(
    middleware: PageCacheMiddleware, view: CountingView, clock: Clock, changed_attribute: str
) -> None:
    first_etag = fetch_page(middleware).headers["ETag"]
    if changed_attribute == "state":
        view.state = "3 late changes"
        PAGE_CACHE.clear()
    else:
        clock.now += CACHE_SECONDS
    assert fetch_page(middleware).headers["ETag"] != first_etag


def test_response_is_compressed_for_clients_accepting_gzip(
    middleware: PageCacheMiddleware,
) -> None:
    for _number in range(2):
        response = fetch_page(middleware, HTTP_ACCEPT_ENCODING="br")
        packed_response = fetch_page(middleware, HTTP_ACCEPT_ENCODING="gzip, br")
        assert "Content-Encoding" not in response.headers
        assert packed_response.headers["Content-Encoding"] == "gzip"
        assert int(packed_response.headers["Content-Length"]) == len(packed_response.content)
        assert len(packed_response.content) < len(response.content) / 4
    assert (read_render_number(response), read_render_number(packed_response)) == (1, 2)


def test_cached_page_has_no_request_id(
    middleware: PageCacheMiddleware, view: CountingView
) -> None:
    view.make = lambda content: HttpResponse(content, headers={"X-Request-Id": "one"})
    assert not any("X-Request-Id" in fetch_page(middleware).headers for _ in range(2))


@pytest.mark.parametrize(
    ("query", "cookie", "is_postponed"),
    [
        ("seen=7", "", True),
        ("part=1&seen=7", "", True),
        ("seen=", "", False),  # the page has seen no version yet
        ("", "", False),
        ("unseen=7", "", False),
        ("seen=7", "sessionid=1", False),  # a director's page shows more
    ],
)
def test_poll_is_postponed_while_another_is_served(
    middleware: PageCacheMiddleware,
    view: CountingView,
    query: str,
    cookie: str,
    is_postponed: bool,
) -> None:
    environ = {"HTTP_COOKIE": cookie} if cookie else {}
    answers: list[HttpResponse] = []

    def request_during_render() -> None:
        view.while_drawing = lambda: None
        answers.append(fetch_page(middleware, f"/b/?{query}", **environ))
        answers.append(fetch_page(middleware, "/t/table/", method="POST"))

    view.while_drawing = request_during_render
    fetch_page(middleware, "/a/?seen=1")
    poll, entry = answers
    assert (poll.status_code == 204) is is_postponed
    assert (poll.headers.get("Cache-Control") == "no-store") is is_postponed
    assert entry.status_code == 200
    assert fetch_page(middleware, f"/b/?{query}", **environ).status_code == 200


def test_failure_does_not_postpone_later_polls(
    middleware: PageCacheMiddleware, view: CountingView
) -> None:
    def raise_os_error() -> None:
        raise OSError("broken")

    view.while_drawing = raise_os_error
    with pytest.raises(OSError, match="broken"):
        fetch_page(middleware, "/a/?seen=1")
    view.while_drawing = lambda: None
    assert fetch_page(middleware, "/a/?seen=1").status_code == 200


def build_cached_page(length: int) -> CachedPage:
    return CachedPage(200, {}, b"x" * length, {}, expires_at=0, checked_at=0)


def test_least_recently_used_page_is_evicted_first(settings: Any) -> None:
    settings.CACHE_BYTES = 3 * (PAGE_OVERHEAD_BYTES + 10)
    cache = PageCache()
    for name in "abc":
        cache.set((name,), build_cached_page(10))
    assert cache.get(("a",)) is not None
    cache.set(("d",), build_cached_page(10))
    assert [cache.get((name,)) is not None for name in "abcd"] == [True, False, True, True]
    assert cache.size_bytes == settings.CACHE_BYTES
    cache.set(("d",), build_cached_page(5))
    assert cache.size_bytes == settings.CACHE_BYTES - 5
    cache.set(("too large",), build_cached_page(100_000))
    assert cache.get(("too large",)) is None
    assert cache.size_bytes == 0


def test_concurrent_threads_keep_cache_size_correct(settings: Any) -> None:
    settings.CACHE_BYTES = 20 * PAGE_OVERHEAD_BYTES
    cache = PageCache()

    def fill_and_read_cache(name: str) -> None:
        for number in range(200):
            cache.set((name, str(number % 30)), build_cached_page(number))
            cache.get((name, str(number % 7)))

    threads = [threading.Thread(target=fill_and_read_cache, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert cache.size_bytes == sum(
        len(page.content) + PAGE_OVERHEAD_BYTES for page in cache.pages.values()
    )
    assert 0 < cache.size_bytes <= settings.CACHE_BYTES
