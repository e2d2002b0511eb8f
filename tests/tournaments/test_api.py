"""The API creates events, enters pairs and seats them by the same rules as the pages."""

from typing import Any

import pytest
from django.test import Client

from clubs.models import Act, Club, Player
from scoring.services import close_session, open_session
from tests import evenings
from tournaments.models import Entry, Event, Place
from tournaments.movements import build_named_movement
from tournaments.services import PlannedSection, seat_sections

pytestmark = pytest.mark.django_db


def post_json(client: Client, address: str, body: object) -> Any:
    return client.post(address, body, content_type="application/json")


def put_json(client: Client, address: str, body: object) -> Any:
    return client.put(address, body, content_type="application/json")


def sign_in_director(client: Client) -> Club:
    """Sign a club's director in."""
    club, user = evenings.create_club_with_director()
    client.force_login(user)
    return club


THURSDAY_EVENT = {"name": "Thursday", "date": "2026-03-12"}


# ---------------------------------------------------------------- events


def test_api_creates_event_and_history_entry(client: Client) -> None:
    sign_in_director(client)
    response = post_json(client, "/api/events/", THURSDAY_EVENT)
    assert response.status_code == 201
    assert response.json() == {
        "slug": "thursday-2026-03-12",
        "name": "Thursday",
        "date": "2026-03-12",
        "club": "riverside-whist-club",
        "contest": "pairs",
        "method": "plus_minus",
        "standings_shown": "always",
        "trumps": "turned",
        "most_points": None,
        "state": "planned",
        "sessions": [{"number": 1, "state": "planned"}],
    }
    assert client.get("/api/events/thursday-2026-03-12/").json() == response.json()
    entry = Act.objects.get(action="event.created")
    assert (entry.by, entry.way) == ("director", "api")


def test_repeated_idempotency_key_creates_one_event(client: Client) -> None:
    sign_in_director(client)
    slugs = {
        post_json(client, "/api/events/", THURSDAY_EVENT | {"key": "abc"}).json()["slug"]
        for _ in "12"
    }
    assert slugs == {"thursday-2026-03-12"}
    assert Event.objects.count() == 1


def test_director_of_two_clubs_must_name_the_club(client: Client) -> None:
    sign_in_director(client)
    evenings.create_club_with_director("Hilltop Whist Club")
    response = post_json(client, "/api/events/", THURSDAY_EVENT)
    assert response.status_code == 400
    assert "hilltop-whist-club, riverside-whist-club" in response.json()["fields"]["club"][0]
    body = THURSDAY_EVENT | {"club": "hilltop-whist-club"}
    assert post_json(client, "/api/events/", body).json()["club"] == "hilltop-whist-club"
    slugs = [club["slug"] for club in client.get("/api/clubs/").json()]
    assert slugs == ["hilltop-whist-club", "riverside-whist-club"]


@pytest.mark.parametrize("club", ["hilltop-whist-club", "nowhere"])
def test_event_can_be_created_only_in_own_club(client: Client, club: str) -> None:
    evenings.create_club_with_director("Hilltop Whist Club", "other")
    sign_in_director(client)
    response = post_json(client, "/api/events/", THURSDAY_EVENT | {"club": club})
    assert (response.status_code, response.json()["code"]) == (403, "permission_denied")
    assert response.json()["detail"] == "You don’t direct a club with this name."
    assert not Event.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": ["x"]}, "name"),
        ({"name": None}, "name"),
        ({"name": "\0"}, "name"),
        ({"date": "12.3.2026"}, "date"),
        ({"date": 20260312}, "date"),
        ({"method": "luck"}, "method"),
        ({"contest": "bridge"}, "contest"),
        ({"contest": "teams", "method": "matchpoints"}, "method"),
        ({"standings_shown": {}}, "standings_shown"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_invalid_event_is_refused_with_field_name(
    client: Client, change: dict[str, object], field: str
) -> None:
    sign_in_director(client)
    response = post_json(client, "/api/events/", THURSDAY_EVENT | change)
    assert (response.status_code, list(response.json()["fields"])) == (400, [field])
    assert not Event.objects.exists()


def test_invalid_choice_is_refused_with_valid_choices(client: Client) -> None:
    sign_in_director(client)
    response = post_json(client, "/api/events/", THURSDAY_EVENT | {"method": "luck"})
    error_message = (
        "method: Choose one of these: plus_minus, matchpoints, tricks, matches, field_average, "
        "victory_points, points."
    )
    assert response.json()["detail"] == error_message


@pytest.mark.slow
def test_events_are_paginated_with_newest_first(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    club, _ = evenings.create_club_with_director()
    for number in range(1, 103):
        evenings.create_event(0, name=f"Evening {number}")
    assert club.events.count() == 102
    with django_assert_max_num_queries(3):
        first_data = client.get("/api/events/").json()
    assert (first_data["count"], len(first_data["results"])) == (102, 100)
    assert first_data["results"][0]["name"] == "Evening 102"
    results = client.get(first_data["next"]).json()["results"]
    assert [event["name"] for event in results] == ["Evening 2", "Evening 1"]


@pytest.mark.parametrize("page", ["0", "9", "x", "-1", "9" * 30, "9" * 5000])
def test_missing_page_of_events_is_reported(client: Client, page: str) -> None:
    response = client.get("/api/events/", {"page": page})
    assert response.status_code == 404
    assert response.json()["code"] == "not_found"


# ---------------------------------------------------------------- entries


def test_repeated_entry_request_creates_one_pair(client: Client) -> None:
    event, user = evenings.create_event(0)
    client.force_login(user)
    address = f"/api/events/{event.slug}/entries/"
    body = {"names": ["Łucja  Nowak", " Henry Jones "]}
    first_response, second_response = (post_json(client, address, body) for _ in range(2))
    assert (first_response.status_code, second_response.status_code) == (201, 200)
    assert first_response.json() == second_response.json()
    assert first_response.json() == {
        "number": 1,
        "name": "Łucja Nowak & Henry Jones",
        "players": ["Łucja Nowak", "Henry Jones"],
    }


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["Ada Pole"], "Enter the partner"),
        (["Ada Pole", "ada pole"], "is in this pair twice"),
        (["A", "B", "C"], "A pair has two names"),
    ],
)
def test_invalid_names_of_pair_are_refused_with_message(
    client: Client, names: list[str], text: str
) -> None:
    event, user = evenings.create_event(0)
    client.force_login(user)
    response = post_json(client, f"/api/events/{event.slug}/entries/", {"names": names})
    assert (response.status_code, response.json()["code"]) == (400, "entry_refused")
    assert text in response.json()["detail"]
    assert not Player.objects.exists()


def test_entry_can_be_renamed_and_deleted(client: Client) -> None:
    event, user = evenings.create_event(3)
    client.force_login(user)
    address = f"/api/events/{event.slug}/entries/2/"
    response = put_json(client, address, {"names": ["John Trist", "Dvora Cohen"]})
    assert response.json()["players"] == ["John Trist", "Dvora Cohen"]
    assert client.get(address).json() == response.json()
    assert client.delete(address).status_code == 204
    assert list(event.entries.values_list("number", flat=True)) == [1, 2]
    assert client.delete(f"/api/events/{event.slug}/entries/3/").status_code == 404


def test_entry_cannot_be_deleted_in_open_session(client: Client) -> None:
    session, user = evenings.open_session()
    client.force_login(user)
    response = client.delete(f"/api/events/{session.event.slug}/entries/1/")
    assert (response.status_code, response.json()["code"]) == (400, "not_now")
    assert Entry.objects.count() == 6


@pytest.mark.parametrize("pairs", [4, 40])
def test_entry_list_runs_constant_number_of_queries(
    client: Client, django_assert_max_num_queries: Any, pairs: int
) -> None:
    event, _ = evenings.create_event(pairs)
    with django_assert_max_num_queries(6):
        assert client.get(f"/api/events/{event.slug}/entries/").json()["count"] == pairs


# ---------------------------------------------------------------- movements


def test_movement_seats_entries_in_order(client: Client) -> None:
    event, user = evenings.create_event(7)
    client.force_login(user)
    session = f"/api/events/{event.slug}/sessions/1/"
    body = {"name": "howell", "boards_a_round": 3}
    response = put_json(client, f"{session}movement/", body)
    assert response.status_code == 200
    assert response.json()["boards_a_round"] == 3
    assert response.json()["sections"][0]["tables"] == 4
    assert client.get(session).json() | {"ranking_notice": ""} == response.json()


@pytest.mark.parametrize(
    ("edition_options", "expected_edition"), [({}, 2), ({"edition": 1}, 1), ({"edition": 2}, 2)]
)
def test_section_has_edition_of_its_movement(
    client: Client, edition_options: dict[str, int], expected_edition: int
) -> None:
    event, user = evenings.create_event(9)
    client.force_login(user)
    body = {"name": "howell", "boards_a_round": 2, **edition_options}
    response = put_json(client, f"/api/events/{event.slug}/sessions/1/movement/", body)
    assert response.json()["sections"][0]["edition"] == expected_edition
    place = Place.objects.get(section__session__event=event, entry=None)
    assert place.number == {1: 10, 2: 9}[expected_edition]


def test_choosing_one_movement_replaces_all_sections(client: Client) -> None:
    event, user = evenings.create_event(12)
    session, entries = event.sessions.get(), list(event.entries.order_by("number"))
    plans = [
        PlannedSection(build_named_movement("compass", pairs=6), {}, field)
        for field in (entries[:6], entries[6:])
    ]
    seat_sections(
        session=session,
        planned_sections=plans,
        boards_a_round=2,
        is_ranked_across_sections=True,
        by=user,
    )
    client.force_login(user)
    body = {"name": "howell", "boards_a_round": 2}
    response = put_json(client, f"/api/events/{event.slug}/sessions/1/movement/", body)
    assert [section["letter"] for section in response.json()["sections"]] == ["A"]
    places = Place.objects.filter(section__session=session)
    assert sorted(places.values_list("entry__number", flat=True)) == [*range(1, 13)]
    session.refresh_from_db()
    assert not session.across_sections


def test_movement_options_are_stored(client: Client) -> None:
    event, user = evenings.create_event(7)
    client.force_login(user)
    address = f"/api/events/{event.slug}/sessions/1/movement/"
    body = {"name": "compass-skip", "boards_a_round": 2, "tables": 4, "absent": ["2EW"]}
    section = put_json(client, address, body | {"switch": [3]}).json()["sections"][0]
    assert section["options"] == {"switch": [3]}
    place = event.sessions.get().sections.get().places.get(entry=None)
    assert place.label.startswith("2") or place.number == 6


@pytest.mark.parametrize(
    ("change", "error_code"),
    [
        ({"name": "roundabout"}, "unplayable_movement"),
        ({"name": "custom"}, "unplayable_movement"),
        ({"name": "compass", "tables": 4}, "unplayable_movement"),
        ({"name": "compass", "tables": 3, "pairs": 14}, "unplayable_movement"),
        ({"rounds": 40}, "unplayable_movement"),
        ({"absent": ["99EW"]}, "unplayable_movement"),
        ({"switch": [99]}, "unplayable_movement"),
        ({"tables": 5}, "seating_refused"),
        ({"tables": 0}, "invalid"),
        ({"tables": 10**40}, "invalid"),
        ({"boards_a_round": 61}, "invalid"),
        ({"boards_a_round": None}, "invalid"),
        ({"absent": "1EW"}, "invalid"),
        ({"switch": {"1": 2}}, "invalid"),
        ({"one_winner": "perhaps"}, "invalid"),
        ({"meetings": []}, "invalid"),
    ],
)
def test_movement_that_does_not_fit_is_refused(
    client: Client, change: dict[str, object], error_code: str
) -> None:
    event, user = evenings.create_event(6)
    client.force_login(user)
    address = f"/api/events/{event.slug}/sessions/1/movement/"
    response = put_json(client, address, {"name": "compass", "boards_a_round": 2} | change)
    assert (response.status_code, response.json()["code"]) == (400, error_code)
    assert not event.sessions.get().sections.exists()


def test_movement_for_another_contest_is_refused(client: Client) -> None:
    event, user = evenings.create_event(8)
    client.force_login(user)
    address = f"/api/events/{event.slug}/sessions/1/movement/"
    body = {"name": "eight-individuals", "players": 8, "boards_a_round": 2}
    response = put_json(client, address, body)
    assert (response.status_code, response.json()["code"]) == (400, "seating_refused")
    assert "is for individuals, but this event is for pairs" in response.json()["detail"]


def test_movement_of_open_session_cannot_be_changed(client: Client) -> None:
    session, user = evenings.seat_session()
    open_session(session=session, by=user)
    client.force_login(user)
    address = f"/api/events/{session.event.slug}/sessions/1/movement/"
    response = put_json(client, address, {"name": "compass", "boards_a_round": 2})
    assert (response.status_code, response.json()["code"]) == (400, "not_now")


def test_one_winner_movement_in_second_session_returns_ranking_notice(client: Client) -> None:
    session, user = evenings.play_session()
    client.force_login(user)
    slug = session.event.slug
    close_session(session=session, by=user)
    assert post_json(client, f"/api/events/{slug}/sessions/", {}).status_code == 201
    address = f"/api/events/{slug}/sessions/2/movement/"
    body = {"name": "compass", "boards_a_round": 2}
    assert put_json(client, address, body).json()["ranking_notice"] == ""
    data = put_json(client, address, body | {"one_winner": True}).json()
    assert "ranked together" in data["ranking_notice"]
