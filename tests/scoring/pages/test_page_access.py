"""Every page behind the login, found by its URL, refuses those without access."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from clubs.models import Act, Membership, Player
from scoring.models import Result
from server.models import User
from tests import evenings
from tests.page_text import collapse_spaces
from tests.refusals import short_error_responses
from tournaments.models import Session

pytestmark = pytest.mark.django_db

# The pages that a scorer may open; all others of an event are the director's.
SCORER_ROUTES = {
    "event_desk",
    "scores",
    "result",
    "result_doubt",
    "scores_changes",
    "history",
    "result_undo",
    "room",
    "room_tables",
    "room_table",
    "calls",
    "call_answer",
    "director_standings",
    "director_explained",
    "clock_desk",
    "rehearsal_tick",
}
# Pages of a login itself, which belong to no club's event.
OWN_LOGIN_ROUTES = {
    "password_change",
    "password_change_done",
    "account",
    "token",
    "desk",
    "hall",
    "logout",
}
OWN_LOGIN_ROUTES |= {
    "event_new",
    "event_import",
    "players",
    "put_away",
    "club_history",
    "club_look",
    "own_search",
    "play_alone",
}  # these show a login's own clubs
OWN_LOGIN_ROUTES |= {
    "account_reauthenticate",
    "again",
    "club_archives_status",
    "devices",
    "devices_end",
    "mail",
    "mfa_activate_totp",
    "mfa_add_webauthn",
    "mfa_generate_recovery_codes",
    "mfa_index",
    "mfa_list_webauthn",
    "mfa_reauthenticate_webauthn",
    "better_words",
    "better_words_file",
    "no_wifi",
    "token_end",
    "tokens",
}  # these are the sign-in pages and a login's own
OWN_LOGIN_ROUTES |= {"own_seasons", "tour"}


def list_routes() -> Iterator[tuple[str, str]]:
    """Yield the name and the route of every director's page."""

    def walk_patterns(
        patterns: list[URLPattern | URLResolver], prefix: str
    ) -> Iterator[tuple[str, str]]:
        for pattern in patterns:
            route = prefix + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                yield from walk_patterns(pattern.url_patterns, route)
            elif route.startswith("/director/"):
                yield str(pattern.name), route

    return walk_patterns(get_resolver().url_patterns, "/")


ROUTES = sorted(set(list_routes()))
EVENT_ROUTES = [(name, route) for name, route in ROUTES if "<event:slug>" in route]


@pytest.fixture
def session() -> Session:
    return evenings.play_session(boards_a_round=1)[0]


def fill_route(route: str, session: Session) -> str:
    values = {
        "slug": session.event.slug,
        "pk": str(
            Player.objects.filter(club=session.event.club).values_list("pk", flat=True)[0]
        ),
    }
    default_values = {"uuid": "00000000-0000-4000-8000-000000000001"}
    return re.sub(
        r"<(?:(\w+):)?(\w+)>",
        lambda gap: values.get(gap[2], default_values.get(gap[1], "1")),
        route,
    )


def list_status_codes(client: Client, route: str, session: Session) -> set[int]:
    """Return the status codes of a page for GET and POST, without 405."""
    address = fill_route(route, session)
    return {client.get(address).status_code, client.post(address).status_code} - {405}


def test_list_of_tested_event_urls_is_complete() -> None:
    assert len(EVENT_ROUTES) > 50
    assert {name for name, _route in EVENT_ROUTES} >= SCORER_ROUTES


def test_every_event_url_requires_a_login(client: Client, session: Session) -> None:
    for _name, route in ROUTES:
        address = fill_route(route, session)
        for response in (client.get(address), client.post(address)):
            assert response.status_code in (302, 405), route
            assert response.status_code == 405 or response["Location"].startswith("/login/")


@short_error_responses()
def test_owner_of_another_club_is_refused(client: Client, session: Session) -> None:
    client.force_login(evenings.create_club_with_director("Other club", "other")[1])
    act_count_before = Act.objects.count()
    status_codes_by_route = {
        route: list_status_codes(client, route, session) for _name, route in EVENT_ROUTES
    }
    assert {
        route: codes for route, codes in status_codes_by_route.items() if codes != {403}
    } == {}
    assert Act.objects.count() == act_count_before


@pytest.mark.slow
@short_error_responses()
def test_scorer_can_open_only_score_pages(client: Client, session: Session) -> None:
    client.force_login(evenings.create_scorer(session.event.club))
    status_codes_by_name = {
        name: list_status_codes(client, route, session) for name, route in EVENT_ROUTES
    }
    assert {
        name for name, codes in status_codes_by_name.items() if 403 not in codes
    } == SCORER_ROUTES
    assert {name for name, codes in status_codes_by_name.items() if codes == {403}} == set(
        status_codes_by_name
    ) - SCORER_ROUTES


@pytest.mark.slow
@short_error_responses()
def test_director_without_ownership_can_open_and_reach_every_page(
    client: Client, session: Session
) -> None:
    user = User.objects.create(username="second")
    Membership.objects.create(club=session.event.club, user=user, role="director")
    client.force_login(user)
    pages, refused_routes = dict[str, bool](), list[str]()
    for _name, route in EVENT_ROUTES:
        response = client.get(fill_route(route, session))
        refused_routes += [route] if response.status_code == 403 else []
        if response.status_code == 200 and b"<html" in response.content:
            page = collapse_spaces(response.content.decode())
            pages[route] = all(
                f">{word}</a>" in page for word in ("Room", "Movement", "Close session")
            )
    assert len(pages) >= 15
    assert [route for route, has_tabs in pages.items() if not has_tabs] == []
    for _name, route in EVENT_ROUTES:  # a POST may change what is shown
        if client.post(fill_route(route, session)).status_code == 403:
            refused_routes.append(route)
    assert refused_routes == []


@pytest.mark.slow
@short_error_responses()
def test_club_pages_are_closed_to_scorers(client: Client, session: Session) -> None:
    client.force_login(evenings.create_scorer(session.event.club))
    other_routes = [
        route
        for route in ROUTES
        if route not in EVENT_ROUTES and route[0] not in OWN_LOGIN_ROUTES
    ]
    assert len(other_routes) >= 5
    status_codes_by_name = {
        name: list_status_codes(client, route, session) for name, route in other_routes
    }
    assert {
        name: codes for name, codes in status_codes_by_name.items() if not codes <= {403, 404}
    } == {}


def test_login_without_a_role_sees_nothing_of_a_club(client: Client, session: Session) -> None:
    client.force_login(User.objects.create(username="nobody"))
    for page in ("/director/", "/director/players/"):
        html = client.get(page).content.decode()
        assert session.event.name not in html
        assert "Pole" not in html


@pytest.mark.slow
def test_scorers_pages_offer_only_permitted_actions(client: Client, session: Session) -> None:
    client.force_login(evenings.create_scorer(session.event.club))
    seen_pages, pending_pages = set(), ["/director/"]
    while pending_pages:
        page = pending_pages.pop()
        seen_pages.add(page)
        response = client.get(page)
        assert response.status_code == 200, page
        links = re.findall(r'href="(/director/[^"#?]*)', response.content.decode())
        pending_pages += [
            link for link in links if link not in seen_pages and link not in pending_pages
        ]
    assert f"/director/events/{session.event.slug}/scores/" in seen_pages
    assert Result.objects.count() == 9
