"""The night and the year that a release stores, created now, have the same contents when read.

This is the test of the next release before it is stored; test_upgrade.py has the stored ones.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from http import HTTPStatus
from typing import Any

import pytest
from django.apps import apps
from django.test import override_settings

from server.backups.digests import list_table_models
from tests.databases import use_database
from tests.releases import database_contents, store, stored, walk, year_contents
from tests.releases.chance import fix_clock_and_secrets
from tests.releases.conftest import SERVER_DATABASE_URL, TEST_WORKER_ID
from tests.releases.test_upgrade import list_response_faults

pytestmark = pytest.mark.slow

ROUTES_OF_YEAR = (
    *("director/drives", "director/rubbers", "director/seasons", "director/calendar"),
    *("director/trophies", "director/results-out", "clubs/seasons", "clubs/calendar"),
    *("clubs/handicaps", "clubs/sent", "drives/<slug:slug>", "rubbers/<slug:slug>"),
)
ADDED_ROOMS = ("drives", "rubbers", "seasons")  # since version 1.0
EMPTY_TABLES = {
    "seasons_bookingfetch": "bookings come from another server",
    "seasons_entryelsewhere": "no evening was imported with a season",
    "seasons_entryfigures": "computed by a job at night",
    "seasons_eveningelsewhere": "no evening was imported with a season",
    "seasons_gradeconstants": "fitted from many more results",
    "seasons_handicap": "the season has a handicap of its own",
    "seasons_publication": "documents go to another server",
    "seasons_resultsmail": "no mail is sent",
    "seasons_seatelsewhere": "no evening was imported with a season",
}
"""Tables without a row, and why."""


@pytest.fixture(scope="module")
def new_release(
    tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> Iterator[stored.Release]:
    """Create the data of a release in a folder, and open its packed database."""
    with ExitStack() as stack:
        stack.enter_context(django_db_blocker.unblock())
        folder = tmp_path_factory.mktemp("release")
        stack.enter_context(override_settings(MEDIA_ROOT=folder / "media"))
        server = SERVER_DATABASE_URL.rpartition("/")[0]
        contents = (
            store.create_postgres_night(folder, server)
            if SERVER_DATABASE_URL
            else store.create_sqlite_night(folder)
        )
        store.write_contents(folder, contents)
        unpacked_release = stored.Release("of today", external_folder=folder)
        database_name = f"test_overplay_year_{TEST_WORKER_ID}"
        settings = (
            stack.enter_context(
                stored.load_on_postgres(unpacked_release, server, database_name)
            )
            if SERVER_DATABASE_URL
            else stored.unpack_sqlite(unpacked_release, tmp_path_factory.mktemp("unpacked"))
        )
        stack.enter_context(use_database(settings))
        stack.enter_context(override_settings(BACKUP_DIR=folder / "backups"))
        yield unpacked_release


@pytest.fixture(autouse=True)
def year_time(new_release: stored.Release) -> Iterator[None]:
    """Set the clock to the end of the year, and roll back all changes."""
    with fix_clock_and_secrets(new_release.moment), database_contents.roll_back_afterwards():
        yield


def test_release_is_small_enough(new_release: stored.Release) -> None:
    assert new_release.size < stored.MAX_RELEASE_BYTES


def test_recorded_year_is_read_back_unchanged(new_release: stored.Release) -> None:
    stored_year = new_release.read_json("year")
    assert all(stored_year.values())
    assert year_contents.read_year() == stored_year
    night = new_release.read_json("night")
    assert database_contents.recompute_standings() == night["standings"]
    assert database_contents.export_event_files() == new_release.event_files()


def test_every_table_of_added_apps_has_a_row() -> None:
    empty_tables = {
        model._meta.db_table
        for model in list_table_models(apps)
        if model._meta.app_label in ADDED_ROOMS and not model._base_manager.exists()
    }
    assert empty_tables == set(EMPTY_TABLES)


def get_route_prefix(route: str) -> str:
    """Return the first two words of a route, or those of a club's pages."""
    return "/".join(route.replace("<slug:club>/", "").split("/")[:2])


def test_every_page_of_the_year_is_shown(new_release: stored.Release) -> None:
    """The pages of a club's own server; the events' pages are those of test_upgrade.py."""
    client, request_counts, faults = (
        database_contents.create_client("owner"),
        Counter[str](),
        [],
    )
    shown_page_counts = Counter[str]()
    for page in walk.list_pages():
        if "events/<" in page.route or page.path.startswith(("/admin/", "/api/schema")):
            continue
        request_counts[page.route] += 1
        response = client.get(page.path)
        faults += [
            (page.path, fault)
            for fault in list_response_faults(response, request_counts[page.route])
        ]
        shown_page_counts[get_route_prefix(page.route)] += response.status_code == HTTPStatus.OK
        response.getvalue()  # closes a download's file, without the database
    assert faults == []
    assert [room for room in ROUTES_OF_YEAR if not shown_page_counts[room]] == []
