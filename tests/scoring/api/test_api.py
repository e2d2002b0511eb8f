"""The API runs an event, and shows what its players may see and no more."""

import json
from fractions import Fraction
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubs.models import Act
from scoring.models import Result, ResultVersion
from scoring.services import close_session
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from tests import evenings
from tournaments.models import Event, Session
from tournaments.services import request_dealing

pytestmark = pytest.mark.django_db


def put_json(client: Client, url: str, body: object) -> Any:
    return client.put(url, body, content_type="application/json")


def post_json(client: Client, address: str, body: object = None) -> Any:
    return client.post(address, body or {}, content_type="application/json")


def build_root_path(session: Session) -> str:
    return f"/api/events/{session.event.slug}/sessions/{session.number}/"


def build_result_path(session: Session, board: int = 1, table_index: int = 0) -> str:
    sitting = load_session_snapshot(session).tables_by_board[board][table_index].sitting_id
    return f"/api/sittings/{sitting}/results/{board}/"


@pytest.fixture
def session_in_play(client: Client) -> Session:
    """Return a session in play, and an API client whose login directs it."""
    session, user = evenings.open_session()
    client.force_login(user)
    return session


@pytest.fixture
def dealt_session(client: Client, django_capture_on_commit_callbacks: Any) -> Session:
    session, user = evenings.open_session()
    with django_capture_on_commit_callbacks(execute=True):
        request_dealing(session=session, by=user)
    session.refresh_from_db()
    return session


# ---------------------------------------------------------------- results


@pytest.mark.slow
def test_result_is_stored_with_its_source(client: Client, session_in_play: Session) -> None:
    response = put_json(
        client, build_result_path(session_in_play), {"ns_tricks": 8, "seen": None}
    )
    assert response.status_code == 200
    assert response.json() == {
        "sitting": Result.objects.get().sitting_id,
        "board": 1,
        "outcome": "played",
        "trump": None,
        "ns_tricks": 8,
        "ew_tricks": 5,
        "ns_points": None,
        "ew_points": None,
        "seen": 8,
        "query": None,
    }
    version = ResultVersion.objects.get()
    assert (version.via, version.by) == ("api", "director")


@pytest.mark.slow
def test_identical_result_sent_twice_is_one_entry(
    client: Client, session_in_play: Session
) -> None:
    for _ in range(2):
        assert (
            put_json(
                client, build_result_path(session_in_play), {"ns_tricks": 8, "seen": None}
            ).status_code
            == 200
        )
    assert ResultVersion.objects.count() == 1


def test_stale_result_is_refused_with_the_current_one(
    client: Client, session_in_play: Session
) -> None:
    put_json(client, build_result_path(session_in_play), {"ns_tricks": 8})
    response = put_json(
        client, build_result_path(session_in_play), {"ns_tricks": 9, "seen": None}
    )
    assert response.status_code == 409
    body = response.json()
    assert (body["code"], body["seen"], body["by"]) == ("entered_meanwhile", 8, "director")
    assert "N-S 8" in body["detail"]
    assert Result.objects.get().ns_tricks == 8


def test_retry_with_the_current_result_succeeds(
    client: Client, session_in_play: Session
) -> None:
    address = build_result_path(session_in_play)
    put_json(client, address, {"outcome": "not_played"})
    seen_result = put_json(client, address, {"ns_tricks": 0, "seen": 3}).json()["seen"]
    assert seen_result == "not_played"
    assert put_json(client, address, {"ns_tricks": 0, "seen": seen_result}).json()["seen"] == 0
    cleared_result = put_json(client, address, {"outcome": "cleared", "seen": 0}).json()
    assert (cleared_result["outcome"], cleared_result["seen"]) == ("cleared", None)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"ns_tricks": 14}, "ns_tricks"),
        ({"ns_tricks": -1}, "ns_tricks"),
        ({"ns_tricks": "eight"}, "ns_tricks"),
        ({"ns_tricks": [8]}, "ns_tricks"),
        ({"ns_tricks": True}, "ns_tricks"),
        ({"ns_tricks": 10**300}, "ns_tricks"),
        ({}, "ns_tricks"),
        ({"ns_tricks": 8, "outcome": "cleared"}, "ns_tricks"),
        ({"outcome": "lost"}, "outcome"),
        ({"ns_tricks": 8, "seen": "8"}, "seen"),
        ({"ns_tricks": 8, "seen": True}, "seen"),
        ({"ns_tricks": 8, "tricks": 8}, "tricks"),
    ],
)
def test_invalid_result_is_refused_with_the_field_name(
    client: Client, session_in_play: Session, body: object, field: str
) -> None:
    response = put_json(client, build_result_path(session_in_play), body)
    assert response.status_code == 400
    assert list(response.json()["fields"]) == [field]
    assert response.json()["detail"].startswith(f"{field}: ")
    assert not Result.objects.exists()


@pytest.mark.slow
def test_board_not_at_the_table_is_refused(client: Client, session_in_play: Session) -> None:
    address = build_result_path(session_in_play).replace("results/1/", "results/6/")
    response = put_json(client, address, {"ns_tricks": 8})
    assert (response.status_code, response.json()["code"]) == (400, "no_such_play")


@pytest.mark.slow
def test_closed_session_accepts_no_result(client: Client, session_in_play: Session) -> None:
    evenings.end_correction_period(session_in_play)
    assert post_json(client, f"{build_root_path(session_in_play)}close/").status_code == 200
    response = put_json(client, build_result_path(session_in_play), {"ns_tricks": 8})
    assert (response.status_code, response.json()["code"]) == (400, "not_now")


@pytest.mark.slow
def test_list_of_tables_links_to_every_result(client: Client, session_in_play: Session) -> None:
    for sitting in client.get(f"{build_root_path(session_in_play)}sittings/").json()["results"]:
        for board in sitting["boards"]:
            address = f"/api/sittings/{sitting['id']}/results/{board}/"
            assert put_json(client, address, {"ns_tricks": 6}).status_code == 200
    assert load_session_snapshot(session_in_play).missing_result_count == 0
    data = client.get(f"{build_root_path(session_in_play)}results/").json()
    assert data["count"] == load_session_snapshot(session_in_play).expected_result_count == 18
    assert {row["ns_tricks"] for row in data["results"]} == {6}


# ---------------------------------------------------------------- secrecy


def list_texts(value: object) -> set[str]:
    """Return every text in a response, at any depth."""
    if isinstance(value, dict):
        return {text for part in value.values() for text in list_texts(part)}
    if isinstance(value, list):
        return {text for part in value for text in list_texts(part)}
    return {value} if isinstance(value, str) else set()


def list_readable_paths(session: Session) -> list[str]:
    """Return every path under a session that can be read."""
    detail_paths = [f"travellers/{board}/" for board in range(1, 7)]
    detail_paths += [f"cards/{entry}/" for entry in range(1, 7)]
    list_paths = ["", "boards/", "sittings/", "results/", "travellers/"]
    return [build_root_path(session) + path_end for path_end in [*list_paths, *detail_paths]]


@pytest.mark.slow
@pytest.mark.parametrize("login_role", ["", "scorer", "director"])
def test_hands_are_not_returned_before_the_close(
    client: Client, dealt_session: Session, login_role: str
) -> None:
    if login_role:
        club, user = evenings.create_club_with_director()
        client.force_login(user if login_role == "director" else evenings.create_scorer(club))
    assert dealt_session.board_set is not None
    hands = {
        hand for row in dealt_session.board_set.boards.all() for hand in row.deal[2:].split()
    }
    turn_ups = {row.turn_up for row in dealt_session.board_set.boards.all()}
    secret = bytes(dealt_session.board_set.secret or b"").hex()
    for address in list_readable_paths(dealt_session):
        response = client.get(address)
        assert response.status_code == 200, address
        assert not list_texts(response.json()) & (hands | turn_ups), address
        assert secret not in response.content.decode()


@pytest.mark.slow
def test_hands_and_turn_ups_are_returned_after_the_close(
    client: Client, dealt_session: Session
) -> None:
    close_session(session=dealt_session, by=None)
    assert dealt_session.board_set is not None
    deal = dealt_session.board_set.load_deals()[2]
    board = client.get(f"{build_root_path(dealt_session)}boards/").json()["results"][1]
    assert board["turn_up"] == deal.turn_up.code
    assert board["dealer"] == "E"
    assert sum(len(hand.replace(".", "")) for hand in board["hands"].values()) == 52
    assert (
        client.get(f"{build_root_path(dealt_session)}travellers/2/").json()["hands"]
        == board["hands"]
    )


@pytest.mark.slow
def test_results_during_play_are_returned_only_to_scorers(client: Client) -> None:
    session, user = evenings.open_session()
    tables = load_session_snapshot(session).tables_by_board[1]
    for table in tables[:-1]:
        evenings.enter_result(session, table.sitting_id, 1, "11", user)

    def read_tricks() -> list[list[int]]:
        results = client.get(f"{build_root_path(session)}results/").json()["results"]
        traveller = client.get(f"{build_root_path(session)}travellers/1/").json()["lines"]
        return [
            [row["ns_tricks"] for row in results],
            [line["ns_tricks"] for line in traveller if line["outcome"]],
        ]

    assert read_tricks() == [[], []]
    client.force_login(evenings.create_club_with_director("Hilltop Whist Club", "other")[1])
    assert read_tricks() == [[], []]
    client.force_login(evenings.create_scorer(session.event.club))
    assert read_tricks() == [[11, 11], [11, 11]]
    client.logout()
    evenings.enter_result(session, tables[-1].sitting_id, 1, "3", user)
    assert read_tricks() == [[], []]  # the other board of the round is still in play
    for table in tables:
        evenings.enter_result(session, table.sitting_id, 2, "6", user)
    assert read_tricks() == [[11, 6, 11, 6, 3, 6], [11, 11, 3]]


@pytest.mark.slow
def test_scorecard_returns_tricks_and_exact_scores(client: Client) -> None:
    session, _ = evenings.play_session()
    standings.update_standings(session.event)
    card = client.get(f"{build_root_path(session)}cards/1/").json()
    assert card["players"] == ["Pole 0a", "Nowak 0b"]
    assert (card["label"], card["field"]) == ("1 N-S", "NS")
    assert len(card["lines"]) == 6
    assert sum(Fraction(line["score"]) for line in card["lines"]) == Fraction(card["score"])
    Event.objects.update(standings_shown="never")
    hidden_scorecard = client.get(f"{build_root_path(session)}cards/1/").json()
    assert (hidden_scorecard["rank"], hidden_scorecard["score"]) == (None, None)
    assert client.get(f"{build_root_path(session)}cards/99/").status_code == 404


# ---------------------------------------------------------------- standings


@pytest.fixture
def ranked_session() -> Session:
    session, _ = evenings.play_session()
    standings.update_standings(session.event)
    return session


@pytest.mark.slow
def test_standings_equal_those_of_the_command_line(
    client: Client, ranked_session: Session
) -> None:
    output = StringIO()
    call_command(
        "event", "standings", ranked_session.event.slug, "--format", "json", stdout=output
    )
    response = client.get(f"/api/events/{ranked_session.event.slug}/standings/")
    body = response.json()
    api_only_fields = {"method": "plus_minus", "missing": 0, "version": 1}
    assert body == json.loads(output.getvalue()) | api_only_fields
    assert body["rankings"][0]["average"] == "33"


@pytest.mark.slow
def test_known_standings_are_not_sent_again(client: Client, ranked_session: Session) -> None:
    address = f"/api/events/{ranked_session.event.slug}/standings/"
    first_response = client.get(address)
    etag = first_response.headers["ETag"]
    response = client.get(address, headers={"If-None-Match": f"W/{etag}"})
    assert (response.status_code, response.content) == (304, b"")
    assert client.get(f"{address}?seen=1").status_code == 204
    evenings.enter_result(
        ranked_session,
        load_session_snapshot(ranked_session).tables[0].sitting_id,
        1,
        "13",
        None,
    )
    standings.update_standings(ranked_session.event)
    assert client.get(f"{address}?seen=1").json()["version"] == 2
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 200


@pytest.mark.slow
def test_corrected_name_changes_the_etag(client: Client, ranked_session: Session) -> None:
    address = f"/api/events/{ranked_session.event.slug}/standings/"
    tag = client.get(address).headers["ETag"]
    ranked_session.event.entries.filter(number=1).update(name="A & B")
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.slow
def test_hidden_standings_are_returned_only_to_scorers(
    client: Client, ranked_session: Session
) -> None:
    Event.objects.update(standings_shown="after")
    address = f"/api/events/{ranked_session.event.slug}/standings/"
    response = client.get(address)
    assert (response.status_code, response.json()["code"]) == (403, "permission_denied")
    assert "aren’t shown now" in response.json()["detail"]
    client.force_login(evenings.create_scorer(ranked_session.event.club))
    assert client.get(address).json()["complete"] is True


@pytest.mark.parametrize("channel", ["page", "api"])
def test_standings_follow_a_change_of_the_method(
    client: Client,
    ranked_session: Session,
    django_capture_on_commit_callbacks: Any,
    channel: str,
) -> None:
    client.force_login(evenings.create_club_with_director()[1])
    slug = ranked_session.event.slug
    change = {"name": "Tuesday night", "date": "2026-03-10", "method": "matchpoints"}
    with django_capture_on_commit_callbacks(execute=True):
        if channel == "api":
            client.patch(f"/api/events/{slug}/", change, content_type="application/json")
        else:
            change |= {"standings_shown": "always", "paper_size": "A4"}
            client.post(f"/director/events/{slug}/edit/", change)
    body = client.get(f"/api/events/{slug}/standings/").json()
    assert (body["method"], body["version"]) == ("matchpoints", 2)
    assert sum(Fraction(row["score"]) for row in body["rankings"][0]["rows"]) > 0
    assert client.get(f"/api/events/{slug}/").json()["name"] == "Tuesday night"


# ---------------------------------------------------------------- the event


@pytest.mark.slow
def test_api_client_runs_a_session_from_names_to_standings(
    client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    _, user = evenings.create_club_with_director()
    client.force_login(user)
    response = post_json(
        client,
        "/api/events/",
        {"name": "Thursday", "date": "2026-03-12", "method": "matchpoints"},
    )
    assert response.status_code == 201
    event = f"/api/events/{response.json()['slug']}/"
    for number in range(8):
        names = {"names": [f"Ada {number}", f"Bea {number}"]}
        next_response = post_json(client, f"{event}entries/", names)
        assert next_response.json()["number"] == number + 1
    session = f"{event}sessions/1/"
    seated_response = put_json(
        client, f"{session}movement/", {"name": "compass-skip", "boards_a_round": 1}
    )
    assert seated_response.json()["sections"][0]["rounds"] == 3
    with django_capture_on_commit_callbacks(execute=True):
        assert post_json(client, f"{session}boards/").json()["deals"] == "recorded"
    assert client.get(session).json()["board_set"]["state"] == "ready"
    assert post_json(client, f"{session}open/").json()["state"] == "open"
    with django_capture_on_commit_callbacks(execute=True):
        for sitting in client.get(f"{session}sittings/").json()["results"]:
            for board in sitting["boards"]:
                address = f"/api/sittings/{sitting['id']}/results/{board}/"
                put_json(client, address, {"ns_tricks": sitting["table"] + board, "seen": None})
        assert post_json(client, f"{session}close/").json()["state"] == "closed"
    client.logout()
    body = client.get(f"{event}standings/").json()
    assert (body["complete"], body["missing"]) == (True, 0)
    assert [len(field["rows"]) for field in body["rankings"]] == [4, 4]
    channels = Act.objects.filter(about=f"event:{response.json()['slug']}").values_list(
        "way", flat=True
    )
    assert set(channels) == {"api"}


@pytest.mark.slow
def test_session_returns_to_setup_only_without_scores(
    client: Client, session_in_play: Session
) -> None:
    assert (
        post_json(client, f"{build_root_path(session_in_play)}setup/").json()["state"]
        == "planned"
    )
    post_json(client, f"{build_root_path(session_in_play)}open/")
    put_json(client, build_result_path(session_in_play), {"ns_tricks": 8})
    assert (
        post_json(client, f"{build_root_path(session_in_play)}setup/").json()["code"]
        == "not_now"
    )
    assert post_json(client, f"{build_root_path(session_in_play)}close/").json()["closed_at"]
    assert (
        post_json(client, f"{build_root_path(session_in_play)}open/").json()["code"]
        == "not_now"
    )
    assert (
        post_json(client, f"{build_root_path(session_in_play)}reopen/").json()["state"]
        == "open"
    )


def test_boards_may_be_shuffled_at_the_tables(client: Client, session_in_play: Session) -> None:
    response = post_json(
        client, f"{build_root_path(session_in_play)}boards/", {"deals": "none"}
    )
    assert (response.json()["deals"], response.json()["board_set"]) == ("none", None)
    assert client.get(f"{build_root_path(session_in_play)}boards/").json()["count"] == 6


def test_acts_record_whether_they_came_from_a_page_or_the_api(
    client: Client, session_in_play: Session
) -> None:
    post_json(client, f"{build_root_path(session_in_play)}close/")
    client.post(f"/director/events/{session_in_play.event.slug}/session/reopen/")
    acts = Act.objects.filter(action__startswith="session.").order_by("pk")
    assert [(act.action, act.way) for act in acts] == [
        ("session.opened", "pages"),
        ("session.closed", "api"),
        ("session.reopened", "pages"),
    ]


# ---------------------------------------------------------------- costs


@pytest.mark.slow
@pytest.mark.parametrize(
    "end", ["", "boards/", "sittings/", "results/", "travellers/", "travellers/1/", "cards/1/"]
)
def test_large_session_costs_as_many_queries_as_a_small_one(client: Client, end: str) -> None:
    query_counts = set()
    for pairs in (6, 14):
        session, _ = evenings.play_session(pairs, boards_a_round=1)
        standings.update_standings(session.event)
        close_session(session=session, by=None)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(build_root_path(session) + end).status_code == 200
        query_counts.add(len(queries))
    assert len(query_counts) == 1
    assert query_counts.pop() <= 20


@pytest.mark.slow
def test_standings_cost_as_many_queries_for_many_entries_as_for_few(client: Client) -> None:
    counts = set()
    for pairs in (6, 14):
        session, _ = evenings.play_session(pairs)
        standings.update_standings(session.event)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/api/events/{session.event.slug}/standings/").status_code == 200
        counts.add(len(queries))
    assert len(counts) == 1
    assert counts.pop() <= 7


@pytest.mark.slow
def test_known_standings_cost_three_queries(
    client: Client, ranked_session: Session, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(3):
        client.get(f"/api/events/{ranked_session.event.slug}/standings/?seen=1")
