"""No one is in an evening twice, however they were entered and however spelled."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.errors import BookingRefused
from clubs.evenings import services
from clubs.evenings.services import NewPerson
from clubs.models import Club, Fixture, Player
from clubs.name_folding import fold_name
from server.models import User
from tests import evenings

pytestmark = pytest.mark.django_db
ANN, EVE, OLD = "Ann Ångström", "Eve New", "Old Olly"


@pytest.fixture
def at() -> Fixture:
    home, user = evenings.create_club_with_director()
    Player.objects.create(club=home, name=ANN, number="7")
    Player.objects.create(club=home, name="Bob B", number="8")
    Player.objects.create(club=home, name=EVE, kind="visitor")
    Player.objects.create(club=home, name=OLD, number="9", kind="past")
    soon = timezone.localdate() + timedelta(days=5)
    values = {
        "date": soon, "start": None, "place": "", "title": "Tuesday", "books": True,
        "guests": True, "places": None, "unit": "pairs",
    }  # fmt: skip
    return services.create_fixture(club=home, values=values, by=user)


def post_booking(at: Fixture, name: str, number: str = "", partner: str = "") -> Any:
    form = {"name": name, "number": number, "partner": partner, "act": "book"}
    return Client().post(reverse("fixture", args=[at.club.slug, at.uid]), form)


def list_booked_names(at: Fixture) -> list[list[str]]:
    rows = at.bookings.prefetch_related("people__player")
    return [[each.full_name for each in row.people.all()] for row in rows]


@pytest.mark.parametrize("typed", [ANN, "ann angstrom", "  Ann   ÅNGSTRÖM "])
@pytest.mark.parametrize("partner", ["", "Cy C"])
def test_a_member_who_leaves_the_number_empty_is_asked_for_it(
    at: Fixture, typed: str, partner: str
) -> None:
    post_booking(at, ANN, "7", "Bob B")
    response = post_booking(at, typed, "", partner)
    assert response.status_code == 400
    assert "Enter the number too" in response.context["problem"]
    assert list_booked_names(at) == [[ANN, "Bob B"]]
    assert post_booking(at, typed, "7").status_code == 400  # with another partner already
    assert post_booking(at, typed, "7", "bob b").status_code == 302


def test_guests_book_by_name_those_who_have_been_here_before_too(at: Fixture) -> None:
    for name in ("Cy C", EVE, OLD):
        assert post_booking(at, name).status_code == 302
    assert list_booked_names(at) == [["Cy C"], [EVE], [OLD]]


SPELLINGS = {
    ANN: (ANN, "ann angstrom"),
    EVE: (EVE, "EVE  NEW"),
    "Cy C": ("Cy C", "cý c"),
}
DOORS = [
    ("name", "7"), ("name", ""), ("partner", ""), ("desk", ""), ("desk partner", ""),
]  # fmt: skip


def enter_person(desk: Client, at: Fixture, name: str, by: tuple[str, str], count: int) -> None:
    """Enter a person by one of the ways; an error is fine too."""
    door, number = by
    if door == "name":
        post_booking(at, name, number if fold_name(name) == fold_name(ANN) else "")
    elif door == "partner":
        post_booking(at, f"Guest {count}", "", name)
    else:
        names = (
            {"name": name} if door == "desk" else {"name": f"Other {count}", "partner": name}
        )
        desk.post(reverse("fixture_act", args=[at.uid]), {"act": "book", **names})


@pytest.mark.parametrize("who", SPELLINGS)
def test_nobody_is_booked_twice_by_two_doors_and_spellings(
    client: Client, at: Fixture, who: str
) -> None:
    client.force_login(User.objects.get())
    one, other = SPELLINGS[who]
    for first_door in DOORS:
        at.bookings.all().delete()
        enter_person(client, at, one, first_door, 0)
        for second_door in DOORS:
            with transaction.atomic():
                enter_person(client, at, other, second_door, 1)
                named = Counter(
                    fold_name(name) for row in list_booked_names(at) for name in row
                )
                assert set(named.values()) <= {1}, (first_door, second_door)
                assert fold_name(who) in named or who == ANN, (first_door, second_door)
                transaction.set_rollback(True)


def test_a_guest_of_the_name_of_a_guest_who_is_booked_is_no_second_one(at: Fixture) -> None:
    services.create_booking(fixture=at, people=[NewPerson(name="Zoë Q")], by=None)
    with pytest.raises(BookingRefused, match="already booked"):
        services.create_booking(
            fixture=at, people=[NewPerson(name="Cy C"), NewPerson(name="zoe q")], by=None
        )
    with pytest.raises(BookingRefused, match="Both names are the same"):
        services.create_booking(
            fixture=at, people=[NewPerson(name="Cy C"), NewPerson(name="CY C")], by=None
        )


def test_two_players_whose_names_differ_by_an_accent_are_two(at: Fixture) -> None:
    people = [Player.objects.create(club=at.club, name=each) for each in ("Zoe Q", "Zoë Q")]
    for person in people:
        services.create_booking(fixture=at, people=[NewPerson(player=person)], by=None)
    assert list_booked_names(at) == [["Zoe Q"], ["Zoë Q"]]
    assert Club.objects.count() == 1
