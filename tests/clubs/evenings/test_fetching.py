"""Bookings fetched from the club's server: one fetch brings all changes."""

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
def at() -> Fixture:
    home, user = evenings.club()
    for name in NAMES:
        Player.objects.create(club=home, name=name)
    soon = timezone.localdate() + timedelta(days=7)
    values = {"date": soon, "start": None, "place": "", "title": "Tuesday", "books": True}
    return services.create_fixture(club=home, values=values, by=user)


def fetch(at: Fixture, arranged: Arranged) -> BookingImportResult:
    found = [
        RemoteBooking(
            uid=str(UUID(int=int(uid))),
            made_at=AT,
            people=tuple(
                NewPerson(player=at.club.players.get(name=name))
                for name, where in zip(NAMES, arranged, strict=True)
                if where == uid
            ),
            has_place=True,
        )
        for uid in sorted(set(arranged) - {""})
    ]
    return import_bookings(fixture=at, remote_bookings=found, by=None)


def standing(at: Fixture) -> Arranged:
    where = {
        each.full_name: str(each.booking.uid.int)
        for each in at.booked.select_related("booking", "player")
    }
    return tuple(where.get(name, "") for name in NAMES)


@pytest.mark.parametrize(("before", "after"), CROSSING)
def test_one_fetch_has_the_bookings_as_the_server_has_them_whoever_changed_places(
    at: Fixture, before: Arranged, after: Arranged
) -> None:
    fetch(at, before)
    assert standing(at) == before
    assert fetch(at, after).skipped_names == []
    assert standing(at) == after
    assert at.bookings.count() == len(set(after) - {""})
    again = fetch(at, after)
    assert (
        again.new_count,
        again.changed_count,
        again.cancelled_count,
        again.skipped_names,
    ) == (0, 0, 0, [])


@pytest.mark.parametrize(("before", "after"), CROSSING[:15])
def test_who_is_booked_here_stays_so_and_nobody_is_lost_by_a_booking_that_cannot_come(
    at: Fixture, before: Arranged, after: Arranged
) -> None:
    fetch(at, before)
    for name in NAMES[:1]:
        if not at.booked.filter(player__name=name).exists():
            people = [NewPerson(player=at.club.players.get(name=name))]
            services.create_booking(fixture=at, people=people, is_director=True, by=None)
    here = [each.pk for each in at.bookings.filter(is_fetched=False)]
    told = fetch(at, after)
    named = Counter(each.full_name for each in at.booked.select_related("player"))
    assert set(named.values()) <= {1}
    assert all(row.people.exists() for row in at.bookings.all())
    assert [each.pk for each in at.bookings.filter(is_fetched=False)] == here
    wanted = {name for name, uid in zip(NAMES, after, strict=True) if uid}
    said = ", ".join(told.skipped_names)
    assert all(name in named or name in said for name in wanted)
    rows = standing(at)
    again = fetch(at, after)
    assert (again.new_count, again.changed_count, again.cancelled_count) == (0, 0, 0)
    assert (standing(at), again.skipped_names) == (rows, told.skipped_names)
