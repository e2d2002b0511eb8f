"""The page that asks what is being played, and the first page of a new club."""

import pytest
from django.test import Client

from hall.desk.doors import describe_possible_kinds
from tests import evenings
from tests.page_text import collapse_spaces

NEW_EVENT_URLS = ("/director/events/new/", "/director/drives/new/", "/director/rubbers/new/")


@pytest.mark.parametrize(
    ("people", "kinds"),
    [
        (1, set()),
        (2, {"rubber"}),
        (3, {"rubber"}),
        (4, {"drive", "rubber"}),
        (7, {"drive", "rubber"}),
        (8, {"duplicate", "drive", "rubber"}),
        (2000, {"duplicate", "drive", "rubber"}),
    ],
)
def test_contest_is_offered_from_its_minimum_number_of_players(
    people: int, kinds: set[str]
) -> None:
    assert set(describe_possible_kinds(people)) == kinds


def test_suitability_of_each_contest_follows_number_of_players() -> None:
    descriptions_by_kind = describe_possible_kinds(29)
    assert "7 tables" in descriptions_by_kind["duplicate"]
    assert descriptions_by_kind["duplicate"].endswith("One player needs a partner.")
    assert descriptions_by_kind["drive"] == "7 tables of four. 1 player sits out each round."
    assert descriptions_by_kind["rubber"] == "5 tables of 5–6."
    assert describe_possible_kinds(28)["drive"] == "7 tables of four."
    assert describe_possible_kinds(2)["rubber"] == "1 table: double dummy."
    assert describe_possible_kinds(3)["rubber"] == "1 table: dummy."


@pytest.mark.parametrize("people", range(8, 121))
def test_every_number_of_players_from_eight_has_a_movement_with_duration(people: int) -> None:
    assert "hours" in describe_possible_kinds(people)["duplicate"]


@pytest.mark.django_db
def test_new_club_sees_the_three_contests_and_no_empty_lists(client: Client) -> None:
    club, director = evenings.create_club_with_director()
    client.force_login(director)
    page = collapse_spaces(client.get("/director/").content.decode())
    for new_event_url in NEW_EVENT_URLS:
        assert page.count(f'href="{new_event_url}?club={club.slug}"') == 1
    assert "No event" not in page
    assert "Upcoming" not in page


@pytest.mark.django_db
@pytest.mark.parametrize("typed_value", ["0", "-3", "abc", "2001"])
def test_invalid_number_of_players_is_reported_and_all_contests_stay_available(
    client: Client, typed_value: str
) -> None:
    client.force_login(evenings.create_club_with_director()[1])
    response = client.get("/director/new/", {"people": typed_value})
    assert response.status_code == 422
    page = response.content.decode()
    assert "Enter 1–2000 people" in page
    assert all(address in page for address in NEW_EVENT_URLS)


@pytest.mark.django_db
def test_number_of_players_is_passed_to_the_drive_form(client: Client) -> None:
    club, director = evenings.create_club_with_director()
    client.force_login(director)
    page = client.get("/director/new/", {"people": "26"}).content.decode()
    assert f"/director/drives/new/?club={club.slug}&amp;count=26" in page
    form = client.get("/director/drives/new/", {"club": club.slug, "count": "26"})
    assert 'name="count"' in form.content.decode()
    assert 'value="26"' in form.content.decode()
