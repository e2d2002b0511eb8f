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
AT = datetime(2026, 3, 1, tzinfo=UTC)
Arranged = tuple[str, ...]
"""The booking of each of the three on the server; "" means none."""
ARRANGED: list[Arranged] = list(product(("", "1", "2", "3"), repeat=3))
CROSSING = Random(7).sample(list(product(ARRANGED, ARRANGED)), 30)


@pytest.fixture
def fixture() -> Fixture:
    club, user = evenings.create_club_with_director()
    for name in NAMES:
        Player.objects.create(club=club, name=name)
    soon = timezone.localdate() + timedelta(days=7)
    values = {"date": soon, "start": None, "place": "", "title": "Tuesday", "books": True}
    return services.create_fixture(club=club, values_by_field=values, by=user)


def import_arranged(fixture: Fixture, arranged: Arranged) -> BookingImportResult:
    remote_bookings = [
        RemoteBooking(
            uid=str(UUID(int=int(uid))),
            made_at=AT,
            people=tuple(
                NewPerson(player=fixture.club.players.get(name=name))
                for name, where in zip(NAMES, arranged, strict=True)
                if where == uid
            ),
            has_place=True,
        )
        for uid in sorted(set(arranged) - {""})
    ]
    return import_bookings(fixture=fixture, remote_bookings=remote_bookings, by=None)


def read_arranged(fixture: Fixture) -> Arranged:
    texts_by_full_name = {
        item.full_name: str(item.booking.uid.int)
        for item in fixture.booked.select_related("booking", "player")
    }
    return tuple(texts_by_full_name.get(name, "") for name in NAMES)


@pytest.mark.parametrize(("before", "after"), CROSSING)
def test_one_fetch_imports_all_bookings_of_the_server(
    fixture: Fixture, before: Arranged, after: Arranged
) -> None:
    import_arranged(fixture, before)
    assert read_arranged(fixture) == before
    assert import_arranged(fixture, after).skipped_names == []
    assert read_arranged(fixture) == after
    assert fixture.bookings.count() == len(set(after) - {""})
    repeated_arranged = import_arranged(fixture, after)
    assert (
        repeated_arranged.new_count,
        repeated_arranged.changed_count,
        repeated_arranged.cancelled_count,
        repeated_arranged.skipped_names,
    ) == (0, 0, 0, [])


@pytest.mark.parametrize(("before", "after"), CROSSING[:15])
def test_fetch_keeps_local_bookings_and_reports_skipped_ones(
    fixture: Fixture, before: Arranged, after: Arranged
) -> None:
    import_arranged(fixture, before)
    for name in NAMES[:1]:
        if not fixture.booked.filter(player__name=name).exists():
            people = [NewPerson(player=fixture.club.players.get(name=name))]
            services.create_booking(fixture=fixture, people=people, is_director=True, by=None)
    here = [booking.pk for booking in fixture.bookings.filter(is_fetched=False)]
    arranged = import_arranged(fixture, after)
    full_name_counts = Counter(
        item.full_name for item in fixture.booked.select_related("player")
    )
    assert set(full_name_counts.values()) <= {1}
    assert all(row.people.exists() for row in fixture.bookings.all())
    assert [booking.pk for booking in fixture.bookings.filter(is_fetched=False)] == here
    names = {name for name, uid in zip(NAMES, after, strict=True) if uid}
    text = ", ".join(arranged.skipped_names)
    assert all(name in full_name_counts or name in text for name in names)
    rows = read_arranged(fixture)
    repeated_arranged = import_arranged(fixture, after)
    assert (
        repeated_arranged.new_count,
        repeated_arranged.changed_count,
        repeated_arranged.cancelled_count,
    ) == (0, 0, 0)
    assert (read_arranged(fixture), repeated_arranged.skipped_names) == (
        rows,
        arranged.skipped_names,
    )
