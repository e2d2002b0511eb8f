"""Every page responds with text, a fixed number of queries, and only to those with access."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver

from clubs.models import Player
from clubs.services import create_club
from printing.kinds import list_main_kinds
from scoring.models import Paper, Result
from scoring.papers import PAPER_KINDS
from scoring.services import close_session, order_paper
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from tests import evenings
from tests.copies import build_once
from tournaments.models import Event, Session, Sitting
from tournaments.movements import build_named_movement
from tournaments.services import request_dealing, seat_section

pytestmark = pytest.mark.django_db

PUBLIC_PATHS = ["", "standings/", "boards/", "boards/1/", "entries/1/"]
DIRECTOR_PATHS = [
    *(
        "",
        "edit/",
        "entries/",
        "entries/1/",
        "movement/",
        "seats/",
        "change/",
        "deals/",
        "deals/status/",
    ),
    *("scores/", "scores/?by=round", "papers/", "papers/status/", "history/", "export/"),
]


def list_routes(
    patterns: list[URLPattern | URLResolver], prefix: str = ""
) -> Iterator[tuple[str, str]]:
    """Return every URL of the site, with its name."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from list_routes(pattern.url_patterns, route)
        else:
            yield route, pattern.name or ""


def list_director_addresses(session: Session) -> list[str]:
    """Return every director's URL, filled in with rows of one club."""
    paper = Paper.objects.first()
    player = Player.objects.first()
    assert paper is not None
    assert player is not None
    urls = []
    for route, name in list_routes(get_resolver().url_patterns):
        if route.startswith("director/events/<event") or name in ("paper", "player_edit"):
            pk = paper.pk if name == "paper" else player.pk
            address = route.replace("<event:slug>", session.event.slug)
            for parameter in ("number", "table", "entry_number", "board_number"):
                address = address.replace(f"<int:{parameter}>", "1")
            urls.append("/" + address.replace("<int:pk>", str(pk)))
    return urls


@pytest.fixture
@build_once
def session() -> Session:
    session, user = evenings.play_session()
    standings.update_standings(session.event)
    order_paper(session=session, kind="travellers", size="A4", by=user)
    return session


@build_once
def create_small_and_large_session() -> tuple[Session, Session]:
    small_session, large_session = (evenings.play_session(pairs=pairs)[0] for pairs in (6, 10))
    for session in (small_session, large_session):
        standings.update_standings(session.event)
    return small_session, large_session


@pytest.mark.parametrize("page", PUBLIC_PATHS)
def test_public_page_needs_no_login_and_sets_no_cookie(
    client: Client, session: Session, page: str
) -> None:
    response = client.get(
        f"/events/{session.event.slug}/{page}", headers={"HX-Request": "true"}
    )
    assert response.status_code == 200
    assert not response.cookies


@pytest.mark.slow
def test_home_page_sets_no_cookie(client: Client, session: Session) -> None:
    response = client.get("/")
    assert session.event.name in response.content.decode()
    assert not response.cookies


def test_director_urls_are_found(session: Session) -> None:
    assert len(list_director_addresses(session)) > 20


@pytest.mark.slow
@pytest.mark.parametrize("method", ["get", "post"])
def test_stranger_is_redirected_to_login_from_every_director_url(
    client: Client, session: Session, method: str
) -> None:
    for address in list_director_addresses(session):
        response = getattr(client, method)(address)
        assert response.status_code == 302, address
        assert response.headers["Location"].startswith("/login/"), address


@pytest.mark.parametrize("method", ["get", "post"])
def test_director_of_another_club_cannot_open_papers_or_players(
    client: Client, session: Session, method: str
) -> None:
    """The URLs of an event are tested in `test_page_access`."""
    _, other_director = evenings.create_club_with_director("Hilltop Whist Club", "other")
    client.force_login(other_director)
    director_addresses = [
        director_address
        for director_address in list_director_addresses(session)
        if "/events/" not in director_address
    ]
    assert len(director_addresses) >= 2
    for address in director_addresses:
        response = getattr(client, method)(address)
        assert response.status_code in (403, 405), address
    assert session.event.entries.count() == 6


@pytest.mark.slow
def test_scorer_can_enter_scores_and_change_nothing_else(
    client: Client, session: Session
) -> None:
    client.force_login(evenings.create_scorer(session.event.club))
    root_url = f"/director/events/{session.event.slug}/"
    assert client.get(f"{root_url}scores/").status_code == 200
    for page in ("edit/", "entries/", "movement/", "deals/", "papers/", "export/"):
        assert client.get(root_url + page).status_code == 403, page
    assert client.post(f"{root_url}session/close/").status_code == 403


@pytest.mark.slow
@pytest.mark.parametrize("page", DIRECTOR_PATHS)
def test_director_page_executes_a_fixed_number_of_queries(client: Client, page: str) -> None:
    query_counts = []
    for measured_session in create_small_and_large_session():
        client.force_login(measured_session.event.club.memberships.get().user)
        address = f"/director/events/{measured_session.event.slug}/{page}"
        assert client.get(address, headers={"HX-Request": "true"}).status_code == 200
        with CaptureQueriesContext(connection) as queries:
            client.get(address, headers={"HX-Request": "true"})
        query_counts.append(len(queries))
    assert query_counts[0] == query_counts[1]
    assert query_counts[0] <= 29  # one for each kind of act that makes a paper stale


@pytest.mark.slow
@pytest.mark.parametrize("page", PUBLIC_PATHS)
def test_public_page_executes_a_fixed_number_of_queries(client: Client, page: str) -> None:
    counts = []
    for found in create_small_and_large_session():
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/events/{found.event.slug}/{page}")
        counts.append(len(captured))
    assert counts[0] == counts[1]
    assert counts[0] <= 18


@pytest.mark.slow
def test_open_page_is_not_redrawn_while_nothing_changes(
    client: Client, session: Session
) -> None:
    address = f"/events/{session.event.slug}/standings/"
    version = standings.update_standings(session.event).version
    assert (
        client.get(address, {"seen": version}, headers={"HX-Request": "true"}).status_code
        == 204
    )
    assert (
        client.get(address, {"seen": version - 1}, headers={"HX-Request": "true"}).status_code
        == 200
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "address",
    ["/events/nothing/", "/events/nothing/boards/1/", "/director/events/nothing/", "/nowhere/"],
)
def test_missing_page_shows_the_programs_own_404_page(
    client: Client, session: Session, address: str
) -> None:
    _, user = evenings.create_club_with_director()
    client.force_login(user)
    response = client.get(address)
    assert response.status_code == 404
    assert "Overplay" in response.content.decode()


@pytest.mark.slow
def test_board_outside_the_session_is_not_found(client: Client, session: Session) -> None:
    assert client.get(f"/events/{session.event.slug}/boards/99/").status_code == 404
    assert client.get(f"/events/{session.event.slug}/boards/1/?session=abc").status_code == 200


def build_grid_fields(session: Session, mark: str, seen_mark: str = "") -> dict[str, str]:
    table = load_session_snapshot(session).tables[0]
    return {"sitting": str(table.sitting_id), "board": "1", "value": mark, "seen": seen_mark}


def test_grid_script_receives_scores_and_texts(client: Client) -> None:
    session, user = evenings.open_session()
    client.force_login(user)
    address = f"/director/events/{session.event.slug}/result/"
    assert client.post(address, build_grid_fields(session, "8")).json() == {
        "seen": "8",
        "ns_tricks": 8,
        "ew_tricks": 5,
        "trump": "",
        "text": "Board 1, table 1: N-S 8, E-W 5.",
        "missing": 17,
    }
    conflict_response = client.post(address, build_grid_fields(session, "9"))
    assert (conflict_response.status_code, conflict_response.json()["seen"]) == (409, "8")
    assert client.post(address, build_grid_fields(session, "14", "8")).status_code == 400


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"sitting": "x", "board": "1", "value": "8"},
        {"sitting": "999999", "board": "1", "value": "8"},
        {"sitting": "9" * 40, "board": "1", "value": "8"},
        {"board": "one", "value": "8"},
    ],
)
def test_invalid_request_of_the_grid_script_gets_an_error_message(
    client: Client, fields: dict[str, str]
) -> None:
    session, user = evenings.open_session()
    client.force_login(user)
    response = client.post(f"/director/events/{session.event.slug}/result/", fields)
    assert response.status_code == 400
    assert response.json()["detail"].endswith(".")


@pytest.mark.slow
def test_block_of_scores_can_be_entered_without_javascript(client: Client) -> None:
    session, user = evenings.open_session()
    client.force_login(user)
    sittings = [table.sitting_id for table in load_session_snapshot(session).tables_by_board[1]]
    fields = {f"r-{sitting}-1": str(tricks) for tricks, sitting in enumerate(sittings, start=6)}
    response = client.post(f"/director/events/{session.event.slug}/scores/?by=board", fields)
    assert response.status_code == 302
    assert sorted(Result.objects.values_list("ns_tricks", flat=True)) == [6, 7, 8]


def test_invalid_cell_of_a_block_is_reported_and_the_others_are_saved(client: Client) -> None:
    session, user = evenings.open_session()
    client.force_login(user)
    first_sitting, second, _ = (
        table.sitting_id for table in load_session_snapshot(session).tables_by_board[1]
    )
    fields = {f"r-{first_sitting}-1": "14", f"r-{second}-1": "7"}
    response = client.post(f"/director/events/{session.event.slug}/scores/", fields)
    assert response.status_code == 400
    table = Sitting.objects.get(pk=first_sitting).table
    assert f"Board 1, table {table}: “14” isn’t a number of tricks" in response.content.decode()
    assert Result.objects.get().ns_tricks == 7


@pytest.mark.slow
def test_session_is_opened_closed_and_reopened_from_the_page(client: Client) -> None:
    session, user = evenings.seat_session()
    client.force_login(user)
    root_url = f"/director/events/{session.event.slug}/"
    for act, expected_state in (
        ("open", "open"),
        ("close", "closed"),
        ("reopen", "open"),
        ("setup", "planned"),
    ):
        assert client.post(f"{root_url}session/{act}/").status_code == 302
        session.refresh_from_db()
        assert session.state == expected_state


@pytest.mark.slow
def test_club_without_events_shows_a_message(client: Client) -> None:
    create_club(name="Hilltop Whist Club", owner=None, by=None)
    assert client.get("/").status_code == 200


@pytest.mark.slow
def test_director_sees_standings_hidden_from_players(client: Client) -> None:
    session, user = evenings.play_session(but=1)
    Event.objects.update(standings_shown="after")
    standings.update_standings(session.event)
    client.force_login(user)
    root_url = f"/director/events/{session.event.slug}/"
    response = client.get(f"{root_url}standings/")
    assert response.context["table"].has_begun
    version = response.context["version"]
    assert client.get(f"{root_url}standings/", {"seen": version}).status_code == 204
    public = client.get(f"/events/{session.event.slug}/boards/1/").content.decode()
    assert "N-S</span> score" not in public


@pytest.mark.slow
def test_session_can_be_opened_before_any_paper_is_printed(client: Client) -> None:
    session, user = evenings.seat_session()
    client.force_login(user)
    page = client.get(f"/director/events/{session.event.slug}/").content.decode()
    assert "Skip setup and start" in page


@pytest.mark.slow
def test_paper_made_before_a_new_seating_is_marked_out_of_date(
    client: Client, django_capture_on_commit_callbacks
) -> None:
    session, user = evenings.seat_session()
    client.force_login(user)
    with django_capture_on_commit_callbacks(execute=True):
        order_paper(session=session, kind="travellers", size="A4", by=user)
        order_paper(session=session, kind="tray_labels", size="A4", by=user)
    address = f"/director/events/{session.event.slug}/papers/"
    assert "Out of date" not in client.get(address).content.decode()
    seat_section(
        session=session,
        movement=build_named_movement("howell", pairs=6),
        boards_a_round=2,
        by=user,
    )
    response = client.get(address)
    assert "Out of date" in response.content.decode()
    old = {paper["title"]: bool(paper["old"]) for paper in response.context["papers"]}
    assert sorted(old.values()) == [False, True]
    assert old["Tray labels"] is False


@pytest.mark.slow
@pytest.mark.parametrize("is_dealt", [True, False])
def test_combined_papers_contain_no_turn_up(
    client: Client, django_capture_on_commit_callbacks, is_dealt: bool
) -> None:
    session, user = evenings.seat_session()
    if is_dealt:
        with django_capture_on_commit_callbacks(execute=True):
            request_dealing(session=session, by=user)
    client.force_login(user)
    page = client.get(f"/director/events/{session.event.slug}/papers/")
    titles = {title for _s, _n, titles in page.context["pack"]["spots"] for title in titles}
    assert titles >= {"Travellers", "Table guide cards", "Score slips"}
    assert ("Trump slips" in titles) is not is_dealt


@pytest.mark.slow
def test_result_papers_come_first_after_play(client: Client) -> None:
    session, user = evenings.play_session()
    client.force_login(user)
    address = f"/director/events/{session.event.slug}/papers/"
    html_before = client.get(address).content.decode()
    assert html_before.index("For the tables") < html_before.index("<summary>Results")
    close_session(session=session, by=user)
    html_after = client.get(address).content.decode()
    assert html_after.index("<summary>Results") < html_after.index("For the tables")
    for paper_kind in PAPER_KINDS:
        is_pack = paper_kind.name.startswith("pack")
        is_listed = (
            paper_kind in list_main_kinds(PAPER_KINDS)
            and paper_kind.is_offered(session.event)
            and not is_pack
        )
        assert (f'id="kind-{paper_kind.name}"' in html_after) is is_listed
