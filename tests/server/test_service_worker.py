"""Test the service worker's headers, and which pages it caches."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from config.navigation import PAGES_WITHOUT_NAVIGATION
from tests import evenings

SCRIPT = (Path(__file__).resolve().parents[2] / "static/js/service_worker.js").read_text(
    "utf-8"
)
LOG_FORMATTER = settings.LOGGING["formatters"]["discreet"]
UNCACHED_FOLDERS = (
    "director",
    "admin",
    "api",
    "login",
    "logout",
    "scheme",
    "search",
    "start",
    "papers",
)


def _read_pattern(name: str) -> re.Pattern[str]:
    match = re.search(rf"^const {name} = /(.+)/;$", SCRIPT, re.MULTILINE)
    assert match is not None
    return re.compile(match[1].replace(r"\/", "/"))


CACHED_PATTERN, SKIPPED_PATTERN = _read_pattern("KEPT"), _read_pattern("SKIPPED")


def _is_cached_path(path: str) -> bool:
    return CACHED_PATTERN.search(path) is not None and SKIPPED_PATTERN.search(path) is None


def _list_paths(
    patterns: list[URLPattern | URLResolver], prefix: str = "/"
) -> Iterator[tuple[str, str]]:
    """Yield the name and an example path of every URL pattern."""
    for pattern in patterns:
        path = prefix + re.sub(r"<[^>]+>", "x", str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from _list_paths(pattern.url_patterns, path)
        else:
            yield pattern.name or "", path


def test_service_worker_covers_whole_site_and_is_always_revalidated(
    client: Client,
) -> None:
    response = client.get("/service-worker.js")
    assert response.content.decode() == SCRIPT
    assert response.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-cache"
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]
    assert not response.cookies


def test_secret_links_and_director_pages_are_never_cached() -> None:
    folders = (*LOG_FORMATTER["secret_folders"], *UNCACHED_FOLDERS)
    paths = [path for _name, path in _list_paths(get_resolver().url_patterns)]
    private_paths = [
        path for path in paths if path.startswith(tuple(f"/{folder}/" for folder in folders))
    ]
    assert len(private_paths) > 300
    assert [path for path in private_paths if _is_cached_path(path)] == []


def test_page_without_public_layout_is_never_cached() -> None:
    paths = list(_list_paths(get_resolver().url_patterns))
    paths_without_navigation = [
        path for name, path in paths if name in PAGES_WITHOUT_NAVIGATION
    ]
    assert len(paths_without_navigation) >= 6
    assert [path for path in paths_without_navigation if _is_cached_path(path)] == []


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/events/", "/events/tuesday/", "/events/tuesday/entries/3/"),
        *("/events/tuesday/boards/4/", "/clubs/riverside/", "/players/7/", "/learn/"),
        *("/drives/may/", "/rubbers/june/", "/laws/"),
    ],
)
def test_pages_for_players_are_cached(path: str) -> None:
    assert _is_cached_path(path)


def test_only_public_pages_register_service_worker(client: Client, db: None) -> None:
    session, user = evenings.play_session()
    assert "js/offline.js" in client.get("/").content.decode()
    screen = client.get(f"/events/{session.event.slug}/screen/").content.decode()
    assert "js/offline.js" not in screen
    client.force_login(user)
    assert "js/offline.js" not in client.get("/director/").content.decode()
