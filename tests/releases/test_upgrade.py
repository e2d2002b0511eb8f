"""The database of every release, opened with the current program, has the same contents."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from server import database_schema, database_version
from server.backups.digests import list_table_models
from server.version import VERSION
from tests.house import markup
from tests.releases import database_contents, stored, walk, year_contents
from tests.releases.conftest import SERVER_DATABASE_URL, TEST_WORKER_ID
from tests.releases.stored import Release

pytestmark = pytest.mark.usefixtures("release_time")

LINK_PREFIXES = {"t", "e", "type"}  # a table's, a pair's, the helpers'
METHOD_NOT_ALLOWED = 405  # it only accepts POST
MAX_HTML_CHECKS = 3  # responses of each route whose HTML is checked
VALID_STATUSES = {200, 204, 301, 302, METHOD_NOT_ALLOWED}
NO_FACTOR = "nobody of that night has a second factor"
NO_GRADES = "no club of that night kept grades"
UNAVAILABLE_ROUTES = {
    "admin/autocomplete/": "wants a field in its query",
    "admin/boards/boardset/<path:object_id>/delete/": "nobody deletes these",
    "admin/boards/boardset/add/": "nobody writes these",
    "api/events/<slug:slug>/sessions/<int:number>/papers/<int:pk>/": "its file is not stored",
    "director/account/factors/app/remove/": NO_FACTOR,
    "director/account/factors/codes.txt": NO_FACTOR,
    "director/account/factors/codes/": NO_FACTOR,
    "director/account/factors/passkeys/<int:pk>/remove/": NO_FACTOR,
    "clubs/<slug:club>/seasons/": "no club of that night had a season",
    "events/<event:slug>/bracket/": "no event of that night had a bracket",
    "director/backups/": "nobody who comes looks after both clubs",
    "director/backups/status/": "nobody who comes looks after both clubs",
    "director/stop/": "only stops the program of a laptop, at its own keyboard",
    "director/demo/remove/": "1.0 did not mark its demo club",
    "director/events/<event:slug>/rulings/play/": "wants a play in its query",
    "director/drives/points/print/": "wants a points table in its query",
    "director/drives/points/table/": "wants a game in its query",
    "director/words/file/": "nobody suggested a translation",
    "api/clubs/<slug:slug>/grades/": NO_GRADES,
    "api/clubs/<slug:slug>/grades/people/": NO_GRADES,
    "api/clubs/<slug:slug>/grades/people/<int:player>/": NO_GRADES,
    "me/": "nobody of that night had an own address",
    "me/calendar.ics": "nobody of that night had an own address",
    "me/calendar/": "nobody of that night had an own address",
    "me/grade/": "nobody of that night had an own address",
    "me/grade/<slug:event>/": "nobody of that night had an own address",
    "me/held/": "nobody of that night had an own address",
    "players/<int:pk>/grade/": NO_GRADES,
    "players/<int:pk>/grade/<slug:event>/": NO_GRADES,
    "login/forgotten/": "no mail is sent",
    "logos/<slug:mark>.png": "no club of that night had a logo",
    "director/papers/<int:pk>/": "its file is not stored with the database",
}
"""Routes that are refused to all visitors of this test, and why."""
FIRST_DRIVE = "the first drive has no contracts"
CLUBS_DIFFER = "the first club is not the one that received results"
NO_HELPERS = "no session in play has a link for helpers"
NO_HANDICAP = "the first activity has no handicap"
UNAVAILABLE_ROUTES_OF_A_YEAR = {
    "api/clubs/<slug:slug>/published/<uuid:uid>/": CLUBS_DIFFER,
    "api/clubs/<slug:slug>/seasons/<slug:season>/handicaps/<slug:key>/": NO_HANDICAP,
    "api/drives/<slug:slug>/game/": FIRST_DRIVE,
    "api/events/<slug:slug>/sessions/<int:number>/helpers/": NO_HELPERS,
    "api/rubbers/<slug:slug>/secret/": "the first rubber night is not closed",
    "clubs/<slug:club>/handicaps/<slug:season>/<slug:key>/": NO_HANDICAP,
    "clubs/<slug:club>/handicaps/<slug:season>/<slug:key>/csv/": NO_HANDICAP,
    "clubs/<slug:club>/handicaps/<slug:season>/<slug:key>/pdf/": NO_HANDICAP,
    "clubs/<slug:club>/seasons/<slug:season>/<slug:ladder>/line/": "wants a name in its query",
    "clubs/<slug:club>/sent/<slug:slug>/": CLUBS_DIFFER,
    "clubs/<slug:club>/sent/<slug:slug>/<str:page>": CLUBS_DIFFER,
    "clubs/<slug:club>/sent/drives/<slug:slug>/": CLUBS_DIFFER,
    "clubs/<slug:club>/sent/seasons/<slug:slug>/": CLUBS_DIFFER,
    "director/drives/<slug:slug>/hands/": FIRST_DRIVE,
    "director/drives/<slug:slug>/points/": FIRST_DRIVE,
    "director/drives/<slug:slug>/points/<int:number>/": FIRST_DRIVE,
    "director/results-out/files/<int:pk>/": "its file is not stored with the database",
    "drives/<slug:slug>/players/<int:number>/": FIRST_DRIVE,
    "type/<str:token>/": NO_HELPERS,
    "type/<str:token>/<int:board>/<str:seat>/": NO_HELPERS,
    "type/<str:token>/state/": NO_HELPERS,
}
"""The same for the releases that have a year."""
SAME_FOR_ALL_ROUTES = ("api/schema/",)  # long, and the same for every visitor (SERVE_PUBLIC)


def list_response_faults(response: Any, times: int) -> list[str]:
    """Return the faults of a response; `times` is how often its route was requested."""
    faults = ["broken"] if response.status_code >= 500 else []
    faults += ["a part of a page alone"] if is_fragment(response) else []
    return faults + (list_markup_faults(response) if times <= MAX_HTML_CHECKS else [])


def list_markup_faults(response: Any) -> list[str]:
    """Return the HTML faults of one of our responses."""
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    is_own_page = not response.wsgi_request.path.startswith("/admin/")
    if not (is_page and is_own_page) or response.streaming or not response.content:
        return []
    return markup.find_faults(response.content.decode())


def should_request_page(login_name: str, page: walk.Page, own_slugs: list[str]) -> bool:
    """Return whether a visitor requests a page; `own_slugs` are the URLs of the owner's events.

    The owner opens the directors' pages of all of these, scorers and strangers of the first.
    """
    if page.path.startswith("/admin/"):
        return login_name == "keeper"
    if not page.path.startswith(("/director/", "/api/")) or page.route in SAME_FOR_ALL_ROUTES:
        return login_name == "anybody"
    if "events/<" not in page.route:
        return login_name != "keeper"
    slugs = {"owner": own_slugs, "keeper": []}.get(login_name, own_slugs[:1])
    return any(f"/{slug}/" in page.path for slug in slugs)


def is_fragment(response: Any) -> bool:
    """Return whether a visitor who opened a URL got a fragment without the page."""
    is_html = response.headers.get("Content-Type", "").startswith("text/html")
    if response.status_code != 200 or not is_html:
        return False
    return not response.content.lstrip()[:15].lower().startswith(b"<!doctype html")


def test_released_database_is_upgraded(release: Release) -> None:
    version = database_version.read_version(connection)
    assert version.version == VERSION
    assert (version.unknown_migrations, version.pending_migrations) == (
        frozenset(),
        frozenset(),
    )


def test_clubs_upgraded_from_1_0_keep_congress_features(release: Release) -> None:
    """A club of 1.0 had no levels, so nothing may disappear for it; a new club has its own."""
    actual = apps.get_model("clubs", "Club").objects.values_list("has_congress_features")
    if release.version != "1.0":
        pytest.skip("its clubs had levels of their own")
    assert {is_on for (is_on,) in actual} == {True}
    assert not apps.get_model("clubs", "Club")().has_congress_features


def describe_tables(tables: list[str]) -> set[tuple[str, str]]:
    """Describe each column, and each key, check and index without its name."""
    introspection = connection.introspection
    with connection.cursor() as cursor:
        return {
            (table, repr(description))
            for table in tables
            for description in (
                *introspection.get_table_description(cursor, table),
                *introspection.get_constraints(cursor, table).values(),
            )
        }


def test_upgraded_database_has_the_tables_of_a_new_one(
    release: Release, tmp_path: Path
) -> None:
    """Squashed migrations create a new database; those they replace created this one."""
    tables = [model._meta.db_table for model in list_table_models(apps)]
    upgraded_tables, names = (
        describe_tables(tables),
        database_schema.read_schema(connection, tables),
    )
    with stored.open_new_database(
        tmp_path, SERVER_DATABASE_URL.rpartition("/")[0], f"test_new_{TEST_WORKER_ID}"
    ):
        assert describe_tables(tables) ^ upgraded_tables == set()
        assert database_schema.read_schema(connection, tables) == names


@pytest.mark.slow
def test_every_page_of_an_upgraded_database_responds_to_every_role(release: Release) -> None:
    pages, statuses_by_route = walk.list_pages(), defaultdict[str, set[int]](set)
    request_counts, faults = Counter[str](), list[tuple[str, str, str]]()
    own_slugs = [
        event.slug
        for event in database_contents.list_events()
        if event.club_id == database_contents.list_clubs()[0].pk
    ]
    for who in ("owner", "scorer", "keeper", "anybody"):
        client = database_contents.create_client(who)
        for page in pages:
            if METHOD_NOT_ALLOWED in statuses_by_route[page.route] or not should_request_page(
                who, page, own_slugs
            ):
                continue
            response = client.get(page.path)
            if not response.headers.get("Location", "").startswith("/login/"):
                statuses_by_route[page.route].add(response.status_code)
            request_counts[page.route] += 1
            faults += [
                (who, page.path, response_fault)
                for response_fault in list_response_faults(response, request_counts[page.route])
            ]
    assert faults == []
    unavailable_routes = {
        route
        for route, codes in statuses_by_route.items()
        if codes and not codes & VALID_STATUSES
    }
    expected_unavailable = set(UNAVAILABLE_ROUTES) & set(statuses_by_route)
    prefixes = {page.path.split("/")[1] for page in pages if page.route == walk.LINK_ROUTE}
    # In a year, some links redirect (to check-in, to a person's page), and a helpers' link is
    # that of a closed session.
    link_statuses = {200, 302, 410} if release.has_year else {200}
    assert statuses_by_route[walk.LINK_ROUTE] == link_statuses
    if release.has_year:  # which opens many of the pages that 1.0 leaves shut
        expected_unavailable |= UNAVAILABLE_ROUTES_OF_A_YEAR.keys()
        assert unavailable_routes <= expected_unavailable
        assert prefixes >= LINK_PREFIXES
    else:
        assert (unavailable_routes, prefixes) == (expected_unavailable, LINK_PREFIXES)


def test_recomputed_standings_equal_those_of_the_release(release: Release) -> None:
    standings = release.read_json("night")["standings"]
    assert standings
    now = database_contents.recompute_standings()
    wrong_slugs = [
        slug
        for slug in standings
        if not database_contents.is_covered(
            now.get(slug), database_contents.drop_changed_ranks(standings[slug])
        )
    ]
    assert wrong_slugs == []


def test_every_undoable_act_can_still_be_undone_after_upgrade(release: Release) -> None:
    undoable_acts = release.read_json("night")["goes back"]
    assert undoable_acts
    assert database_contents.list_undoable_acts(undoable_acts) == undoable_acts


def test_events_of_the_release_are_exported_unchanged(release: Release) -> None:
    then = release.event_files()
    assert then
    now = database_contents.export_event_files()
    assert [
        slug for slug in then if not database_contents.is_covered(now.get(slug), then[slug])
    ] == []


def test_year_recorded_by_the_release_gives_the_same_values(release: Release) -> None:
    if not release.has_year:
        pytest.skip("version 1.0 had no drives, rubbers and seasons")
    then = release.read_json("year")
    assert all(then.values())
    now = year_contents.read_year()
    assert [
        name
        for name, value in then.items()
        if name != "goes back" and not database_contents.is_covered(now[name], value)
    ] == []
    assert year_contents.list_undoable_activity_acts(then["goes back"]) == then["goes back"]
