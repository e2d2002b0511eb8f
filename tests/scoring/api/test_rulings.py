"""The API records rulings, answers queries, reopens sessions and sets an event's scoring."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from clubs import audit
from clubs.models import Club
from exchange.eventfile import exporter, reader
from scoring.methods import list_methods
from scoring.models import Doubt, Result, Ruling
from scoring.services import close_session
from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tests.scoring.api.test_api import build_root_path, post_json, put_json
from tournaments.models import Event, Session

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def session(client: Client) -> Session:
    """Create an event of five tables with every result, and its director."""
    session, user = evenings.play_session(10)
    client.force_login(user)
    return session


def find_sitting(session: Session, board: int = 1, table_index: int = 0) -> int:
    return load_session_snapshot(session).tables_by_board[board][table_index].sitting_id


def post_ruling(client: Client, session: Session, **body: object) -> Any:
    result_fields = {"sitting": find_sitting(session), "board": 1}
    return post_json(client, f"{build_root_path(session)}rulings/", result_fields | body)


REVOKE_RULING = {"kind": "revoke", "side": "NS", "revokes": 1, "won_before": 2, "law": "X.4"}


def test_ruling_is_made_listed_and_withdrawn(client: Client, session: Session) -> None:
    response = post_ruling(client, session, **REVOKE_RULING)
    assert response.status_code == 201
    data = response.json()
    assert data["text"] == "revoke by N-S (Law X §4)"
    assert (data["round"], data["board"], data["revokes"]) == (1, 1, 1)
    assert post_ruling(client, session, **REVOKE_RULING).status_code == 200  # the same again
    address = f"{build_root_path(session)}rulings/"
    assert [result["id"] for result in client.get(address).json()["results"]] == [data["id"]]
    for _ in range(2):
        removed_response = post_json(client, f"{address}{data['id']}/withdraw/")
        assert removed_response.status_code == 200
        assert removed_response.json()["withdrawn_by"] == "director"
    assert Ruling.objects.count() == 1
    acts = [act.way for act in audit.list_acts(session.event)[:2]]
    assert acts == ["api", "api"]


CLAIM_TIMES = [
    ("2026-03-10T21:05:00", 201),
    ("2026-03-10T21:05:00+14:00", 201),
    ("1950-01-01T00:00:00", 201),
    ("2199-12-31T23:59:59", 201),
    ("1949-12-31T23:59:59", 400),
    ("2200-01-01T00:00:00", 400),
    ("0001-01-01T00:00:00", 400),
    ("0001-01-01T00:00:00+14:00", 400),
    ("9999-12-31T23:59:59", 400),
    ("9999-12-31T23:59:59-12:00", 400),
]


@pytest.mark.parametrize(
    ("zone", "claim_time_text", "status"),
    [
        *(("UTC", *moment) for moment in CLAIM_TIMES),
        *(("America/New_York", *CLAIM_TIMES[at]) for at in (0, 2, 6, 8)),
        *(("Pacific/Auckland", *CLAIM_TIMES[at]) for at in (0, 3, 6, 8)),
    ],
)
def test_revoke_claim_uses_the_time_zone_of_the_club(
    client: Client, session: Session, zone: str, claim_time_text: str, status: int
) -> None:
    Club.objects.update(timezone=zone)
    response = post_ruling(client, session, **REVOKE_RULING, claimed_at=claim_time_text)
    assert response.status_code == status
    if status == 400:
        assert "between 1950 and 2199" in response.json()["detail"]
    assert client.get(f"{build_root_path(session)}rulings/").status_code == 200
    page = client.get(f"/director/events/{session.event.slug}/rulings/")
    assert page.status_code == 200
    assert len(page.context["rulings"]) == (status == 201)
    reader.read_event_file(exporter.export_event(session.event, should_include_deals=False))


def test_penalty_is_recorded_for_an_entry(client: Client, session: Session) -> None:
    body = {"kind": "penalty", "entry": 3, "amount": "1/2", "reason": "late"}
    response = post_json(client, f"{build_root_path(session)}rulings/", body)
    assert response.status_code == 201
    assert (response.json()["entry"], response.json()["amount"]) == (3, "1/2")
    assert response.json()["sitting"] is None


@pytest.mark.parametrize(
    ("body", "error_text"),
    [
        ({"kind": "revoke"}, "Choose the side that revoked"),
        ({"kind": "adjusted", "ns_tricks": "7"}, "isn’t a number"),
        ({"kind": "adjusted", "ns_tricks": "7", "ew_tricks": "6"}, "Enter a reason"),
        ({"kind": "average", "board": 99}, "isn’t played at table"),
        ({"kind": "average", "sitting": 0}, "Sitting not found in this session"),
        ({"kind": "penalty", "amount": "1", "reason": "late"}, "this kind of ruling"),
        ({"kind": "scolding"}, "Choose one of these"),
        ({"kind": "average", "colour": "red"}, "Unknown field"),
    ],
)
def test_invalid_ruling_is_refused_with_a_message(
    client: Client, session: Session, body: dict[str, object], error_text: str
) -> None:
    response = post_ruling(client, session, **body)
    assert response.status_code == 400
    assert error_text in response.json()["detail"]
    assert not Ruling.objects.exists()


def test_scorer_reads_rulings_without_trump_cards(client: Client, session: Session) -> None:
    trumps = {"trump_recorded": "H6", "trump_turned": "ST"}
    data = post_ruling(client, session, kind="average", law="IV.10", **trumps).json()
    assert (data["trump_recorded"], data["trump_turned"]) == ("H6", "ST")
    client.force_login(evenings.create_scorer(session.event.club))
    (seen_ruling,) = client.get(f"{build_root_path(session)}rulings/").json()["results"]
    assert (seen_ruling["trump_recorded"], seen_ruling["trump_turned"]) == ("", "")
    assert seen_ruling["law"] == "IV.10"


def test_implausible_result_is_stored_and_queried(client: Client, session: Session) -> None:
    tables = load_session_snapshot(session).tables_by_board[1]
    for table, tricks in zip(tables[1:], (4, 5, 6, 5), strict=True):
        address = f"/api/sittings/{table.sitting_id}/results/1/"
        assert put_json(client, address, {"ns_tricks": tricks}).status_code == 200
    first_path = f"/api/sittings/{tables[0].sitting_id}/results/1/"
    data = put_json(client, first_path, {"ns_tricks": 11}).json()
    assert data["ns_tricks"] == 11
    assert data["query"]["text"].startswith("N-S 11? 4 other tables made 4–6.")
    assert data["query"]["swap"] == 2
    result = Result.objects.get(sitting=tables[0].sitting_id, board=1)
    assert result.doubt == Doubt.QUERIED
    for _ in range(2):
        assert post_json(client, f"{first_path}keep/").json()["ns_tricks"] == 11
    result.refresh_from_db()
    assert result.doubt == Doubt.KEPT


def test_session_is_reopened_after_correction_period_only_with_a_reason(
    client: Client, session: Session
) -> None:
    close_session(session=session, by=None)
    Session.objects.filter(pk=session.pk).update(closed_at=timezone.now() - timedelta(hours=99))
    response = post_json(client, f"{build_root_path(session)}reopen/")
    assert (response.status_code, response.json()["code"]) == (400, "not_now")
    assert "Enter a reason" in response.json()["detail"]
    reopened_response = post_json(
        client, f"{build_root_path(session)}reopen/", {"reason": "the slip was misread"}
    )
    assert reopened_response.json()["state"] == "open"
    assert audit.list_acts(session.event)[0].after == {"reason": "the slip was misread"}


def test_method_is_shown_to_everyone_and_changed_by_a_director(
    client: Client, session: Session
) -> None:
    address = f"/api/events/{session.event.slug}/scoring/"
    body = {"tie_breaks": ["tops"], "whole_averages": True, "carry_over": "1/2"}
    response = client.patch(address, body, content_type="application/json")
    assert response.status_code == 200
    data = Client().get(address).json()
    assert data == response.json()
    assert (data["method"], data["tie_breaks"]) == ("plus_minus", ["tops"])
    assert (data["whole_averages"], data["carry_over"]) == (True, "1/2")
    assert data["source"] == "American Whist League, code of 1894"
    rejected_response = client.patch(
        address, {"method": "tricks"}, content_type="application/json"
    )
    assert rejected_response.status_code == 400
    assert "Only plus/minus" in rejected_response.json()["detail"]


@pytest.mark.parametrize("contest", Event.Contest.values)
def test_api_creates_seats_and_opens_every_contest(client: Client, contest: str) -> None:
    _, user = evenings.create_club_with_director()
    client.force_login(user)
    response = post_json(
        client, "/api/events/", {"name": "A", "date": "2026-03-10", "contest": contest}
    )
    assert response.status_code == 201
    assert response.json()["method"] == list_methods(contest)[0].code
    root_url = f"/api/events/{response.json()['slug']}/"
    player_count, entries, movement = {
        "pairs": (2, 6, {"name": "compass"}),
        "memory": (2, 2, {"name": "memory"}),
        "individual": (1, 8, {"name": "whist-individual"}),
        "teams": (4, 3, {"name": "howell-teams"}),
    }[contest]
    for number in range(entries):
        names = [f"Player {number}{'abcd'[k]}" for k in range(player_count)]
        assert post_json(client, f"{root_url}entries/", {"names": names}).status_code == 201
    seated_response = put_json(
        client, f"{root_url}sessions/1/movement/", movement | {"boards_a_round": 2}
    )
    assert seated_response.status_code == 200, seated_response.json()
    assert post_json(client, f"{root_url}sessions/1/open/").json()["state"] == "open"


def test_method_not_offered_for_the_contest_is_refused_with_a_list(client: Client) -> None:
    _, user = evenings.create_club_with_director()
    client.force_login(user)
    body = {"name": "A", "date": "2026-03-10", "contest": "teams", "method": "matchpoints"}
    response = post_json(client, "/api/events/", body)
    assert response.status_code == 400
    assert "matches, tricks, victory_points, plus_minus" in response.json()["detail"]
    assert not Event.objects.exists()
