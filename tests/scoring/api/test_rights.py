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

EVENT, SESSION = "/api/events/{slug}/", "/api/events/{slug}/sessions/1/"
READS = {
    "/api/events/": 200,
    EVENT: 200,
    f"{EVENT}entries/": 200,
    f"{EVENT}entries/1/": 200,
    f"{EVENT}standings/": 200,
    f"{EVENT}scoring/": 200,
    f"{EVENT}second-play/": 200,
    f"{EVENT}sessions/": 200,
    SESSION: 200,
    f"{SESSION}boards/": 200,
    f"{SESSION}sittings/": 200,
    f"{SESSION}results/": 200,
    f"{SESSION}travellers/": 200,
    f"{SESSION}travellers/1/": 200,
    f"{SESSION}cards/1/": 200,
    f"{SESSION}clock/": 200,
}
RULINGS = f"{SESSION}rulings/"
ONLY_IN = ["/api/clubs/", RULINGS]
RESULT = "/api/sittings/{sitting}/results/1/"
NAMES = {"names": ["Ada Pole", "Henry Jones"]}
# Method, path, body: what a director of the club may do, in a possible order.
WRITES = [
    ("post", "/api/events/", {"name": "Thursday", "date": "2026-03-12", "club": "{club}"}),
    ("patch", EVENT, {"name": "Tuesday night", "method": "matchpoints"}),
    ("put", f"{EVENT}trumps/", {"trumps": "declared", "agreed": True}),
    ("patch", f"{EVENT}scoring/", {"tie_breaks": ["tops"]}),
    ("post", f"{SESSION}setup/", {}),
    ("post", f"{EVENT}entries/", NAMES),
    ("put", f"{EVENT}entries/1/", {"names": ["John Trist", "Dvora Cohen"]}),
    ("put", f"{SESSION}movement/", {"name": "howell", "pairs": 7, "boards_a_round": 1}),
    ("put", f"{SESSION}movement/", {"name": "howell", "pairs": 7, "boards_a_round": 1}),
    ("post", f"{SESSION}seats/", {"how": "random", "section": "A"}),
    ("post", f"{SESSION}boards/", {}),
    ("post", f"{SESSION}open/", {}),
    ("put", RESULT, {"ns_tricks": 8, "seen": None}),
    ("post", f"{RESULT}keep/", {}),
    ("post", RULINGS, {"kind": "average", "sitting": "{sitting}", "board": 1}),
    ("post", f"{RULINGS}{{ruling}}/withdraw/", {}),
    ("put", "/api/sittings/{sitting}/boards/1/", {"really": 3}),
    ("post", f"{SESSION}close/", {}),
    ("post", f"{SESSION}reopen/", {}),
    ("delete", f"{EVENT}entries/1/", {}),
    ("post", f"{EVENT}sessions/", {"date": "2026-03-19"}),
]
# Method and path of what only a club's members may read or do; rights are checked first, so
# rows of these keys need not exist.
PLAYERS = "/api/clubs/{club}/players/"
CLUB_ROUTES = [
    ("get", PLAYERS),
    ("post", PLAYERS),
    ("patch", f"{PLAYERS}1/"),
    ("delete", f"{PLAYERS}1/"),
    ("get", f"{EVENT}advice/"),
    ("post", "/api/clubs/{club}/import/"),
    ("get", f"{EVENT}links/"),
    ("post", f"{EVENT}links/"),
    ("delete", f"{EVENT}links/1/"),
    ("get", f"{SESSION}seats/"),
    ("get", f"{SESSION}helpers/"),
    ("post", f"{SESSION}helpers/"),
    ("delete", f"{SESSION}helpers/"),
    ("get", f"{EVENT}export/"),
    ("get", f"{EVENT}history/"),
    ("post", f"{EVENT}history/acts/1/undo/"),
    ("post", f"{EVENT}history/entries/1/undo/"),
    ("get", f"{SESSION}papers/"),
    ("post", f"{SESSION}papers/"),
    ("get", f"{SESSION}papers/1/"),
    ("get", f"{SESSION}rounds/"),
    ("put", f"{SESSION}rounds/"),
    ("post", f"{SESSION}rounds/"),
    ("post", f"{SESSION}rounds/1/undo/"),
    ("get", f"{EVENT}stage/"),
    ("put", f"{EVENT}stage/"),
    ("delete", f"{EVENT}stage/"),
    ("post", f"{EVENT}stage/draw/"),
    ("post", f"{EVENT}stage/undraw/"),
    ("get", f"{EVENT}bracket/"),
    ("put", f"{EVENT}bracket/"),
    ("put", f"{EVENT}bracket/1/1/"),
    ("get", f"{EVENT}field/"),
    ("patch", f"{EVENT}field/"),
    ("get", f"{EVENT}prizes/"),
    ("put", f"{EVENT}prizes/"),
    ("get", f"{SESSION}changes/"),
    ("post", f"{SESSION}changes/"),
    ("post", f"{SESSION}changes/ways/"),
    ("post", f"{SESSION}change/1/undo/"),
    ("get", f"{SESSION}tables/"),
    ("post", f"{SESSION}tables/"),
    ("delete", f"{SESSION}tables/1/"),
    ("put", f"{SESSION}clock/"),
    *(("post", f"{SESSION}clock/{act}/") for act in ("start", "pause", "add", "end", "reset")),
]
SCORER_ROUTES = {f"{EVENT}history/", f"{EVENT}history/entries/1/undo/"}
TESTED_ELSEWHERE = {"bookings", "calendar", "drives", "grades"}
TESTED_ELSEWHERE |= {"published", "rests", "rubbers", "seasons"}
"""What tests/drives, tests/seasons and tests/doors/test_tokens.py ask for by every role."""
PAGES = {"/api/", "/api/schema/", "/api/token/"}
BOARDS_FILE = f"{SESSION}boards.<slug:kind>"
SCORER_STATUS_BY_ROUTE = {RESULT: 200, f"{RESULT}keep/": 404}  # there is no result to confirm
REFUSED_IN_PLAY = {("delete", f"{EVENT}entries/1/")}  # not now: the session is in play


@pytest.fixture
def session() -> Session:
    session, _ = evenings.open_session()
    standings.update_standings(session.event)
    return session


def fill_path(text: str, session: Session) -> str:
    text = text.replace("{slug}", session.event.slug).replace("{club}", session.event.club.slug)
    if "{sitting}" in text:
        sittings = Sitting.objects.exclude(north__entry=None).exclude(east__entry=None)
        sitting = sittings.filter(section__session=session, board_group=1).first()
        text = text.replace("{sitting}", get_key(sitting))
    if "{ruling}" in text:
        text = text.replace("{ruling}", get_key(Ruling.objects.last()))
    return text


def get_key(row: Model | None) -> str:
    return str(row.pk if row else 0)


def send_request(
    client: Client, write: tuple[str, str, dict[str, object]], session: Session
) -> object:
    way, address, body = write
    filled_body = {
        key: fill_path(v, session) if isinstance(v, str) else v for key, v in body.items()
    }
    return getattr(client, way)(
        fill_path(address, session), filled_body, content_type="application/json"
    )


def list_routes(patterns: list[URLPattern | URLResolver], prefix: str = "/") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from list_routes(pattern.url_patterns, route)
        else:
            yield route


def test_every_api_url_is_tested_here() -> None:
    routes = {r for r in list_routes(get_resolver().url_patterns) if r.startswith("/api/")}
    routes = {r for r in routes if not set(r.split("/")) & TESTED_ELSEWHERE}
    boards_files = {*READS, *ONLY_IN, BOARDS_FILE, *(address for _, address, _ in WRITES)}
    boards_files |= {address for _way, address in CLUB_ROUTES}
    forms = {
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
        for address in boards_files
    }
    keyed = ("players/", "acts/", "history/entries/", "papers/", "change/", "tables/")
    for word in keyed:
        forms = {form.replace(f"{word}1/", f"{word}<int:pk>/") for form in forms}
    assert routes == forms | PAGES


def test_club_data_is_read_and_changed_only_by_its_members(
    client: Client, session: Session
) -> None:
    others = evenings.create_club_with_director("Hilltop Whist Club", "other")[1]
    helper = evenings.create_scorer(session.event.club)
    act_count_before = Act.objects.count()
    for login, refused in ((None, {401}), (others, {403, 404}), (helper, {403, 404})):
        if login is not None:
            client.force_login(login)
        for way, address in CLUB_ROUTES:
            if login is helper and address in SCORER_ROUTES:
                continue
            response = getattr(client, way)(
                fill_path(address, session), {}, content_type="application/json"
            )
            assert response.status_code in refused, (login, way, address)
            assert set(response.json()) == {"code", "detail"}
    assert Act.objects.count() == act_count_before


@pytest.mark.parametrize("kind", ["pbn", "dup", "lin", "exe"])
def test_board_files_are_unavailable_before_the_close(
    client: Client, session: Session, kind: str
) -> None:
    address = fill_path(BOARDS_FILE, session).replace("<slug:kind>", kind)
    assert client.get(address).status_code == 404


def test_public_data_needs_no_login_and_sets_no_cookie(
    client: Client, session: Session
) -> None:
    for address, code in READS.items():
        response = client.get(fill_path(address, session))
        assert response.status_code == code, address
        assert not response.cookies, address
        assert "Authorization" in response.headers["Vary"], address


@pytest.mark.parametrize("address", ONLY_IN)
def test_private_data_requires_a_login(client: Client, session: Session, address: str) -> None:
    response = client.get(fill_path(address, session))
    assert (response.status_code, response.json()["code"]) == (401, "not_authenticated")
    client.force_login(evenings.create_scorer(session.event.club))
    data = client.get(fill_path(address, session)).json()
    assert (data["results"] if address == RULINGS else data) == []
    client.force_login(evenings.create_club_with_director("Hilltop Whist Club", "other")[1])
    assert client.get(fill_path(RULINGS, session)).status_code == 403


def test_stranger_can_write_nothing(client: Client, session: Session) -> None:
    act_count_before = Act.objects.count()
    for write in WRITES:
        response = send_request(client, write, session)
        assert (response.status_code, response.json()["code"]) == (401, "not_authenticated"), (
            write
        )
        assert response.headers["WWW-Authenticate"] == "Token"
    assert Act.objects.count() == act_count_before


def test_director_of_another_club_can_write_nothing(client: Client, session: Session) -> None:
    client.force_login(evenings.create_club_with_director("Hilltop Whist Club", "other")[1])
    act_count_before = Act.objects.count()
    for write in WRITES:
        response = send_request(client, write, session)
        assert (response.status_code, response.json()["code"]) == (403, "permission_denied"), (
            write
        )
    assert Act.objects.count() == act_count_before


def test_scorer_can_write_only_results(client: Client, session: Session) -> None:
    client.force_login(evenings.create_scorer(session.event.club))
    act_count_before = Act.objects.count()
    for write in reversed(WRITES):  # a result comes last, so that there is none to confirm
        response = send_request(client, write, session)
        assert response.status_code == SCORER_STATUS_BY_ROUTE.get(write[1], 403), write
    assert Act.objects.count() == act_count_before


def test_director_can_write_everything_with_a_token(session: Session) -> None:
    _, user = evenings.create_club_with_director()
    key = tokens.create_token(user, name="the website")[1]
    client = Client(headers={"Authorization": f"Token {key}"}, enforce_csrf_checks=True)
    for write in WRITES:
        response = send_request(client, write, session)
        late = write[:2] in REFUSED_IN_PLAY
        assert response.status_code in ((400,) if late else (200, 201)), write
        assert not late or response.json()["code"] == "not_now"
        assert not response.cookies


def test_browser_login_writes_only_with_a_csrf_token(session: Session) -> None:
    _, user = evenings.create_club_with_director()
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    response = send_request(client, ("post", f"{SESSION}close/", {}), session)
    assert response.status_code == 403
    assert "CSRF" in response.json()["detail"]


def test_revoked_token_is_refused_even_for_reading(session: Session) -> None:
    response = Client(headers={"Authorization": "Token 0123"}).get("/api/events/")
    assert (response.status_code, response.json()["code"]) == (401, "authentication_failed")
