"""What was done to an evening goes back after names were made one: nobody and nothing is lost."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs import audit
from clubs.evenings import services
from clubs.models import Attendance, Club, Fixture, Player
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
