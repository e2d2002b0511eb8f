"""A drive starts with the people who have checked in, at the chairs where they sit."""

import json
from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

import drives.services
from clubs import audit
from clubs.errors import ActionUnavailable, CheckInRefused
from clubs.evenings import services
from clubs.evenings.first_seats import Chair
from clubs.evenings.services import NewCheckIn
from drives.draw.participants import MIN_PARTICIPANTS
from drives.errors import DriveActionNotAllowed
from drives.files.drive_file import parse_drive_file
from drives.files.export import export_drive
from drives.files.verify import list_seating_mismatches
from drives.models import Drive, Seat
from drives.play_forms import PLAY_FORMS
from drives.services.check_in import start_drive_from_check_in
from drives.services.players import set_pair_kept_apart
from drives.snapshot import load_drive_snapshot
from hall.check_in.drives import DRIVE_CHECK_IN
from hall.check_in.kinds import CheckInAccess
from server.models import User
from tests import evenings
from tests.copies import build_once

pytestmark = pytest.mark.django_db

Chairs = Sequence[tuple[int, int] | None]


@build_once
def create_open_check_in(form: str = "social", **options: Any) -> tuple[Drive, User]:
    """Create a drive without players, with check-in open."""
    club, user = evenings.create_club_with_director()
    drive = drives.services.create_drive(
        **{"club": club, "name": "D", "date": date(2026, 3, 10), "form": form, "players": [],
           "rounds": 4, "is_started": False, "by": user} | options
    )  # fmt: skip
    services.open_check_in(evening=drive.evening, table_count=8, subject=drive, by=user)
    return drive, user


def check_in_chairs(drive: Drive, chairs: Chairs) -> None:
    people = [
        NewCheckIn(
            name=evenings.SURNAMES[index % 24] + f" {index}",
            chair=Chair(*chair) if chair else None,
        )
        for index, chair in enumerate(chairs)
    ]
    services.check_in_people(evening=drive.evening, people=people, subject=drive, by=None)


def list_all_chairs(*tables: int) -> list[tuple[int, int]]:
    return [(table, seat) for table in tables for seat in (1, 2, 3, 4)]


def find_first_seats(drive: Drive) -> dict[str, Chair | None]:
    rows = Seat.objects.filter(round__drive=drive, round__number=1).select_related("player")
    return {
        row.player.name: Chair(row.table, row.seat) if row.table and row.seat else None
        for row in rows
    }


def list_moved_names(drive: Drive) -> set[str]:
    now = find_first_seats(drive)
    return {row.name for row in drive.evening.check_ins.all() if now[row.name] != row.chair}


@pytest.mark.parametrize("form", sorted(PLAY_FORMS))
def test_no_one_moves_from_full_tables_in_any_form_of_drive(form: str) -> None:
    drive, _user = create_open_check_in(form)
    check_in_chairs(drive, list_all_chairs(1, 2, 3, 4))
    assert list_moved_names(start_drive_from_check_in(drive=drive, by=None)) == set()


def test_only_players_at_the_half_table_of_26_sit_out() -> None:
    drive, _user = create_open_check_in("progressive")
    check_in_chairs(drive, [*list_all_chairs(1, 2, 3, 4, 5, 6), (7, 1), (7, 3)])
    drive = start_drive_from_check_in(drive=drive, by=None)
    assert (drive.at_round, drive.state, drive.players.count()) == (1, "open", 26)
    assert {
        name for name, chair in find_first_seats(drive).items() if chair is None
    } == list_moved_names(drive)
    assert len(list_moved_names(drive)) == 2


def test_people_at_a_table_without_round_one_fill_the_free_chairs() -> None:
    drive, _user = create_open_check_in("lot")
    check_in_chairs(drive, [*list_all_chairs(1, 2), (3, 1), (3, 2), (8, 4), None])
    drive = start_drive_from_check_in(drive=drive, by=None)
    assert len(list_moved_names(drive)) == 2
    assert {chair.table_number for chair in find_first_seats(drive).values() if chair} == {
        1,
        2,
        3,
    }


def test_check_in_of_each_person_has_the_player_number() -> None:
    drive, _user = create_open_check_in()
    check_in_chairs(drive, list_all_chairs(1, 2, 3))
    drive = start_drive_from_check_in(drive=drive, by=None)
    numbers = dict(drive.players.values_list("name", "number"))
    assert {row.name: row.number for row in drive.evening.check_ins.all()} == numbers


def test_previously_added_players_keep_their_numbers() -> None:
    drive, user = create_open_check_in()
    new_players = [drives.services.NewPlayer(name=name) for name in ("Typed One", "Pole 0")]
    drives.services.add_players(drive=drive, new_players=new_players, by=user)
    check_in_chairs(drive, list_all_chairs(1, 2))
    drive = start_drive_from_check_in(drive=drive, by=None)
    assert drive.players.count() == 9
    assert drive.players.get(name="Pole 0").number == 2
    assert drive.evening.check_ins.get(name="Pole 0").number == 2


def list_seat_faults(drive: Drive) -> list[str]:
    """Repeat the draws of a drive from its file, and return the differences."""
    return list_seating_mismatches(
        parse_drive_file(json.dumps(export_drive(load_drive_snapshot(drive))))
    )


@pytest.mark.parametrize("form", ["lot", "social", "standing", "progressive"])
def test_listed_players_keep_the_seats_they_chose(form: str) -> None:
    drive, user = create_open_check_in(form)
    names = [f"{evenings.SURNAMES[index]} {index}" for index in range(2, 9)]
    new = [drives.services.NewPlayer(name=name) for name in (*names, "Absent One")]
    drives.services.add_players(drive=drive, new_players=new, by=user)
    check_in_chairs(drive, list_all_chairs(1, 2, 3)[:-1])
    drive = start_drive_from_check_in(drive=drive, by=user)
    assert list_moved_names(drive) == set()
    assert find_first_seats(drive)["Absent One"] == Chair(3, 4)
    assert drive.players.get(name=names[3]).number == 4
    assert list_seat_faults(drive) == []
    drives.services.undo_last_act(drive=drive, by=user)
    drive = Drive.objects.select_related("evening").get(pk=drive.pk)
    assert (drive.at_round, drive.players.count()) == (0, len(new))
    assert list_moved_names(start_drive_from_check_in(drive=drive, by=user)) == set()


def test_draw_seats_listed_players_with_fixed_partners_or_tables() -> None:
    seats = []
    for chairs in (list_all_chairs(1, 2), list_all_chairs(2, 1)):
        drive, user = create_open_check_in("lot", secret=b"s" * 32)
        new = [
            drives.services.NewPlayer(name=f"{evenings.SURNAMES[index]} {index}")
            for index in range(4)
        ]
        drives.services.add_players(drive=drive, new_players=new, by=user)
        set_pair_kept_apart(drive=drive, player_number=1, other_player_number=2, by=user)
        check_in_chairs(drive, chairs)
        seats_by_name = find_first_seats(start_drive_from_check_in(drive=drive, by=user))
        seats.append([seats_by_name[player.name] for player in new[:2]])
    assert seats[0] == seats[1]


def test_player_listed_for_a_later_round_has_no_seat_in_round_one() -> None:
    drive, user = create_open_check_in("lot")
    name = f"{evenings.SURNAMES[0]} 0"
    drives.services.add_players(
        drive=drive, new_players=[drives.services.NewPlayer(name=name)], by=user
    )
    drive.players.update(from_round=2)  # as in an imported file
    check_in_chairs(drive, list_all_chairs(1, 2, 3)[:9])
    assert name not in find_first_seats(start_drive_from_check_in(drive=drive, by=user))


def test_draw_from_check_in_can_be_verified() -> None:
    drive, _user = create_open_check_in()
    check_in_chairs(drive, list_all_chairs(1, 2, 3))
    drive = start_drive_from_check_in(drive=drive, by=None)
    draw = drive.draws.get()
    assert draw.kind == "planned"
    assert draw.given


def test_too_few_people_do_not_start_a_drive() -> None:
    drive, _user = create_open_check_in()
    check_in_chairs(drive, list_all_chairs(1)[: MIN_PARTICIPANTS - 1])
    with pytest.raises(DriveActionNotAllowed, match="for a drive"):
        start_drive_from_check_in(drive=drive, by=None)
    assert drive.players.count() == 0


def test_repeated_start_is_idempotent_and_undone_once() -> None:
    drive, user = create_open_check_in()
    check_in_chairs(drive, list_all_chairs(1, 2))
    start_drive_from_check_in(drive=drive, by=user)
    acts = audit.list_acts(drive).count()
    repeated_drive = Drive.objects.get(pk=drive.pk)
    assert start_drive_from_check_in(drive=repeated_drive, by=user).players.count() == 8
    assert audit.list_acts(drive).count() == acts
    for _time in range(2):
        drives.services.undo_last_act(drive=repeated_drive, by=user)
        repeated_drive = Drive.objects.select_related("evening").get(pk=drive.pk)
        assert (repeated_drive.at_round, repeated_drive.players.count()) == (0, 0)
        assert repeated_drive.evening.check_in_state == "open"
        assert repeated_drive.evening.check_ins.count() == 8
        assert (
            list_moved_names(start_drive_from_check_in(drive=repeated_drive, by=user)) == set()
        )
        repeated_drive = Drive.objects.get(pk=drive.pk)


def test_undone_start_can_be_redone_from_the_history() -> None:
    drive, user = create_open_check_in()
    check_in_chairs(drive, list_all_chairs(1, 2))
    start_drive_from_check_in(drive=drive, by=user)
    undone_act = drives.services.undo_last_act(drive=drive, by=user)
    drives.services.undo_act(drive=drive, act=undone_act.undone_by, by=user)
    drive = Drive.objects.select_related("evening").get(pk=drive.pk)
    assert (drive.at_round, drive.evening.check_in_state) == (1, "started")
    assert list_moved_names(drive) == set()


def test_drive_does_not_start_while_check_in_is_open() -> None:
    drive, user = create_open_check_in()
    with pytest.raises(ActionUnavailable, match="Check-in is open"):
        drives.services.begin_next_round(drive=drive, shown_round_number=0, by=user)
    services.set_check_in_state(evening=drive.evening, state="", subject=drive, by=user)
    with pytest.raises(CheckInRefused, match="isn’t open"):
        start_drive_from_check_in(drive=drive, by=user)


@pytest.mark.parametrize("tables", [(1, 2), (1, 3), (2, 5)])
@pytest.mark.parametrize("indexes_without_chair", [(), (0,), (3,), (0, 8)])
@pytest.mark.parametrize("count", [8, 9, 10])
def test_start_page_names_those_who_move_and_sit_out(
    tables: tuple[int, int], indexes_without_chair: tuple[int, ...], count: int
) -> None:
    drive, _user = create_open_check_in("lot")
    chairs: list[tuple[int, int] | None] = [*list_all_chairs(*tables), (7, 1), (7, 2)][:count]
    for index in indexes_without_chair:
        if index < count:
            chairs[index] = None
    check_in_chairs(drive, chairs)
    start_context = DRIVE_CHECK_IN.build_start_context(
        CheckInAccess(None, drive.evening, drive)  # type: ignore[arg-type]  # without a request
    )
    seats_by_name = find_first_seats(start_drive_from_check_in(drive=drive, by=None))
    chair_by_name = {row.name: row.chair for row in drive.evening.check_ins.all()}
    moved_names = {
        name
        for name, seat in seats_by_name.items()
        if seat and chair_by_name[name] and seat != chair_by_name[name]
    }
    assert {name for name, _place in start_context["moves"]} == moved_names
    resting_names = {name for name, seat in seats_by_name.items() if seat is None}
    assert set(start_context["resting"]) <= resting_names
    unknown_names = {name for name, chair in chair_by_name.items() if chair is None}
    assert resting_names - set(start_context["resting"]) <= unknown_names
