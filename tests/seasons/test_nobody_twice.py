"""No person is booked or entered twice for an evening, through any form or spelling."""

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
ANN, EVE, PAST_MEMBER = "Ann Ångström", "Eve New", "Old Olly"


@pytest.fixture
def fixture() -> Fixture:
    club, user = evenings.create_club_with_director()
    Player.objects.create(club=club, name=ANN, number="7")
    Player.objects.create(club=club, name="Bob B", number="8")
    Player.objects.create(club=club, name=EVE, kind="visitor")
    Player.objects.create(club=club, name=PAST_MEMBER, number="9", kind="past")
    upcoming_date = timezone.localdate() + timedelta(days=5)
    values = {
        "date": upcoming_date, "start": None, "place": "", "title": "Tuesday", "books": True,
        "guests": True, "places": None, "unit": "pairs",
    }  # fmt: skip
    return services.create_fixture(club=club, values_by_field=values, by=user)


def post_booking(fixture: Fixture, name: str, number: str = "", partner: str = "") -> Any:
    form = {"name": name, "number": number, "partner": partner, "act": "book"}
    return Client().post(reverse("fixture", args=[fixture.club.slug, fixture.uid]), form)


def list_booked_names(fixture: Fixture) -> list[list[str]]:
    rows = fixture.bookings.prefetch_related("people__player")
    return [[person.full_name for person in row.people.all()] for row in rows]


@pytest.mark.parametrize("typed_value", [ANN, "ann angstrom", "  Ann   ÅNGSTRÖM "])
@pytest.mark.parametrize("partner", ["", "Cy C"])
def test_member_without_number_is_asked_for_it(
    fixture: Fixture, typed_value: str, partner: str
) -> None:
    post_booking(fixture, ANN, "7", "Bob B")
    response = post_booking(fixture, typed_value, "", partner)
    assert response.status_code == 400
    assert "Enter the number too" in response.context["problem"]
    assert list_booked_names(fixture) == [[ANN, "Bob B"]]
    assert (
        post_booking(fixture, typed_value, "7").status_code == 400
    )  # with another partner already
    assert post_booking(fixture, typed_value, "7", "bob b").status_code == 302


def test_guests_book_by_name_including_returning_guests(fixture: Fixture) -> None:
    for name in ("Cy C", EVE, PAST_MEMBER):
        assert post_booking(fixture, name).status_code == 302
    assert list_booked_names(fixture) == [["Cy C"], [EVE], [PAST_MEMBER]]


SPELLINGS = {
    ANN: (ANN, "ann angstrom"),
    EVE: (EVE, "EVE  NEW"),
    "Cy C": ("Cy C", "cý c"),
}
BOOKING_METHODS = [
    ("name", "7"), ("name", ""), ("partner", ""), ("desk", ""), ("desk partner", ""),
]  # fmt: skip


def book_person(
    desk: Client, fixture: Fixture, name: str, by: tuple[str, str], guest_number: int
) -> None:
    """Enter a person by one of the ways; an error is fine too."""
    booking_method, number = by
    if booking_method == "name":
        post_booking(fixture, name, number if fold_name(name) == fold_name(ANN) else "")
    elif booking_method == "partner":
        post_booking(fixture, f"Guest {guest_number}", "", name)
    else:
        names = (
            {"name": name}
            if booking_method == "desk"
            else {"name": f"Other {guest_number}", "partner": name}
        )
        desk.post(reverse("fixture_act", args=[fixture.uid]), {"act": "book", **names})


@pytest.mark.parametrize("name", SPELLINGS)
def test_person_is_not_booked_twice_through_different_forms_or_spellings(
    client: Client, fixture: Fixture, name: str
) -> None:
    client.force_login(User.objects.get())
    first_spelling, second_spelling = SPELLINGS[name]
    for first_method in BOOKING_METHODS:
        fixture.bookings.all().delete()
        book_person(client, fixture, first_spelling, first_method, 0)
        for second_method in BOOKING_METHODS:
            with transaction.atomic():
                book_person(client, fixture, second_spelling, second_method, 1)
                bookings_by_name = Counter(
                    fold_name(name) for row in list_booked_names(fixture) for name in row
                )
                assert set(bookings_by_name.values()) <= {1}, (first_method, second_method)
                assert fold_name(name) in bookings_by_name or name == ANN, (
                    first_method,
                    second_method,
                )
                transaction.set_rollback(True)


def test_guest_with_name_of_booked_guest_is_the_same_guest(
    fixture: Fixture,
) -> None:
    services.create_booking(fixture=fixture, people=[NewPerson(name="Zoë Q")], by=None)
    with pytest.raises(BookingRefused, match="already booked"):
        services.create_booking(
            fixture=fixture, people=[NewPerson(name="Cy C"), NewPerson(name="zoe q")], by=None
        )
    with pytest.raises(BookingRefused, match="Both names are the same"):
        services.create_booking(
            fixture=fixture, people=[NewPerson(name="Cy C"), NewPerson(name="CY C")], by=None
        )


def test_players_with_names_differing_by_accent_are_distinct(fixture: Fixture) -> None:
    people = [
        Player.objects.create(club=fixture.club, name=text) for text in ("Zoe Q", "Zoë Q")
    ]
    for person in people:
        services.create_booking(fixture=fixture, people=[NewPerson(player=person)], by=None)
    assert list_booked_names(fixture) == [["Zoe Q"], ["Zoë Q"]]
    assert Club.objects.count() == 1
