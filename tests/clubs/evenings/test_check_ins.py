"""People check in at the tables, and every act can be undone from the history."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

import drives.services
from clubs import audit
from clubs.activities.services import undo_newest_act
from clubs.errors import AlreadyCheckedIn, CheckInRefused
from clubs.evenings import services
from clubs.evenings.check_in_names import identify_person, list_suggested_players
from clubs.evenings.first_seats import Chair
from clubs.evenings.services import NewCheckIn
from clubs.models import Act, CheckIn, Evening, Player
from drives.models import Drive
from drives.services.undo import get_inverses
from server.models import User
from tests import evenings
from tests.copies import build_once

pytestmark = pytest.mark.django_db


@build_once
def create_open_check_in() -> tuple[Drive, User]:
    """Create a drive with open check-in at three tables, and players of all kinds."""
    club, user = evenings.create_club_with_director()
    for name, shown in (
        ("Ann Alder", "name"),
        ("Anna Birch", "name"),
        ("Bob Brown", "nobody"),
        ("Bo Annis", "initials"),
        ("Zoë O'Farrell-Smith", "name"),
    ):
        Player.objects.create(club=club, name=name, shown=shown)
    drive = drives.services.create_drive(
        club=club, name="D", date=date(2026, 3, 10), form="social", players=[],
        rounds=2,
        is_started=False, by=user,
    )  # fmt: skip
    services.open_check_in(evening=drive.evening, table_count=3, subject=drive, by=user)
    return drive, user


@pytest.fixture
def drive() -> Drive:
    return create_open_check_in()[0]


def check_in_at(
    drive: Drive, name: str, table: int = 0, seat: int = 0, **options: Any
) -> CheckIn:
    chair = Chair(table, seat) if table else None
    [row] = services.check_in_people(
        evening=drive.evening, people=[NewCheckIn(name=name, chair=chair)], subject=drive,
        by=None, **options,
    )  # fmt: skip
    return row


def list_chairs_by_name(drive: Drive) -> dict[str, Chair | None]:
    return {row.name: row.chair for row in drive.evening.check_ins.all()}


def count_acts(drive: Drive) -> int:
    return audit.list_acts(drive).count()


def undo_last_act(drive: Drive) -> Act:
    return undo_newest_act(activity=drive, inverses_by_name=get_inverses(), by=None)


def test_two_phones_at_one_table_fill_different_chairs(drive: Drive) -> None:
    check_in_at(drive, "Ann Alder", 1, 1)
    check_in_at(drive, "Carl Cole", 1, 3)
    assert list_chairs_by_name(drive) == {"Ann Alder": Chair(1, 1), "Carl Cole": Chair(1, 3)}


def test_second_phone_does_not_take_an_occupied_chair(drive: Drive) -> None:
    check_in_at(drive, "Ann Alder", 1, 1)
    with pytest.raises(CheckInRefused, match="Ann Alder has just taken this seat"):
        check_in_at(drive, "Carl Cole", 1, 1)
    assert list_chairs_by_name(drive) == {"Ann Alder": Chair(1, 1)}


def test_repeated_check_in_is_idempotent(drive: Drive) -> None:
    act_count_before = count_acts(drive)
    assert check_in_at(drive, "Ann Alder", 1, 1).pk == check_in_at(drive, "ann  alder", 1, 1).pk
    assert count_acts(drive) == act_count_before + 1


def test_person_at_another_table_is_moved_only_after_a_confirmation(drive: Drive) -> None:
    row = check_in_at(drive, "Ann Alder", 1, 1)
    with pytest.raises(AlreadyCheckedIn):
        check_in_at(drive, "Ann Alder", 2, 4)
    assert check_in_at(drive, "Ann Alder", 2, 4, can_move=True).pk == row.pk
    assert list_chairs_by_name(drive) == {"Ann Alder": Chair(2, 4)}


def test_person_changes_chairs_at_the_same_table_without_a_confirmation(drive: Drive) -> None:
    check_in_at(drive, "Ann Alder", 1, 1)
    check_in_at(drive, "Ann Alder", 1, 2)
    assert list_chairs_by_name(drive) == {"Ann Alder": Chair(1, 2)}


def test_name_typed_by_two_guests_is_one_person(drive: Drive) -> None:
    check_in_at(drive, "Dora Dale", 1, 1)
    with pytest.raises(AlreadyCheckedIn):
        check_in_at(drive, "dora dale", 2, 1)
    check_in_at(drive, "Dora Dale jun.", 2, 1)
    assert len(list_chairs_by_name(drive)) == 2


def test_two_names_from_one_phone_are_both_seated_or_neither(drive: Drive) -> None:
    couple = [
        NewCheckIn(name="Ann Alder", chair=Chair(1, 1)),
        NewCheckIn(name="Carl Cole", chair=Chair(1, 3)),
    ]
    seat = {"evening": drive.evening, "subject": drive, "by": None}
    check_in_at(drive, "Dora Dale", 1, 3)
    with pytest.raises(CheckInRefused, match="Dora Dale"):
        services.check_in_people(people=couple, **seat)
    assert len(list_chairs_by_name(drive)) == 1
    undo_last_act(drive)
    services.check_in_people(people=couple, **seat)
    assert len(list_chairs_by_name(drive)) == 2
    undo_last_act(drive)
    assert list_chairs_by_name(drive) == {}


def test_person_cannot_be_their_own_partner(drive: Drive) -> None:
    new_check_ins = [NewCheckIn(name="Ann Alder", chair=Chair(1, seat)) for seat in (1, 3)]
    with pytest.raises(CheckInRefused, match="same"):
        services.check_in_people(
            evening=drive.evening, people=new_check_ins, subject=drive, by=None
        )


def test_person_without_a_chair_sits_down_without_a_confirmation(drive: Drive) -> None:
    check_in_at(drive, "Ann Alder")
    assert list_chairs_by_name(drive) == {"Ann Alder": None}
    check_in_at(drive, "Ann Alder", 3, 3)
    check_in_at(drive, "Ann Alder")
    assert list_chairs_by_name(drive) == {"Ann Alder": Chair(3, 3)}


@pytest.mark.parametrize(
    ("typed_value", "error_text"),
    [
        ("", "first name"),
        ("?", "first name"),
        ("A", "first name"),
        ("Ann Alder & Bob Brown", "one name in each box"),
        ("A" * 81, "80"),
        ("Ann\x07 Alder", "first name"),
    ],
)
def test_unusable_name_is_refused(drive: Drive, typed_value: str, error_text: str) -> None:
    with pytest.raises(CheckInRefused, match=error_text):
        check_in_at(drive, typed_value, 1, 1)
    assert list_chairs_by_name(drive) == {}


@pytest.mark.parametrize("chair", [(501, 1), (1, 5), (1, 0)])
def test_check_in_at_a_nonexistent_chair_is_rejected(
    drive: Drive, chair: tuple[int, int]
) -> None:
    with pytest.raises(CheckInRefused, match="table and a seat"):
        check_in_at(drive, "Ann Alder", *chair)


def test_typed_name_is_the_club_player_with_exactly_this_name(drive: Drive) -> None:
    assert check_in_at(drive, "BOB BROWN", 1, 1).player == Player.objects.get(name="Bob Brown")
    assert check_in_at(drive, "Birch, Anna", 1, 2).player == Player.objects.get(
        name="Anna Birch"
    )
    assert check_in_at(drive, "Bob Browne", 1, 3).player is None
    assert list(list_chairs_by_name(drive)) == ["BOB BROWN", "Anna Birch", "Bob Browne"]


def test_hidden_name_looks_like_a_guest(drive: Drive) -> None:
    assert identify_person(drive.club, "bob brown")[0] == "bob brown"
    assert identify_person(drive.club, "bob braun")[0] == "bob braun"


@pytest.mark.parametrize(
    ("typed_value", "expected_names"),
    [
        ("an", []),
        ("ann", ["Ann Alder", "Anna Birch"]),
        ("ALD", ["Ann Alder"]),
        ("ann bir", ["Anna Birch"]),
        ("bob", []),
        ("bo annis", []),
        ("zoe", ["Zoë O'Farrell-Smith"]),
        ("smith zo", ["Zoë O'Farrell-Smith"]),
        ("lder", []),
        ("%%%", []),
    ],
)
def test_three_letters_offer_the_names_that_may_be_shown(
    drive: Drive, typed_value: str, expected_names: list[str]
) -> None:
    assert [
        offered_player.name
        for offered_player in list_suggested_players(drive.club, typed_value)
    ] == expected_names


def test_club_that_shows_no_names_offers_none(drive: Drive) -> None:
    Player.objects.update(shown=Player.Shown.NO_NAME)
    assert list_suggested_players(drive.club, "ann") == []
    assert check_in_at(drive, "Ann Alder", 1, 1).player is not None


def test_erased_person_is_neither_offered_nor_found(drive: Drive) -> None:
    Player.objects.filter(name="Ann Alder").update(forgotten_on=date(2026, 1, 1))
    assert [
        offered_player.name for offered_player in list_suggested_players(drive.club, "ann")
    ] == ["Anna Birch"]
    assert check_in_at(drive, "Ann Alder", 1, 1).player is None


def test_pairs_of_one_table_can_move_to_different_tables(drive: Drive) -> None:
    for seat, name in enumerate(("Al Ash", "Bea Box", "Cy Cot", "Di Dew"), start=1):
        check_in_at(drive, name, 1, seat)
    for seat, name in ((1, "Bea Box"), (3, "Di Dew")):
        check_in_at(drive, name, 2, seat, can_move=True)
    assert list_chairs_by_name(drive) == {
        "Al Ash": Chair(1, 1),
        "Cy Cot": Chair(1, 3),
        "Bea Box": Chair(2, 1),
        "Di Dew": Chair(2, 3),
    }


def test_pair_that_leaves_is_removed_and_an_undo_seats_it_again(drive: Drive) -> None:
    rows = [check_in_at(drive, "Al Ash", 1, 1), check_in_at(drive, "Bea Box", 1, 3)]
    keys = [row.pk for row in rows]
    for _time in range(2):
        services.check_out_people(
            evening=drive.evening, check_in_pks=keys, subject=drive, by=None
        )
    assert list_chairs_by_name(drive) == {}
    undo_last_act(drive)
    assert list_chairs_by_name(drive) == {"Al Ash": Chair(1, 1), "Bea Box": Chair(1, 3)}


def test_people_exchange_chairs_and_a_double_click_does_not_exchange_twice(
    drive: Drive,
) -> None:
    ann, bea = check_in_at(drive, "Ann Alder", 1, 1), check_in_at(drive, "Bea Box", 2, 2)
    for _time in range(2):
        services.move_check_in(
            evening=drive.evening,
            check_in_pk=ann.pk,
            chair=Chair(2, 2),
            subject=drive,
            by=None,
        )
    assert list_chairs_by_name(drive) == {"Ann Alder": Chair(2, 2), "Bea Box": Chair(1, 1)}
    undo_last_act(drive)
    assert list_chairs_by_name(drive) == {"Ann Alder": Chair(1, 1), "Bea Box": Chair(2, 2)}
    services.move_check_in(
        evening=drive.evening, check_in_pk=bea.pk, chair=None, subject=drive, by=None
    )
    assert list_chairs_by_name(drive)["Bea Box"] is None


def seat_table(
    drive: Drive, people: dict[int, int | None], expected_pks_by_seat: dict[int, int | None]
) -> None:
    services.seat_people_at_table(
        evening=drive.evening,
        table_number=1,
        check_in_pks_by_seat=people,
        expected_pks_by_seat=expected_pks_by_seat,
        subject=drive,
        by=None,
    )


def test_organiser_assigns_each_seat_of_a_table(drive: Drive) -> None:
    ann, bea, cy = (
        check_in_at(drive, "Ann Alder", 1, 1),
        check_in_at(drive, "Bea Box", 2, 2),
        check_in_at(drive, "Cy Cot", 1, 2),
    )
    shown = {1: ann.pk, 2: cy.pk}
    seat_table(drive, {1: bea.pk, 2: cy.pk}, shown)
    assert list_chairs_by_name(drive) == {
        "Bea Box": Chair(1, 1), "Cy Cot": Chair(1, 2), "Ann Alder": Chair(2, 2)
    }  # fmt: skip
    with pytest.raises(CheckInRefused, match="has changed"):
        seat_table(drive, {}, shown)
    now = {1: bea.pk, 2: cy.pk}
    with pytest.raises(CheckInRefused, match="only once"):
        seat_table(drive, {1: bea.pk, 2: bea.pk}, now)
    seat_table(drive, {3: cy.pk}, now)
    assert list_chairs_by_name(drive) == {
        "Cy Cot": Chair(1, 3), "Ann Alder": Chair(2, 2), "Bea Box": None
    }  # fmt: skip


def test_two_spellings_of_one_person_are_merged_at_the_last_chair(drive: Drive) -> None:
    first_check_in, second_check_in = (
        check_in_at(drive, "Ann Alder", 1, 1),
        check_in_at(drive, "Ann Older", 2, 2),
    )
    services.merge_check_ins(
        evening=drive.evening,
        kept_check_in_pk=first_check_in.pk,
        removed_check_in_pk=second_check_in.pk,
        subject=drive,
        by=None,
    )
    assert list_chairs_by_name(drive) == {"Ann Alder": Chair(2, 2)}
    undo_last_act(drive)
    assert list_chairs_by_name(drive) == {"Ann Alder": Chair(1, 1), "Ann Older": Chair(2, 2)}


def test_corrected_name_becomes_the_club_player_unless_already_checked_in(
    drive: Drive,
) -> None:
    row = check_in_at(drive, "Ann Older", 1, 1)
    rename_arguments = {
        "evening": drive.evening,
        "check_in_pk": row.pk,
        "subject": drive,
        "by": None,
    }
    services.rename_check_in(name="Ann Alder", **rename_arguments)
    row.refresh_from_db()
    assert row.player is not None
    check_in_at(drive, "Anna Birch", 1, 2)
    with pytest.raises(CheckInRefused, match="Merge"):
        services.rename_check_in(name="Anna Birch", **rename_arguments)


ACTS: dict[str, Callable[[Drive, CheckIn], object]] = {
    "sit": lambda drive, _row: check_in_at(drive, "Cy Cot", 2, 1),
    "sit twice": lambda drive, row: check_in_at(drive, row.name, 1, 1),
    "leave": lambda drive, row: services.check_out_people(
        evening=drive.evening, check_in_pks=[row.pk], subject=drive, by=None
    ),
    "move": lambda drive, row: services.move_check_in(
        evening=drive.evening, check_in_pk=row.pk, chair=Chair(3, 3), subject=drive, by=None
    ),
    "table": lambda drive, row: services.seat_people_at_table(
        evening=drive.evening,
        table_number=2,
        check_in_pks_by_seat={1: row.pk},
        expected_pks_by_seat={},
        subject=drive,
        by=None,
    ),
    "rename": lambda drive, row: services.rename_check_in(
        evening=drive.evening, check_in_pk=row.pk, name="Bo", subject=drive, by=None
    ),
    "merge": lambda drive, row: services.merge_check_ins(
        evening=drive.evening,
        kept_check_in_pk=row.pk,
        removed_check_in_pk=row.pk + 1,
        subject=drive,
        by=None,
    ),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize(("state", "text"), [("started", "has started"), ("", "isn’t open")])
def test_nothing_changes_before_the_opening_and_after_the_start(
    drive: Drive, act: str, state: str, text: str
) -> None:
    row = check_in_at(drive, "Al Ash", 1, 1)
    check_in_at(drive, "Al Asch", 1, 2)
    chairs_by_name_before, acts = list_chairs_by_name(drive), count_acts(drive)
    Evening.objects.filter(pk=drive.evening_id).update(check_in_state=state)
    with pytest.raises(CheckInRefused, match=text):
        ACTS[act](drive, row)
    assert (list_chairs_by_name(drive), count_acts(drive)) == (chairs_by_name_before, acts)


@pytest.mark.parametrize("act", [act for act in ACTS if act != "sit twice"])
def test_every_act_is_undone_from_the_history(drive: Drive, act: str) -> None:
    row = check_in_at(drive, "Al Ash", 1, 1)
    check_in_at(drive, "Al Asch", 1, 2)
    chairs_by_name_before, acts = list_chairs_by_name(drive), count_acts(drive)
    ACTS[act](drive, row)
    assert count_acts(drive) == acts + 1
    assert list_chairs_by_name(drive) != chairs_by_name_before
    undo_last_act(drive)
    assert list_chairs_by_name(drive) == chairs_by_name_before


def test_undo_does_not_seat_two_people_on_one_chair(drive: Drive) -> None:
    row = check_in_at(drive, "Al Ash", 1, 1)
    services.check_out_people(
        evening=drive.evening, check_in_pks=[row.pk], subject=drive, by=None
    )
    check_in_at(drive, "Bea Box", 1, 1)
    services.move_check_in(
        evening=drive.evening,
        check_in_pk=drive.evening.check_ins.get().pk,
        chair=Chair(1, 1),
        subject=drive,
        by=None,
    )
    leave_act = audit.list_acts(drive).get(action="check_in.left")
    with pytest.raises(CheckInRefused, match="now in use"):
        services.restore_check_ins(
            evening=drive.evening, subject=drive, by=None,
            rows=leave_act.back["given"]["rows"], new=[],
        )  # fmt: skip


def test_check_in_is_reopened_with_more_tables_and_cancelled(drive: Drive) -> None:
    service_arguments = {"evening": drive.evening, "subject": drive, "by": None}
    services.open_check_in(table_count=5, **service_arguments)
    assert drive.evening.table_links.count() == 5
    services.set_check_in_state(state="", **service_arguments)
    drive.evening.refresh_from_db()
    assert drive.evening.check_in_state == ""
    undo_last_act(drive)
    drive.evening.refresh_from_db()
    assert drive.evening.check_in_state == "open"
    with pytest.raises(CheckInRefused, match="1–100"):
        services.open_check_in(table_count=0, **service_arguments)
    Evening.objects.filter(pk=drive.evening_id).update(check_in_state="started")
    with pytest.raises(CheckInRefused, match="has started"):
        services.open_check_in(table_count=5, **service_arguments)
