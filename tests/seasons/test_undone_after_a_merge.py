"""What was done to an evening goes back after a merge of names: nobody and nothing is lost."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs import audit
from clubs.evenings import services
from clubs.evenings.services import Who
from clubs.models import Attendance, Club, Fixture, Player
from seasons.bookingfile import bring_bookings
from tests import evenings
from tournaments.services import merge_players

pytestmark = pytest.mark.django_db
NAMES = ("Ann A", "Bob B", "Cat C")


@pytest.fixture
def desk(client: Client) -> Client:
    home, user = evenings.club()
    for name in NAMES:
        Player.objects.create(club=home, name=name)
    client.force_login(user)
    return client


def evening(**changes: Any) -> Fixture:
    values = {
        "date": timezone.localdate() + timedelta(days=7), "start": None, "place": "",
        "title": "Tuesday", "books": True, "places": None, "unit": "pairs", "fee_member": 300,
        "fee_visitor": 500, **changes,
    }  # fmt: skip
    return services.make_fixture(club=Club.objects.get(), values=values, by=None)


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def merge(name: str) -> None:
    """Make a name one with a name that is new to the club."""
    kept = Player.objects.create(club=Club.objects.get(), name=f"{name} again")
    merge_players(gone=player(name), kept=kept, by=None)


def undo(desk: Client, at: Fixture) -> str:
    act = audit.history(at)[0]
    address = reverse("fixture_act_undo", args=[at.uid, act.pk])
    answer = desk.post(address, follow=True)
    return " ".join(str(each) for each in answer.context["messages"])


def money(at: Fixture) -> list[tuple[str, str, str, int]]:
    rows = at.attendances.select_related("player")
    return [(row.player.name, row.kind, row.settled, row.fee) for row in rows]


def tap(act: str, row: Attendance) -> None:
    if act == "drop":
        services.drop_person(attendance=row, by=None)
    elif act in Attendance.Settled.values:
        services.settle(attendance=row, how=act, by=None)
    else:
        services.change_kind(attendance=row, kind=act, by=None)


@pytest.mark.wide
@pytest.mark.parametrize("merged", NAMES[:2])
@pytest.mark.parametrize("act", ["cash", "other", "free", "visitor", "drop"])
def test_a_tap_of_table_money_goes_back_after_a_merge_or_is_refused_with_nothing_lost(
    desk: Client, act: str, merged: str
) -> None:
    at = evening()
    [row, _other] = services.note_people(
        fixture=at, players=[player(each) for each in NAMES[:2]], by=None
    )
    before = money(at)
    tap(act, row)
    merge(merged)
    after = money(at)
    said = undo(desk, at)
    if act == "drop" and merged == NAMES[0]:
        assert "made one with another" in said
        assert money(at) == after
        return
    renamed = [
        (f"{merged} again" if each[0] == merged else each[0], *each[1:]) for each in before
    ]
    assert sorted(money(at)) == sorted(renamed)
    undo(desk, at)
    assert money(at) == after


def test_somebody_noted_again_is_not_put_back_a_second_time(desk: Client) -> None:
    at = evening()
    [row] = services.note_people(fixture=at, players=[player("Ann A")], by=None)
    services.drop_person(attendance=row, by=None)
    dropped = audit.history(at)[0]
    services.note_people(fixture=at, players=[player("Ann A")], by=None)
    address = reverse("fixture_act_undo", args=[at.uid, dropped.pk])
    assert "in the list already" in desk.post(address, follow=True).content.decode()
    assert [each[0] for each in money(at)] == ["Ann A"]


def booked(at: Fixture) -> list[list[str]]:
    rows = at.bookings.prefetch_related("people__player")
    return [[each.full_name for each in row.people.all()] for row in rows]


def book(at: Fixture, *names: str) -> None:
    people = [Who(player=player(name)) for name in names]
    services.book(fixture=at, people=people, by=None)


def _key(name: str) -> str:
    return f"p{player(name).pk}"


def _left(at: Fixture) -> None:
    services.leave_booking(fixture=at, person=_key("Ann A"), by=None)


def _left_both(at: Fixture) -> None:
    services.leave_booking(fixture=at, person=_key("Ann A"), both=True, by=None)


def _paired(at: Fixture) -> None:
    one, other = at.bookings.all()
    services.pair_singles(fixture=at, one=one.pk, other=other.pk, by=None)


def _sought(at: Fixture) -> None:
    services.seek_partner(fixture=at, person=_key("Ann A"), seeks=True, by=None)


SINGLE, TWO, PAIR = [("Ann A",)], [("Ann A",), ("Bob B",)], [("Ann A", "Bob B")]
CROSSING = [
    (what, act, merged)
    for what, act in (
        (SINGLE, _left), (SINGLE, _sought), (TWO, _left), (TWO, _paired), (TWO, _sought),
        (PAIR, _left), (PAIR, _left_both),
    )
    for merged in NAMES
]  # fmt: skip


@pytest.mark.wide
@pytest.mark.parametrize(("what", "act", "merged"), CROSSING)
def test_a_booking_goes_back_with_all_its_people_after_a_merge_or_not_at_all(
    desk: Client, what: Any, act: Any, merged: str
) -> None:
    at = evening(places=4)
    for names in what:
        book(at, *names)
    before = booked(at)
    act(at)
    is_gone = _is_in(merged, before) and not _is_in(merged, booked(at))
    merge(merged)
    after = booked(at)
    said = undo(desk, at)
    if is_gone:
        assert "made one with another" in said
        assert booked(at) == after
    else:
        names = {merged: f"{merged} again"}
        assert booked(at) == [[names.get(each, each) for each in row] for row in before]
        undo(desk, at)
        assert booked(at) == after
    content = desk.get(reverse("bookings_file")).content
    assert bring_bookings(document=content, club=at.club, by=None).skipped == []
    assert all(booked(at))


def _is_in(name: str, rows: list[list[str]]) -> bool:
    return any(name in row for row in rows)


def test_who_is_booked_under_another_name_is_not_put_back_a_second_time(desk: Client) -> None:
    at = evening()
    book(at, "Ann A")
    book(at, "Bob B")
    _left(at)
    merge_players(gone=player("Bob B"), kept=player("Ann A"), by=None)
    assert "in the list already" in undo(desk, at)
    assert booked(at) == [["Ann A"]]


def test_a_booking_of_nobody_stays_out_of_the_file(desk: Client) -> None:
    at = evening()
    book(at, "Ann A")
    book(at, "Bob B")
    at.bookings.all()[0].people.all().delete()  # as an earlier undo had left it
    content = desk.get(reverse("bookings_file")).content
    assert bring_bookings(document=content, club=at.club, by=None).gone == 0
    assert booked(at) == [[], ["Bob B"]]
