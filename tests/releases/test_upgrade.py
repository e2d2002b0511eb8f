"""The database of every release, opened with today's program, gives what it gave then."""

import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from server import upgrade
from server.models import User
from server.version import VERSION
from tests.databases import opened
from tests.releases import given, stored, walk
from tests.releases.chance import told
from tests.releases.stored import Release

RUNNER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
SERVER = os.environ.get("DATABASE_URL", "") if os.environ.get("OVERPLAY_SERVICES") else ""
KINDS = ["sqlite", "postgresql"] if SERVER else ["sqlite"]
STORED = [(release, kind) for release in stored.releases() for kind in KINDS]
LINKS = {"t", "e", "type"}  # a table's, a pair's, the helpers'
SENT = 405  # it is only sent to
ANSWERS = {200, 204, 302, SENT}
SHUT = {
    "admin/autocomplete/": "wants a field in its query",
    "admin/axes/accessattempt/add/": "nobody writes these",
    "admin/axes/accessfailurelog/add/": "nobody writes these",
    "admin/axes/accesslog/add/": "nobody writes these",
    "admin/boards/boardset/<path:object_id>/delete/": "nobody deletes these",
    "admin/boards/boardset/add/": "nobody writes these",
    "director/events/<event:slug>/rulings/play/": "wants a play in its query",
    "director/papers/<int:pk>/": "its file is not stored with the database",
}
"""Addresses that are refused to everybody who comes as this test does, and why."""


@pytest.fixture(
    scope="module",
    params=STORED,
    ids=[f"{release.version} on {kind}" for release, kind in STORED],
)
def release(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: Any,
) -> Iterator[Release]:
    """A release whose database is brought up to date, and the clock at the end of its night."""
    kept, kind = request.param
    with ExitStack() as stack:
        stack.enter_context(django_db_blocker.unblock())
        if kind == "sqlite":
            described = stored.on_sqlite(kept, tmp_path_factory.mktemp(kept.version))
        else:
            server = SERVER.rpartition("/")[0]
            name = f"test_overplay_release_{RUNNER}"
            described = stack.enter_context(stored.on_postgres(kept, server, name))
        stack.enter_context(opened(described))
        call_command("migrate", verbosity=0)
        yield kept


@pytest.fixture(autouse=True)
def _then(release: Release) -> Iterator[None]:
    """Look at the night when it has just been made, and leave it as it is."""
    with told(release.moment), given.put_back():
        yield


def visitor(who: str) -> Client:
    """Somebody at a browser; what a page breaks at is an answer here and not an error."""
    client = Client(raise_request_exception=False)
    if who == "owner":
        client.force_login(given.owner(given.clubs()[0]))
    elif who != "anybody":
        client.force_login(User.objects.get(username=who))
    return client


def is_asked_by(who: str, page: walk.Page, own: list[str]) -> bool:
    """Whether somebody asks for a page; `own` are the addresses of the owner's events.

    The owner opens the directors' pages of all of these, scorers and strangers of the first.
    """
    if page.path.startswith("/admin/"):
        return who == "keeper"
    if not page.path.startswith(("/director/", "/api/")):
        return who == "anybody"
    if "events/<" not in page.route:
        return who != "keeper"
    asked = {"owner": own, "keeper": []}.get(who, own[:1])
    return any(f"/{slug}/" in page.path for slug in asked)


def test_its_database_is_brought_up_to_date(release: Release) -> None:
    found = upgrade.read(connection)
    assert found.version == VERSION
    assert (found.unknown, found.lacking) == (frozenset(), frozenset())


def test_every_page_answers_everybody(release: Release) -> None:
    pages, answered, broken = walk.pages(), defaultdict[str, set[int]](set), []
    own = [event.slug for event in given.events() if event.club_id == given.clubs()[0].pk]
    for who in ("owner", "scorer", "keeper", "anybody"):
        client = visitor(who)
        for page in pages:
            if SENT in answered[page.route] or not is_asked_by(who, page, own):
                continue
            answer = client.get(page.path)
            if not answer.headers.get("Location", "").startswith("/login/"):
                answered[page.route].add(answer.status_code)
            if answer.status_code >= 500:
                broken.append((who, page.path))
    assert broken == []
    shut = {route for route, codes in answered.items() if codes and not codes & ANSWERS}
    assert shut == set(SHUT) & set(answered)
    assert answered[walk.A_LINK] == {200}
    assert {page.path.split("/")[1] for page in pages if page.route == walk.A_LINK} == LINKS


def test_the_standings_computed_anew_are_those_it_gave(release: Release) -> None:
    then = release.read("night")["standings"]
    assert then
    now = given.standings_anew()
    assert [slug for slug in then if not given.covers(now.get(slug), then[slug])] == []


def test_every_act_that_could_be_taken_back_still_can(release: Release) -> None:
    then = release.read("night")["goes back"]
    assert then
    assert given.what_goes_back(then) == then


def test_its_events_are_exported_as_they_were(release: Release) -> None:
    then = release.event_files()
    assert then
    now = given.event_files()
    assert [slug for slug in then if not given.covers(now.get(slug), then[slug])] == []
