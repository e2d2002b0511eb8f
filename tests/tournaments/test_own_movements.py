"""A club's own movements are validated, stored, offered and played."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests import evenings
from tournaments.models import Event, SavedMovement, Sitting
from tournaments.movements import build_named_movement
from tournaments.movements.systems.custom import build_rows
from tournaments.services import build_saved_movement, save_movement
from tournaments.sheets.grids import build_input_grid, format_schedule_lines, parse_grid

pytestmark = pytest.mark.django_db

OWN_SCHEDULE_ROWS = build_rows(build_named_movement("compass", tables=3))


def build_schedule_form(rows: list[dict[str, object]]) -> dict[str, str]:
    """Return a schedule as the page's inputs send it."""
    return {
        f"r{row['round']}t{row['table']}-{name}": str(row[name])
        for row in rows
        for name in ("ns", "ew", "group")
    }


@pytest.fixture
def event(client: Client) -> Event:
    event, user = evenings.create_event(6)
    client.force_login(user)
    return event


def build_address(event: Event) -> str:
    return f"/director/events/{event.slug}/movement/own/"


def test_input_grid_and_text_lines_give_same_schedule_rows() -> None:
    grid = build_input_grid(OWN_SCHEDULE_ROWS, "pairs")
    form = {
        cell.name: cell.value
        for squares in grid.rounds
        for square in squares
        for cell in square
    }
    assert parse_grid(form) == [
        {**row, "group": str(row["group"])} for row in OWN_SCHEDULE_ROWS
    ]
    assert format_schedule_lines(OWN_SCHEDULE_ROWS).splitlines()[:2] == [
        "round table ns ew group",
        "1 1 1NS 1EW 1",
    ]


def test_schedule_too_large_for_grid_is_shown_as_lines() -> None:
    assert (
        build_input_grid(build_rows(build_named_movement("howell", pairs=40)), "pairs").rounds
        == ()
    )


def test_letters_are_parsed_as_board_group_numbers() -> None:
    assert parse_grid({"r1t1-ns": "1", "r1t1-ew": "2", "r1t1-group": "b"})[0]["group"] == 2


def test_any_catalogue_movement_can_be_used_as_template(client: Client, event: Event) -> None:
    page = client.get(build_address(event), {"from": "howell", "size": "8"}).content.decode()
    assert 'name="r7t4-ew" value=' in page
    assert client.get(build_address(event), {"from": "compass", "size": "4"}).status_code == 400


def test_each_problem_is_reported_by_round_and_table(client: Client, event: Event) -> None:
    wrong_schedule_form = build_schedule_form(OWN_SCHEDULE_ROWS) | {
        "r2t1-ew": "1EW",
        "r3t2-group": "77777",
    }
    response = client.post(build_address(event), wrong_schedule_form | {"action": "check"})
    page = response.content.decode()
    assert response.status_code == 400
    assert "Round 2, table 1" in page or "Round 2, table 2" in page
    assert "Round 3, table 2" in page
    assert 'name="r2t1-ew" value="1EW"' in page
    assert SavedMovement.objects.count() == 0


def test_valid_schedule_is_shown_completely_and_saved(client: Client, event: Event) -> None:
    page = client.post(
        build_address(event), build_schedule_form(OWN_SCHEDULE_ROWS) | {"action": "check"}
    ).content.decode()
    assert "This schedule can be played" in page
    nameless_response = client.post(
        build_address(event), build_schedule_form(OWN_SCHEDULE_ROWS) | {"action": "save"}
    )
    assert "Enter a name for the movement" in nameless_response.content.decode()
    schedule_form = build_schedule_form(OWN_SCHEDULE_ROWS) | {
        "action": "save",
        "name": "Our  three tables",
    }
    assert client.post(build_address(event), schedule_form).status_code == 302
    saved_movement = SavedMovement.objects.get()
    assert saved_movement.name == "Our three tables"
    assert (
        build_saved_movement(saved_movement).meetings
        == build_named_movement("compass", tables=3).meetings
    )


@pytest.mark.parametrize("separator", [" ", "\t", ";", ","])
def test_lines_are_read_from_pasted_text_or_file(
    client: Client, event: Event, separator: str
) -> None:
    text = format_schedule_lines(OWN_SCHEDULE_ROWS).replace(" ", separator)
    pasted_response = client.post(build_address(event), {"action": "read", "text": text})
    file = SimpleUploadedFile("own.csv", text.encode())
    file_response = client.post(build_address(event), {"action": "read", "file": file})
    for response in (pasted_response, file_response):
        assert response.status_code == 200
        assert 'name="r3t3-ns" value="3NS"' in response.content.decode()


def test_unreadable_lines_are_reported(client: Client, event: Event) -> None:
    response = client.post(build_address(event), {"action": "read", "text": "1 1 2\n1 2 3 4 5"})
    assert response.status_code == 400
    assert "Line 1 has 3 cells" in response.content.decode()


def test_saved_movement_can_be_chosen_and_deleted(client: Client, event: Event) -> None:
    movement = save_movement(
        club=event.club, name="Our three", contest="pairs", rows=OWN_SCHEDULE_ROWS, by=None
    )
    event_url = f"/director/events/{event.slug}"
    assert "Our three" in client.get(f"{event_url}/movement/").content.decode()
    movement_form = {
        "name": "custom",
        "options": f'{{"saved": {movement.pk}}}',
        "boards_a_round": "4",
    }
    assert client.post(f"{event_url}/movement/", movement_form).status_code == 302
    assert Sitting.objects.filter(section__session__event=event).count() == 9
    assert "Our three" in client.get(f"{event_url}/movement/").content.decode()
    client.post(build_address(event), {"action": "drop", "saved": str(movement.pk)})
    assert SavedMovement.objects.count() == 0
    assert Sitting.objects.count() == 9


def test_movement_of_another_club_cannot_be_seen_or_deleted(
    client: Client, event: Event
) -> None:
    other_club, user = evenings.create_club_with_director("Hilltop Whist Club", "other")
    movement = save_movement(
        club=other_club, name="Theirs", contest="pairs", rows=OWN_SCHEDULE_ROWS, by=user
    )
    assert (
        "Theirs"
        not in client.get(build_address(event), {"saved": movement.pk}).content.decode()
    )
    client.post(build_address(event), {"action": "drop", "saved": str(movement.pk)})
    assert SavedMovement.objects.count() == 1
