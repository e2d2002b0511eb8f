"""The waiting list moves up until closing, however places become free.

After closing the director does it.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from clubs import audit
from clubs.evenings import services
from clubs.evenings.services import NewPerson
from clubs.inverses import INVERSES
from clubs.models import Club, Fixture, Player, Series
from clubs.undo import undo_recorded_act
from tests import evenings

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
OPEN, CLOSED = 3, 720
"""Hours before the beginning at which booking closes; a month of evenings is closed so."""


def series(closes_hours: int = OPEN, **changes: Any) -> Series:
    home, user = evenings.club()
    for name in ("Ann A", "Bob B", "Cat C", "Dan D"):
        Player.objects.create(club=home, name=name)
    day = timezone.localdate() + timedelta(days=3)
    rule = {"kind": "weekly", "first": day.isoformat(), "every": 1, "weekday": day.weekday()}
    values = {
        "title": "Weekly", "rule": rule, "holidays": {}, "start": None, "place": "Hall",
        "books": True, "places": 1, "unit": "players", "closes_hours": closes_hours, **changes,
    }  # fmt: skip
    return services.create_series(club=home, values=values, by=user)


def full(of: Series) -> Fixture:
    """Return the next evening of a series, with three people booked and one place."""
    at = of.fixtures.order_by("series_day")[0]
    for name in ("Ann A", "Bob B", "Cat C"):
        who = NewPerson(player=Player.objects.get(name=name))
        services.create_booking(fixture=at, people=[who], is_director=True, by=None)
    if at.is_closed:
        services.promote_booking(fixture=at, booking=at.bookings.all()[0].pk, by=None)
    assert inside(at) == [True, False, False]
    return at


def inside(at: Fixture) -> list[bool]:
    return [row.has_place for row in at.bookings.all()]


def undo_newest(home: Club, action: str) -> None:
    acts = audit.list_acts(home)
    undo_recorded_act(acts, acts.filter(action=action)[0], INVERSES, club=home, by=None)


CHANGES = [
    ({"places": 3}, [True, True, True]),
    ({"places": 2}, [True, True, False]),
    ({"places": None}, [True, True, True]),
    ({"unit": "pairs"}, [True, True, False]),
    ({"unit": "tables"}, [True, True, True]),
    ({"place": "New hall"}, [True, False, False]),
]


@pytest.mark.parametrize("closes", [OPEN, CLOSED])
@pytest.mark.parametrize(("values", "then"), CHANGES)
def test_more_places_in_a_series_let_in_who_waits_until_closing(
    values: dict[str, Any], then: list[bool], closes: int
) -> None:
    of = series(closes)
    at = full(of)
    services.change_series(series=of, values=values, by=None)
    assert inside(at) == ([True, False, False] if closes == CLOSED else then)


def test_fewer_places_taken_back_let_in_who_has_come_meanwhile() -> None:
    of = series(places=3)
    services.change_series(series=of, values={"places": 1}, by=None)
    at = full(of)
    undo_newest(of.club, "series.changed")
    assert inside(at) == [True, True, True]


def test_a_series_that_goes_on_with_more_places_lets_in_who_waits() -> None:
    of = series()
    at = full(of)
    services.end_series(series=of, by=None)
    services.change_series(series=of, values={"places": 3}, by=None)
    assert inside(at) == [True, False, False]
    services.resume_series(series=of, by=None)
    assert inside(at) == [True, True, True]


def test_fewer_places_of_one_evening_taken_back_let_in_who_has_come_meanwhile() -> None:
    at = series(places=3).fixtures.order_by("series_day")[0]
    services.change_fixture(fixture=at, values={"places": 1}, by=None)
    at = full(at.series)
    undo_newest(at.club, "fixture.changed")
    assert inside(at) == [True, True, True]
