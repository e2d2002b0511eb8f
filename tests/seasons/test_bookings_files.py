"""Invalid booking files: each error is reported with its place, and nothing changes."""

import json
import sys
from datetime import date, time, timedelta
from itertools import count, islice
from types import FrameType
from typing import Any
from uuid import UUID

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.evenings.services import NewPerson, create_booking, create_fixture
from clubs.models import Booking, Club, Fixture, Player
from seasons.calendar.booking_file import import_booking_file
from tests import evenings

pytestmark = pytest.mark.django_db
NAMES = ("Ann A", "Bob B")


@pytest.fixture
def desk(client: Client) -> Client:
    club, user = evenings.create_club_with_director()
    for name in NAMES:
        Player.objects.create(club=club, name=name)
    client.force_login(user)
    return client


def create_evening(title: str, *, home: Club | None = None) -> Fixture:
    day = timezone.localdate() + timedelta(days=7)
    values = {"date": day, "start": None, "place": "", "title": title, "books": True}
    return create_fixture(club=home or Club.objects.get(), values_by_field=values, by=None)


def make_uid(number: int) -> str:
    return str(UUID(int=number))


def build_booking(number: int, name: str) -> dict[str, Any]:
    person = {"name": name, "number": "", "uid": "", "accepted": True}
    flags = dict.fromkeys(("host", "sits_north", "needs_host", "seeks"), False)
    booking_data = {"uid": make_uid(number), "made": "2026-03-10T19:00:00+00:00", "place": True}
    return {**booking_data, **flags, "team": "", "people": [person]}


def build_file(*found: tuple[int, str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return a file of evenings, each with its uid, its date and its bookings."""
    club = Club.objects.order_by("pk")[0]
    return {
        "format": "whist-bookings/1",
        "club": {"uid": str(club.uid), "name": club.name},
        "evenings": [
            {"uid": make_uid(number), "date": day, "title": f"Night {number}", "bookings": rows}
            for number, day, rows in found
        ],
    }


def post_file(desk: Client, data: dict[str, Any]) -> str:
    upload = SimpleUploadedFile("b.json", json.dumps(data).encode())
    response = desk.post(reverse("bookings_fetch"), {"file": upload}, follow=True)
    assert response.status_code == 200
    return " ".join(str(message) for message in response.context["messages"])


DAY = "2026-12-01"
DUPLICATE_UID_CASES = [
    (
        [(1, DAY, [build_booking(7, "Ann A"), build_booking(7, "Bob B")])],
        "evenings[0].bookings[1].uid",
    ),
    (
        [(1, DAY, [build_booking(7, "Ann A")]), (2, DAY, [build_booking(7, "Bob B")])],
        "evenings[1].bookings[0].uid",
    ),
    (
        [(1, DAY, [build_booking(7, "Ann A")]), (1, DAY, [build_booking(8, "Bob B")])],
        "evenings[1].uid",
    ),
]


@pytest.mark.parametrize(("evening_rows", "place"), DUPLICATE_UID_CASES)
def test_duplicate_uid_in_file_is_reported_with_position(
    desk: Client, evening_rows: Any, place: str
) -> None:
    file = post_file(desk, build_file(*evening_rows))
    assert f"{place}: " in file
    assert "appears twice" in file
    assert not Fixture.objects.exists()


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_booking_of_another_evening_is_reported_with_position_and_fix(
    desk: Client, is_elsewhere: bool
) -> None:
    home = (
        evenings.create_club_with_director("Lakeside", "another")[0] if is_elsewhere else None
    )
    other_evening = create_evening("Another", home=home)
    create_booking(
        fixture=other_evening,
        people=[NewPerson(name="Cy C")],
        is_director=True,
        uid=make_uid(7),
        by=None,
    )
    file = post_file(
        desk, build_file((1, DAY, [build_booking(8, "Ann A"), build_booking(7, "Bob B")]))
    )
    conflict_text = "This booking is already in another evening here, Another"
    if is_elsewhere:
        conflict_text = "Another club here has this booking"
    assert f"evenings[0].bookings[1].uid: {conflict_text}" in file
    assert ("Create the file again" if is_elsewhere else "Remove it there") in file
    assert Booking.objects.get().fixture == other_evening
    assert Fixture.objects.count() == 1


def test_reimported_existing_bookings_are_not_errors(desk: Client) -> None:
    data = build_file(
        (1, DAY, [build_booking(7, "Ann A")]), (2, DAY, [build_booking(8, "Ann A")])
    )
    assert "2 new" in post_file(desk, data)
    assert "Nothing new" in post_file(desk, data)


@pytest.mark.parametrize("local_evening_count", [0, 1, 2])
def test_two_evenings_with_same_day_and_name_keep_own_bookings(
    desk: Client, local_evening_count: int
) -> None:
    data = build_file(
        (1, DAY, [build_booking(7, "Ann A")]), (2, DAY, [build_booking(8, "Bob B")])
    )
    for evening in data["evenings"]:
        evening["title"] = "Twice a day"
    for hour in (14, 19)[:local_evening_count]:
        values = {"date": date.fromisoformat(DAY), "start": time(hour), "place": ""}
        values |= {"title": "Twice a day", "books": True}
        create_fixture(club=Club.objects.get(), values_by_field=values, by=None)
    assert "2 new" in post_file(desk, data)
    assert "Nothing new" in post_file(desk, data)
    people = [
        [item.full_name for item in fixture.booked.select_related("player")]
        for fixture in Fixture.objects.order_by("bookings__uid")
    ]
    assert people == [["Ann A"], ["Bob B"]]
    data["evenings"] = data["evenings"][1:]
    assert "Nothing new" in post_file(desk, data)


TOO_LONG_CASES = {
    "evenings": ([0] * 101, "evenings: The list is too long. Use at most 100."),
    "bookings of an evening": (
        [1, 501],
        "evenings[1].bookings: The list is too long. Use at most 500.",
    ),
    "bookings": ([500] * 6 + [1], "evenings: The file has more than 3,000 bookings."),
}


@pytest.mark.parametrize(
    ("booking_counts", "problem"), TOO_LONG_CASES.values(), ids=TOO_LONG_CASES
)
def test_file_with_too_many_items_is_refused(
    desk: Client, booking_counts: list[int], problem: str
) -> None:
    bookings = (build_booking(number, "Ann A") for number in count(1000))
    file = build_file(
        *(
            (number, DAY, list(islice(bookings, booking_count)))
            for number, booking_count in enumerate(booking_counts, start=1)
        )
    )
    assert post_file(desk, file).startswith(problem)
    assert not Fixture.objects.exists()


def count_import_queries(*booking_counts: int) -> int:
    """Import a file with guests, and return the number of queries."""
    bookings = (build_booking(number, f"Guest {number}") for number in count(1000))
    file = build_file(
        *(
            (number, DAY, list(islice(bookings, booking_count)))
            for number, booking_count in enumerate(booking_counts, start=1)
        )
    )
    with CaptureQueriesContext(connection) as queries:
        import_booking_file(
            document=json.dumps(file).encode(), club=Club.objects.get(), by=None
        )
    assert Booking.objects.count() == sum(booking_counts)
    Fixture.objects.all().delete()
    return len(queries)


@pytest.mark.usefixtures("desk")
def test_new_bookings_are_imported_with_a_constant_number_of_queries() -> None:
    assert count_import_queries(3) == count_import_queries(60)


def test_many_conflicting_bookings_are_skipped_in_one_pass(desk: Client) -> None:
    """The search for conflicts started again after each conflict."""
    bookings = [build_booking(number, "Ann A") for number in range(1000, 1500)]
    file = build_file((1, DAY, bookings))
    calls = 0

    def count_call(frame: FrameType, kind: str, _argument: object) -> None:
        nonlocal calls
        calls += frame.f_code.co_name == "key" and kind == "call"

    sys.setprofile(count_call)
    try:
        assert post_file(desk, file).startswith("1 new")
    finally:
        sys.setprofile(None)
    assert calls < 10_000
