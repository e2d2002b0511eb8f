"""Every endpoint of the API is open to exactly those who should have access."""

from collections.abc import Iterator

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from clubs.models import Act
from scoring.models import Ruling
from scoring.standings_engine import standings
from server.logins import tokens
from tests import evenings
from tournaments.models import Session, Sitting

pytestmark = pytest.mark.django_db

EVENT_URL, SESSION_URL = "/api/events/{slug}/", "/api/events/{slug}/sessions/1/"
STATUS_BY_PUBLIC_URL = {
    "/api/events/": 200,
    EVENT_URL: 200,
    f"{EVENT_URL}entries/": 200,
    f"{EVENT_URL}entries/1/": 200,
    f"{EVENT_URL}standings/": 200,
    f"{EVENT_URL}scoring/": 200,
    f"{EVENT_URL}second-play/": 200,
    f"{EVENT_URL}sessions/": 200,
    SESSION_URL: 200,
    f"{SESSION_URL}boards/": 200,
    f"{SESSION_URL}sittings/": 200,
    f"{SESSION_URL}results/": 200,
    f"{SESSION_URL}travellers/": 200,
    f"{SESSION_URL}travellers/1/": 200,
    f"{SESSION_URL}cards/1/": 200,
    f"{SESSION_URL}clock/": 200,
}
RULINGS_URL = f"{SESSION_URL}rulings/"
LOGIN_ONLY_URLS = ["/api/clubs/", RULINGS_URL]
RESULT_URL = "/api/sittings/{sitting}/results/1/"
NAMES = {"names": ["Ada Pole", "Henry Jones"]}
# Method, path, body: what a director of the club may do, in a possible order.
WRITE_REQUESTS = [
    ("post", "/api/events/", {"name": "Thursday", "date": "2026-03-12", "club": "{club}"}),
    ("patch", EVENT_URL, {"name": "Tuesday night", "method": "matchpoints"}),
    ("put", f"{EVENT_URL}trumps/", {"trumps": "declared", "agreed": True}),
    ("patch", f"{EVENT_URL}scoring/", {"tie_breaks": ["tops"]}),
    ("post", f"{SESSION_URL}setup/", {}),
    ("post", f"{EVENT_URL}entries/", NAMES),
    ("put", f"{EVENT_URL}entries/1/", {"names": ["John Trist", "Dvora Cohen"]}),
    ("put", f"{SESSION_URL}movement/", {"name": "howell", "pairs": 7, "boards_a_round": 1}),
    ("put", f"{SESSION_URL}movement/", {"name": "howell", "pairs": 7, "boards_a_round": 1}),
    ("post", f"{SESSION_URL}seats/", {"how": "random", "section": "A"}),
    ("post", f"{SESSION_URL}boards/", {}),
    ("post", f"{SESSION_URL}open/", {}),
    ("put", RESULT_URL, {"ns_tricks": 8, "seen": None}),
    ("post", f"{RESULT_URL}keep/", {}),
    ("post", RULINGS_URL, {"kind": "average", "sitting": "{sitting}", "board": 1}),
    ("post", f"{RULINGS_URL}{{ruling}}/withdraw/", {}),
    ("put", "/api/sittings/{sitting}/boards/1/", {"really": 3}),
    ("post", f"{SESSION_URL}close/", {}),
    ("post", f"{SESSION_URL}reopen/", {}),
    ("delete", f"{EVENT_URL}entries/1/", {}),
    ("post", f"{EVENT_URL}sessions/", {"date": "2026-03-19"}),
]
# Method and path of what only a club's members may read or do; rights are checked first, so
# rows of these keys need not exist.
PLAYERS_URL = "/api/clubs/{club}/players/"
CLUB_ROUTES = [
    ("get", PLAYERS_URL),
    ("post", PLAYERS_URL),
    ("patch", f"{PLAYERS_URL}1/"),
    ("delete", f"{PLAYERS_URL}1/"),
    ("get", f"{EVENT_URL}advice/"),
    ("post", "/api/clubs/{club}/import/"),
    ("get", f"{EVENT_URL}links/"),
    ("post", f"{EVENT_URL}links/"),
    ("delete", f"{EVENT_URL}links/1/"),
    ("get", f"{SESSION_URL}seats/"),
    ("get", f"{SESSION_URL}helpers/"),
    ("post", f"{SESSION_URL}helpers/"),
    ("delete", f"{SESSION_URL}helpers/"),
    ("get", f"{EVENT_URL}export/"),
    ("get", f"{EVENT_URL}history/"),
    ("post", f"{EVENT_URL}history/acts/1/undo/"),
    ("post", f"{EVENT_URL}history/entries/1/undo/"),
    ("get", f"{SESSION_URL}papers/"),
    ("post", f"{SESSION_URL}papers/"),
    ("get", f"{SESSION_URL}papers/1/"),
    ("get", f"{SESSION_URL}rounds/"),
    ("put", f"{SESSION_URL}rounds/"),
    ("post", f"{SESSION_URL}rounds/"),
    ("post", f"{SESSION_URL}rounds/1/undo/"),
    ("get", f"{EVENT_URL}stage/"),
    ("put", f"{EVENT_URL}stage/"),
    ("delete", f"{EVENT_URL}stage/"),
    ("post", f"{EVENT_URL}stage/draw/"),
    ("post", f"{EVENT_URL}stage/undraw/"),
    ("get", f"{EVENT_URL}bracket/"),
    ("put", f"{EVENT_URL}bracket/"),
    ("put", f"{EVENT_URL}bracket/1/1/"),
    ("get", f"{EVENT_URL}field/"),
    ("patch", f"{EVENT_URL}field/"),
    ("get", f"{EVENT_URL}prizes/"),
    ("put", f"{EVENT_URL}prizes/"),
    ("get", f"{SESSION_URL}changes/"),
    ("post", f"{SESSION_URL}changes/"),
    ("post", f"{SESSION_URL}changes/ways/"),
    ("post", f"{SESSION_URL}change/1/undo/"),
    ("get", f"{SESSION_URL}tables/"),
    ("post", f"{SESSION_URL}tables/"),
    ("delete", f"{SESSION_URL}tables/1/"),
    ("put", f"{SESSION_URL}clock/"),
    *(
        ("post", f"{SESSION_URL}clock/{act}/")
        for act in ("start", "pause", "add", "end", "reset")
    ),
]
SCORER_ROUTES = {f"{EVENT_URL}history/", f"{EVENT_URL}history/entries/1/undo/"}
TESTED_ELSEWHERE = {"bookings", "calendar", "drives", "grades"}
TESTED_ELSEWHERE |= {"published", "rests", "rubbers", "seasons"}
"""What tests/drives, tests/seasons and tests/doors/test_tokens.py ask for by every role."""
PAGE_URLS = {"/api/", "/api/schema/", "/api/token/"}
BOARDS_FILE = f"{SESSION_URL}boards.<slug:kind>"
SCORER_STATUS_BY_ROUTE = {
    RESULT_URL: 200,
    f"{RESULT_URL}keep/": 404,
}  # there is no result to confirm
REQUESTS_REFUSED_IN_PLAY = {
    ("delete", f"{EVENT_URL}entries/1/")
}  # not now: the session is in play


@pytest.fixture
def session() -> Session:
    session, _ = evenings.open_session()
    standings.update_standings(session.event)
    return session


def fill_path(url_template: str, session: Session) -> str:
    url_template = url_template.replace("{slug}", session.event.slug).replace(
        "{club}", session.event.club.slug
    )
    if "{sitting}" in url_template:
        sittings = Sitting.objects.exclude(north__entry=None).exclude(east__entry=None)
        sitting = sittings.filter(section__session=session, board_group=1).first()
        url_template = url_template.replace("{sitting}", get_id_text(sitting))
    if "{ruling}" in url_template:
        url_template = url_template.replace("{ruling}", get_id_text(Ruling.objects.last()))
    return url_template


def get_id_text(row: Model | None) -> str:
    return str(row.pk if row else 0)


def send_request(
    client: Client, write: tuple[str, str, dict[str, object]], session: Session
) -> object:
    method, url_template, body = write
    filled_body = {
        key: fill_path(v, session) if isinstance(v, str) else v for key, v in body.items()
    }
    return getattr(client, method)(
        fill_path(url_template, session), filled_body, content_type="application/json"
    )


def list_routes(
    url_patterns: list[URLPattern | URLResolver], prefix: str = "/"
) -> Iterator[str]:
    for pattern in url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from list_routes(pattern.url_patterns, route)
        else:
            yield route


def test_every_api_url_is_tested_here() -> None:
    routes = {r for r in list_routes(get_resolver().url_patterns) if r.startswith("/api/")}
    routes = {r for r in routes if not set(r.split("/")) & TESTED_ELSEWHERE}
    tested_urls = {
        *STATUS_BY_PUBLIC_URL,
        *LOGIN_ONLY_URLS,
        BOARDS_FILE,
        *(address for _, address, _ in WRITE_REQUESTS),
    }
    tested_urls |= {address for _method, address in CLUB_ROUTES}
    tested_routes = {
        address.replace("{slug}", "<slug:slug>")
        .replace("{sitting}", "<int:pk>")
        .replace("{ruling}", "<int:pk>")
        .replace("sessions/1/", "sessions/<int:number>/")
        .replace("entries/1/", "entries/<int:number>/")
        .replace("links/1/", "links/<int:number>/")
        .replace("boards/1/", "boards/<int:board>/")
        .replace("travellers/1/", "travellers/<int:board>/")
        .replace("cards/1/", "cards/<int:entry>/")
        .replace("bracket/1/1/", "bracket/<int:round>/<int:match>/")
        .replace("rounds/1/", "rounds/<int:round>/")
        .replace("results/1/", "results/<int:board>/")
        .replace("{club}", "<slug:slug>")
        .replace("entries/<int:number>/undo/", "entries/1/undo/")
        for address in tested_urls
    }
    row_routes = ("players/", "acts/", "history/entries/", "papers/", "change/", "tables/")
    for word in row_routes:
        tested_routes = {
            form.replace(f"{word}1/", f"{word}<int:pk>/") for form in tested_routes
        }
    assert routes == tested_routes | PAGE_URLS


def test_club_data_is_read_and_changed_only_by_its_members(
    client: Client, session: Session
) -> None:
    other_director = evenings.create_club_with_director("Hilltop Whist Club", "other")[1]
    scorer = evenings.create_scorer(session.event.club)
    act_count_before = Act.objects.count()
    for login, expected_statuses in (
        (None, {401}),
        (other_director, {403, 404}),
        (scorer, {403, 404}),
    ):
        if login is not None:
            client.force_login(login)
        for way, address in CLUB_ROUTES:
            if login is scorer and address in SCORER_ROUTES:
                continue
            response = getattr(client, way)(
                fill_path(address, session), {}, content_type="application/json"
            )
            assert response.status_code in expected_statuses, (login, way, address)
            assert set(response.json()) == {"code", "detail"}
    assert Act.objects.count() == act_count_before


@pytest.mark.parametrize("board_format", ["pbn", "dup", "lin", "exe"])
def test_board_files_are_unavailable_before_the_close(
    client: Client, session: Session, board_format: str
) -> None:
    address = fill_path(BOARDS_FILE, session).replace("<slug:kind>", board_format)
    assert client.get(address).status_code == 404


def test_public_data_needs_no_login_and_sets_no_cookie(
    client: Client, session: Session
) -> None:
    for address, status_code in STATUS_BY_PUBLIC_URL.items():
        response = client.get(fill_path(address, session))
        assert response.status_code == status_code, address
        assert not response.cookies, address
        assert "Authorization" in response.headers["Vary"], address


@pytest.mark.parametrize("address", LOGIN_ONLY_URLS)
def test_private_data_requires_a_login(client: Client, session: Session, address: str) -> None:
    response = client.get(fill_path(address, session))
    assert (response.status_code, response.json()["code"]) == (401, "not_authenticated")
    client.force_login(evenings.create_scorer(session.event.club))
    data = client.get(fill_path(address, session)).json()
    assert (data["results"] if address == RULINGS_URL else data) == []
    client.force_login(evenings.create_club_with_director("Hilltop Whist Club", "other")[1])
    assert client.get(fill_path(RULINGS_URL, session)).status_code == 403


def test_stranger_can_write_nothing(client: Client, session: Session) -> None:
    act_count_before = Act.objects.count()
    for write in WRITE_REQUESTS:
        response = send_request(client, write, session)
        assert (response.status_code, response.json()["code"]) == (401, "not_authenticated"), (
            write
        )
        assert response.headers["WWW-Authenticate"] == "Token"
    assert Act.objects.count() == act_count_before


def test_director_of_another_club_can_write_nothing(client: Client, session: Session) -> None:
    client.force_login(evenings.create_club_with_director("Hilltop Whist Club", "other")[1])
    act_count_before = Act.objects.count()
    for write in WRITE_REQUESTS:
        response = send_request(client, write, session)
        assert (response.status_code, response.json()["code"]) == (403, "permission_denied"), (
            write
        )
    assert Act.objects.count() == act_count_before


def test_scorer_can_write_only_results(client: Client, session: Session) -> None:
    client.force_login(evenings.create_scorer(session.event.club))
    act_count_before = Act.objects.count()
    for write in reversed(
        WRITE_REQUESTS
    ):  # a result comes last, so that there is none to confirm
        response = send_request(client, write, session)
        assert response.status_code == SCORER_STATUS_BY_ROUTE.get(write[1], 403), write
    assert Act.objects.count() == act_count_before


def test_director_can_write_everything_with_a_token(session: Session) -> None:
    _, user = evenings.create_club_with_director()
    key = tokens.create_token(user, name="the website")[1]
    client = Client(headers={"Authorization": f"Token {key}"}, enforce_csrf_checks=True)
    for write in WRITE_REQUESTS:
        response = send_request(client, write, session)
        is_refused = write[:2] in REQUESTS_REFUSED_IN_PLAY
        assert response.status_code in ((400,) if is_refused else (200, 201)), write
        assert not is_refused or response.json()["code"] == "not_now"
        assert not response.cookies


def test_browser_login_writes_only_with_a_csrf_token(session: Session) -> None:
    _, user = evenings.create_club_with_director()
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    response = send_request(client, ("post", f"{SESSION_URL}close/", {}), session)
    assert response.status_code == 403
    assert "CSRF" in response.json()["detail"]


def test_revoked_token_is_refused_even_for_reading(session: Session) -> None:
    response = Client(headers={"Authorization": "Token 0123"}).get("/api/events/")
    assert (response.status_code, response.json()["code"]) == (401, "authentication_failed")
