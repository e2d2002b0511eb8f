"""One fetch from the club's server brings all changes of the bookings."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import product
from random import Random
from uuid import UUID

import pytest
from django.utils import timezone

from clubs.evenings import services
from clubs.evenings.services import NewPerson
from clubs.evenings.services.booking_import import (
    BookingImportResult,
    RemoteBooking,
    import_bookings,
)
from clubs.models import Fixture, Player
from tests import evenings

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
NAMES = ("Ann A", "Bob B", "Cat C")
BOOKED_AT = datetime(2026, 3, 1, tzinfo=UTC)
BookingArrangement = tuple[str, ...]
"""The booking of each of the three on the server; "" means none."""
ARRANGEMENTS: list[BookingArrangement] = list(product(("", "1", "2", "3"), repeat=3))
SAMPLED_TRANSITIONS = Random(7).sample(list(product(ARRANGEMENTS, ARRANGEMENTS)), 30)


@pytest.fixture
def fixture() -> Fixture:
    club, user = evenings.create_club_with_director()
    for name in NAMES:
        Player.objects.create(club=club, name=name)
    fixture_date = timezone.localdate() + timedelta(days=7)
    values = {
        "date": fixture_date,
        "start": None,
        "place": "",
        "title": "Tuesday",
        "books": True,
    }
    return services.create_fixture(club=club, values_by_field=values, by=user)


def import_arrangement(
    fixture: Fixture, arrangement: BookingArrangement
) -> BookingImportResult:
    remote_bookings = [
        RemoteBooking(
            uid=str(UUID(int=int(uid))),
            made_at=BOOKED_AT,
            people=tuple(
                NewPerson(player=fixture.club.players.get(name=name))
                for name, booking_uid in zip(NAMES, arrangement, strict=True)
                if booking_uid == uid
            ),
            has_place=True,
        )
        for uid in sorted(set(arrangement) - {""})
    ]
    return import_bookings(fixture=fixture, remote_bookings=remote_bookings, by=None)


def read_arrangement(fixture: Fixture) -> BookingArrangement:
    booking_uids_by_name = {
        booked_person.full_name: str(booked_person.booking.uid.int)
        for booked_person in fixture.booked.select_related("booking", "player")
    }
    return tuple(booking_uids_by_name.get(name, "") for name in NAMES)


@pytest.mark.parametrize(("arrangement_before", "arrangement_after"), SAMPLED_TRANSITIONS)
def test_one_fetch_imports_all_bookings_of_the_server(
    fixture: Fixture,
    arrangement_before: BookingArrangement,
    arrangement_after: BookingArrangement,
) -> None:
    import_arrangement(fixture, arrangement_before)
    assert read_arrangement(fixture) == arrangement_before
    assert import_arrangement(fixture, arrangement_after).skipped_names == []
    assert read_arrangement(fixture) == arrangement_after
    assert fixture.bookings.count() == len(set(arrangement_after) - {""})
    repeated_result = import_arrangement(fixture, arrangement_after)
    assert (
        repeated_result.new_count,
        repeated_result.changed_count,
        repeated_result.cancelled_booking_count,
        repeated_result.skipped_names,
    ) == (0, 0, 0, [])


@pytest.mark.parametrize(("before", "after"), SAMPLED_TRANSITIONS[:15])
def test_fetch_keeps_local_bookings_and_reports_skipped_ones(
    fixture: Fixture, before: BookingArrangement, after: BookingArrangement
) -> None:
    import_arrangement(fixture, before)
    for name in NAMES[:1]:
        if not fixture.booked.filter(player__name=name).exists():
            people = [NewPerson(player=fixture.club.players.get(name=name))]
            services.create_booking(fixture=fixture, people=people, is_director=True, by=None)
    local_booking_pks = [booking.pk for booking in fixture.bookings.filter(is_fetched=False)]
    arranged = import_arrangement(fixture, after)
    full_name_counts = Counter(
        item.full_name for item in fixture.booked.select_related("player")
    )
    assert set(full_name_counts.values()) <= {1}
    assert all(row.people.exists() for row in fixture.bookings.all())
    assert [
        booking.pk for booking in fixture.bookings.filter(is_fetched=False)
    ] == local_booking_pks
    names = {name for name, uid in zip(NAMES, after, strict=True) if uid}
    skipped_names_text = ", ".join(arranged.skipped_names)
    assert all(name in full_name_counts or name in skipped_names_text for name in names)
    rows = read_arrangement(fixture)
    repeated_arranged = import_arrangement(fixture, after)
    assert (
        repeated_arranged.new_count,
        repeated_arranged.changed_count,
        repeated_arranged.cancelled_booking_count,
    ) == (0, 0, 0)
    assert (read_arrangement(fixture), repeated_arranged.skipped_names) == (
        rows,
        arranged.skipped_names,
    )
