"""A rubber night starts with the people who have checked in at its tables."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from clubs.errors import ActionUnavailable, CheckInRefused
from clubs.evenings import services
from clubs.evenings.first_seats import Chair, PresentPerson
from clubs.evenings.services import NewCheckIn
from clubs.models import TableLink
from rubbers.errors import RubberRefused
from rubbers.models import RubberNight
from rubbers.rubber.check_in_tables import group_people_by_table
from rubbers.services import create_rubber_night, seat_next_players, undo_last_act
from rubbers.services.check_in import reopen_check_in, start_night_from_check_in
from server.models import User
from tests import evenings
from tests.copies import build_once

CHAIR_STRATEGY = st.builds(Chair, st.integers(1, 5), st.integers(1, 4))


@given(st.sets(CHAIR_STRATEGY, max_size=20), st.integers(0, 6))
def test_everyone_gets_a_table_and_only_single_players_move(
    chairs: set[Chair], without: int
) -> None:
    seats: list[Chair | None] = [*sorted(chairs), *[None] * without]
    people = [PresentPerson(person_key, chair) for person_key, chair in enumerate(seats)]
    tables = group_people_by_table(people)
    assert sorted(person_key for keys in tables.values() for person_key in keys) == list(
        range(len(people))
    )
    assert all(len(keys) <= 6 for keys in tables.values())
    if len(people) > 1:
        assert all(len(keys) >= 2 for keys in tables.values())
    table_numbers = [chair.table_number for chair in chairs]
    for number, keys in tables.items():
        for person_key in keys:
            chair = seats[person_key]
            if chair is not None and table_numbers.count(chair.table_number) > 1:
                assert chair.table_number == number


@build_once
def create_open_check_in() -> tuple[RubberNight, User]:
    """A night without players, with check-in open at three tables."""
    club, user = evenings.create_club_with_director()
    night = create_rubber_night(
        club=club, name="R", date=date(2026, 3, 10), code="pole", players=[],
        should_check_in_players=True, by=user,
    )  # fmt: skip
    services.open_check_in(evening=night.evening, table_count=3, subject=night, by=user)
    return night, user


def check_in_people(night: RubberNight, *chairs: tuple[int, int] | None) -> None:
    people = [
        NewCheckIn(
            name=f"{evenings.SURNAMES[index]} {index}", chair=Chair(*chair) if chair else None
        )
        for index, chair in enumerate(chairs)
    ]
    services.check_in_people(evening=night.evening, people=people, subject=night, by=None)


def list_members_by_table(night: RubberNight) -> dict[int, list[str]]:
    return {
        table.number: [member.holder.name for member in table.members.select_related("holder")]
        for table in night.tables.all()
    }


def list_all_chairs(*tables: int) -> list[tuple[int, int]]:
    return [(table, seat) for table in tables for seat in (1, 2, 3, 4)]


@pytest.mark.django_db
def test_four_at_a_table_stay_and_single_player_joins_another_table() -> None:
    night, _user = create_open_check_in()
    check_in_people(night, *list_all_chairs(1), (2, 1), (2, 3), (3, 4))
    night = start_night_from_check_in(night=night, by=None)
    assert [len(names) for names in list_members_by_table(night).values()] == [4, 3]
    assert night.evening.check_ins.exclude(number=None).count() == 7


@pytest.mark.django_db
def test_start_is_idempotent_and_can_be_undone_until_players_are_seated() -> None:
    night, user = create_open_check_in()
    check_in_people(night, *list_all_chairs(1, 2))
    start_night_from_check_in(night=night, by=user)
    night = RubberNight.objects.select_related("evening", "club").get()
    assert start_night_from_check_in(night=night, by=user).players.count() == 8
    undo_last_act(night=night, by=user)
    night = RubberNight.objects.select_related("evening", "club").get()
    assert (night.players.count(), night.evening.check_in_state) == (0, "open")
    night = start_night_from_check_in(night=night, by=user)
    seat_next_players(night=night, table=1, spell=1, seating_mode="lot", by=user)
    with pytest.raises(ActionUnavailable, match="have been seated"):
        reopen_check_in(night=night, by=user)


@pytest.mark.django_db
def test_one_person_cannot_start_a_night() -> None:
    night, user = create_open_check_in()
    check_in_people(night, (1, 1))
    with pytest.raises(RubberRefused, match="at least two"):
        start_night_from_check_in(night=night, by=user)
    services.set_check_in_state(evening=night.evening, state="", subject=night, by=user)
    night.evening.refresh_from_db()
    with pytest.raises(CheckInRefused, match="isn’t open"):
        start_night_from_check_in(night=night, by=user)


@pytest.mark.django_db
def test_check_in_pages_start_and_undo_a_night() -> None:
    night, user = create_open_check_in()
    desk, director, phone = f"/director/rubbers/{night.slug}/check-in/", Client(), Client()
    director.force_login(user)
    link = TableLink.objects.get(evening=night.evening, table=2).path
    for seat, name in enumerate(("Al Ash", "Bea Box", "Cy Cot", "Di Dew"), start=1):
        form: dict[str, Any] = {"act": "sit", "seat": seat, "name": name}
        assert phone.post(f"{link}check-in/", form).status_code == 302
    assert b"4 people" in director.get(f"{desk}start/").content
    assert director.post(f"{desk}start/").status_code == 302
    assert list_members_by_table(night) == {2: ["Al Ash", "Bea Box", "Cy Cot", "Di Dew"]}
    page = phone.get(f"{link}check-in/").content.decode()
    assert page.count("Stay here:") == 4
    assert "Cut for partners" in page
    assert phone.get(link).status_code == 200
    response = director.post(f"{desk}act/", {"act": "undo"}, follow=True)
    assert b"Start undone." in response.content
    assert list_members_by_table(night) == {}
