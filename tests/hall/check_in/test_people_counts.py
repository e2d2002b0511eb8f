"""Play starts with the people who check in and those on the list, and with no one else."""

from datetime import date
from typing import Any

import pytest
from django.test import Client

import drives.services
import scoring.services
from clubs.evenings import services
from clubs.evenings.first_seats import Chair
from clubs.evenings.services import NewCheckIn
from drives.models import Drive
from rubbers.models import Belonging, RubberNight, RubberTable
from rubbers.services import NewRubberPlayer
from rubbers.services.nights import create_player
from tests import evenings
from tournaments.models import Event
from tournaments.services.entries import create_entries

pytestmark = pytest.mark.django_db

PEOPLE = [f"{name} Check" for name in evenings.SURNAMES[:8]]
OPPOSITE = [PEOPLE[0], PEOPLE[2]]  # at table 1
LISTED = [PEOPLE[0], "Listed Only"]
GIVEN: dict[str, dict[str, str]] = {
    "number": {"count": "26", "tables": "7"},
    "list": {"names": "\n".join(LISTED)},
    "nothing": {},
}


def create_on_page(kind: str, given: dict[str, str]) -> tuple[Client, Any, str]:
    """Create a drive or night with check-in on its page; return it with the next URL."""
    _club, user = evenings.create_club_with_director()
    director = Client()
    director.force_login(user)
    form = {"name": "E", "date": "2026-03-10", "check_in": "1"}
    form |= {"form": "lot"} if kind == "drives" else {"code": "pole"}
    response = director.post(f"/director/{kind}/new/", form | given)
    assert response.status_code == 302, response.content.decode()
    row: Drive | RubberNight = (Drive if kind == "drives" else RubberNight).objects.get()
    return director, row, response["Location"]


def check_in_everyone(activity: Any, evening: Any) -> None:
    services.open_check_in(evening=evening, table_count=7, subject=activity, by=None)
    people = [
        NewCheckIn(name=name, chair=Chair(1 + index // 4, 1 + index % 4))
        for index, name in enumerate(PEOPLE)
    ]
    services.check_in_people(evening=evening, people=people, subject=activity, by=None)


@pytest.mark.parametrize(("given", "count"), [("number", 8), ("list", 9), ("nothing", 8)])
def test_drive_starts_with_the_people_its_preview_counts(given: str, count: int) -> None:
    director, drive, _next_url = create_on_page("drives", GIVEN[given])
    check_in_everyone(drive, drive.evening)
    start_url = f"/director/drives/{drive.slug}/check-in/start/"
    page = director.get(start_url).content.decode()
    assert f"{count} people" in page
    assert ("Listed Only" in page) == (given == "list")
    assert "No one moves." in page
    assert director.post(start_url).status_code == 302
    names = sorted({*PEOPLE, *(LISTED if given == "list" else ())})
    assert sorted(drive.players.values_list("name", flat=True)) == names


def test_preview_names_the_draw_if_a_listed_player_has_a_fixed_table() -> None:
    director, drive, _next_url = create_on_page("drives", GIVEN["list"])
    check_in_everyone(drive, drive.evening)
    drive.players.filter(number=1).update(stays_seated=True)
    page = director.get(f"/director/drives/{drive.slug}/check-in/start/").content.decode()
    assert "The draw decides who moves." in page


@pytest.mark.parametrize(("given", "count"), [("number", 8), ("list", 9), ("nothing", 8)])
def test_night_starts_with_the_people_at_its_tables_and_on_its_list(
    given: str, count: int
) -> None:
    director, night, next_url = create_on_page("rubbers", GIVEN[given])
    assert "check-in/" in next_url
    assert not night.tables.exists()
    check_in_everyone(night, night.evening)
    start_url = f"/director/rubbers/{night.slug}/check-in/start/"
    page = director.get(start_url).content.decode()
    assert f"{count} people" in page
    assert ("Listed Only" in page) == (given == "list")
    assert director.post(start_url).status_code == 302
    names = sorted({*PEOPLE, *(LISTED if given == "list" else ())})
    assert sorted(night.players.values_list("name", flat=True)) == names
    assert Belonging.objects.filter(table__night=night).count() == count
    director.post(f"/director/rubbers/{night.slug}/check-in/act/", {"act": "undo"})
    assert sorted(night.evening.check_ins.values_list("name", flat=True)) == names


def test_night_with_tables_from_a_list_still_starts_from_its_check_in() -> None:
    """Nights of older versions have tables from the list and an open check-in."""
    director, night, _next_url = create_on_page("rubbers", {})
    holders = [create_player(night, NewRubberPlayer(name=name)) for name in LISTED]
    table = RubberTable.objects.create(night=night, number=1)
    for holder in holders:
        Belonging.objects.create(table=table, holder=holder)
    check_in_everyone(night, night.evening)
    start_url = f"/director/rubbers/{night.slug}/check-in/start/"
    assert director.post(start_url).status_code == 302
    names = sorted({*PEOPLE, *LISTED})
    assert sorted(night.players.values_list("name", flat=True)) == names


@pytest.mark.parametrize("names", [["Ann A", "Ann A"], ["Ann A", "x" * 81]])
def test_list_of_a_night_with_check_in_is_checked(names: list[str]) -> None:
    _club, user = evenings.create_club_with_director()
    director = Client()
    director.force_login(user)
    form = {"name": "E", "date": "2026-03-10", "check_in": "1", "code": "pole", "sure": "1"}
    response = director.post("/director/rubbers/new/", form | {"names": "\n".join(names)})
    assert response.status_code == 422
    assert not RubberNight.objects.exists()


@pytest.mark.parametrize(("listed", "count"), [([], 4), (OPPOSITE, 4), (["Un", "Deux"], 5)])
def test_event_counts_listed_pairs_once(listed: list[str], count: int) -> None:
    club, user = evenings.create_club_with_director()
    event: Event = scoring.services.create_event(
        club=club, name="Tuesday", date=date(2026, 3, 10), by=user
    )
    session = event.sessions.get()
    if listed:
        create_entries(event=event, rows=[("1", listed)], by=user)
    check_in_everyone(event, session.evening)
    director = Client()
    director.force_login(user)
    page = director.get(f"/director/events/{event.slug}/check-in/start/").content.decode()
    assert f"{count} pairs" in page


@pytest.mark.parametrize("nameless", [3, 8, 26])
def test_cards_without_a_name_go_to_people_who_check_in(nameless: int) -> None:
    director, drive, _next_url = create_on_page("drives", {})
    cards = [drives.services.NewPlayer()] * nameless
    drives.services.add_players(drive=drive, new_players=cards, by=None)
    check_in_everyone(drive, drive.evening)
    url = f"/director/drives/{drive.slug}/check-in/"
    assert "8 people" in director.get(f"{url}start/").content.decode()
    director.post(f"{url}start/")
    assert sorted(drive.players.values_list("name", flat=True)) == sorted(PEOPLE)
    director.post(f"{url}act/", {"act": "undo"})
    assert list(drive.players.values_list("name", flat=True)) == [""] * nameless


def test_proposed_tables_have_a_chair_for_the_number_of_people() -> None:
    director, _drive, next_url = create_on_page("drives", {"count": "30"})
    page = director.get(next_url).content.decode()
    assert 'name="tables" min="1" max="100" value="8"' in page


@pytest.mark.parametrize(
    ("kind", "given", "tables"),
    [
        ("drives", {"count": "30"}, 8),
        ("rubbers", {"tables": "9"}, 9),
        ("rubbers", {"names": "\n".join([*PEOPLE, "Listed Only"])}, 3),
    ],
)
def test_proposed_tables_are_kept_until_the_check_in_is_opened(
    kind: str, given: dict[str, str], tables: int
) -> None:
    director, _activity, next_url = create_on_page(kind, given)
    proposal = f'name="tables" min="1" max="100" value="{tables}"'
    assert proposal in director.get(next_url).content.decode()
    director.get("/director/")
    assert proposal in director.get(next_url.partition("?")[0]).content.decode()
