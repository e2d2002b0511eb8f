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
OPPOSITE_PEOPLE = [PEOPLE[0], PEOPLE[2]]  # at table 1
LISTED_NAMES = [PEOPLE[0], "Listed Only"]
FORM_FIELDS_BY_CASE: dict[str, dict[str, str]] = {
    "number": {"count": "26", "tables": "7"},
    "list": {"names": "\n".join(LISTED_NAMES)},
    "nothing": {},
}


def create_activity_on_page(
    activity_kind: str, form_fields: dict[str, str]
) -> tuple[Client, Any, str]:
    """Create a drive or night with check-in on its page; return it with the next URL."""
    _club, user = evenings.create_club_with_director()
    director = Client()
    director.force_login(user)
    form = {"name": "E", "date": "2026-03-10", "check_in": "1"}
    form |= {"form": "lot"} if activity_kind == "drives" else {"code": "pole"}
    response = director.post(f"/director/{activity_kind}/new/", form | form_fields)
    assert response.status_code == 302, response.content.decode()
    row: Drive | RubberNight = (
        Drive if activity_kind == "drives" else RubberNight
    ).objects.get()
    return director, row, response["Location"]


def check_in_everyone(activity: Any, evening: Any) -> None:
    services.open_check_in(evening=evening, table_count=7, subject=activity, by=None)
    people = [
        NewCheckIn(name=name, chair=Chair(1 + index // 4, 1 + index % 4))
        for index, name in enumerate(PEOPLE)
    ]
    services.check_in_people(evening=evening, people=people, subject=activity, by=None)


@pytest.mark.parametrize(("given", "count"), [("number", 8), ("list", 9), ("nothing", 8)])
def test_drive_preview_and_start_include_the_same_people(given: str, count: int) -> None:
    director, drive, _next_url = create_activity_on_page("drives", FORM_FIELDS_BY_CASE[given])
    check_in_everyone(drive, drive.evening)
    start_url = f"/director/drives/{drive.slug}/check-in/start/"
    page = director.get(start_url).content.decode()
    assert f"{count} people" in page
    assert ("Listed Only" in page) == (given == "list")
    assert "No one moves." in page
    assert director.post(start_url).status_code == 302
    names = sorted({*PEOPLE, *(LISTED_NAMES if given == "list" else ())})
    assert sorted(drive.players.values_list("name", flat=True)) == names


def test_preview_announces_a_draw_if_a_player_is_stationary() -> None:
    director, drive, _next_url = create_activity_on_page("drives", FORM_FIELDS_BY_CASE["list"])
    check_in_everyone(drive, drive.evening)
    drive.players.filter(number=1).update(stays_seated=True)
    page = director.get(f"/director/drives/{drive.slug}/check-in/start/").content.decode()
    assert "The draw decides who moves." in page


@pytest.mark.parametrize(("given", "count"), [("number", 8), ("list", 9), ("nothing", 8)])
def test_rubber_night_starts_with_checked_in_and_listed_people(given: str, count: int) -> None:
    director, night, next_url = create_activity_on_page("rubbers", FORM_FIELDS_BY_CASE[given])
    assert "check-in/" in next_url
    assert not night.tables.exists()
    check_in_everyone(night, night.evening)
    start_url = f"/director/rubbers/{night.slug}/check-in/start/"
    page = director.get(start_url).content.decode()
    assert f"{count} people" in page
    assert ("Listed Only" in page) == (given == "list")
    assert director.post(start_url).status_code == 302
    names = sorted({*PEOPLE, *(LISTED_NAMES if given == "list" else ())})
    assert sorted(night.players.values_list("name", flat=True)) == names
    assert Belonging.objects.filter(table__night=night).count() == count
    director.post(f"/director/rubbers/{night.slug}/check-in/act/", {"act": "undo"})
    assert sorted(night.evening.check_ins.values_list("name", flat=True)) == names


def test_rubber_night_with_listed_tables_starts_from_check_in() -> None:
    """Nights of older versions have tables from the list and an open check-in."""
    director, night, _next_url = create_activity_on_page("rubbers", {})
    holders = [create_player(night, NewRubberPlayer(name=name)) for name in LISTED_NAMES]
    table = RubberTable.objects.create(night=night, number=1)
    for holder in holders:
        Belonging.objects.create(table=table, holder=holder)
    check_in_everyone(night, night.evening)
    start_url = f"/director/rubbers/{night.slug}/check-in/start/"
    assert director.post(start_url).status_code == 302
    names = sorted({*PEOPLE, *LISTED_NAMES})
    assert sorted(night.players.values_list("name", flat=True)) == names


@pytest.mark.parametrize("names", [["Ann A", "Ann A"], ["Ann A", "x" * 81]])
def test_rubber_night_with_check_in_rejects_invalid_names(names: list[str]) -> None:
    _club, user = evenings.create_club_with_director()
    director = Client()
    director.force_login(user)
    form = {"name": "E", "date": "2026-03-10", "check_in": "1", "code": "pole", "sure": "1"}
    response = director.post("/director/rubbers/new/", form | {"names": "\n".join(names)})
    assert response.status_code == 422
    assert not RubberNight.objects.exists()


@pytest.mark.parametrize(
    ("listed_names", "count"), [([], 4), (OPPOSITE_PEOPLE, 4), (["Un", "Deux"], 5)]
)
def test_event_counts_listed_pairs_once(listed_names: list[str], count: int) -> None:
    club, user = evenings.create_club_with_director()
    event: Event = scoring.services.create_event(
        club=club, name="Tuesday", date=date(2026, 3, 10), by=user
    )
    session = event.sessions.get()
    if listed_names:
        create_entries(event=event, rows=[("1", listed_names)], by=user)
    check_in_everyone(event, session.evening)
    director = Client()
    director.force_login(user)
    page = director.get(f"/director/events/{event.slug}/check-in/start/").content.decode()
    assert f"{count} pairs" in page


@pytest.mark.parametrize("nameless_count", [3, 8, 26])
def test_unnamed_drive_players_take_names_from_check_in(nameless_count: int) -> None:
    director, drive, _next_url = create_activity_on_page("drives", {})
    cards = [drives.services.NewPlayer()] * nameless_count
    drives.services.add_players(drive=drive, new_players=cards, by=None)
    check_in_everyone(drive, drive.evening)
    url = f"/director/drives/{drive.slug}/check-in/"
    assert "8 people" in director.get(f"{url}start/").content.decode()
    director.post(f"{url}start/")
    assert sorted(drive.players.values_list("name", flat=True)) == sorted(PEOPLE)
    director.post(f"{url}act/", {"act": "undo"})
    assert list(drive.players.values_list("name", flat=True)) == [""] * nameless_count


def test_proposed_table_count_fits_number_of_people() -> None:
    director, _drive, next_url = create_activity_on_page("drives", {"count": "30"})
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
def test_proposed_table_count_is_kept_until_check_in_opens(
    kind: str, given: dict[str, str], tables: int
) -> None:
    director, _activity, next_url = create_activity_on_page(kind, given)
    proposal = f'name="tables" min="1" max="100" value="{tables}"'
    assert proposal in director.get(next_url).content.decode()
    director.get("/director/")
    assert proposal in director.get(next_url.partition("?")[0]).content.decode()
