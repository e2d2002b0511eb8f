"""The waiting list moves up until closing, however places become free.

After closing, only the director moves it up.
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
STILL_OPEN_HOURS, ALREADY_CLOSED_HOURS = 3, 720
"""Hours before the beginning at which booking closes; a month of evenings is closed so."""


def create_weekly_series(closes_hours: int = STILL_OPEN_HOURS, **changes: Any) -> Series:
    club, user = evenings.create_club_with_director()
    for name in ("Ann A", "Bob B", "Cat C", "Dan D"):
        Player.objects.create(club=club, name=name)
    day = timezone.localdate() + timedelta(days=3)
    rule = {"kind": "weekly", "first": day.isoformat(), "every": 1, "weekday": day.weekday()}
    values = {
        "title": "Weekly", "rule": rule, "holidays": {}, "start": None, "place": "Hall",
        "books": True, "places": 1, "unit": "players", "closes_hours": closes_hours, **changes,
    }  # fmt: skip
    return services.create_series(club=club, values_by_field=values, by=user)


def create_full_fixture(series: Series) -> Fixture:
    """Book three people for the next evening of a series, which has one place."""
    fixture = series.fixtures.order_by("series_day")[0]
    for name in ("Ann A", "Bob B", "Cat C"):
        new_person = NewPerson(player=Player.objects.get(name=name))
        services.create_booking(fixture=fixture, people=[new_person], is_director=True, by=None)
    if fixture.is_closed:
        services.promote_booking(
            fixture=fixture, booking_pk=fixture.bookings.all()[0].pk, by=None
        )
    assert list_place_flags(fixture) == [True, False, False]
    return fixture


def list_place_flags(fixture: Fixture) -> list[bool]:
    return [row.has_place for row in fixture.bookings.all()]


def undo_newest(club: Club, action: str) -> None:
    acts = audit.list_acts(club)
    undo_recorded_act(acts, acts.filter(action=action)[0], INVERSES, club=club, by=None)


SERIES_CHANGES = [
    ({"places": 3}, [True, True, True]),
    ({"places": 2}, [True, True, False]),
    ({"places": None}, [True, True, True]),
    ({"unit": "pairs"}, [True, True, False]),
    ({"unit": "tables"}, [True, True, True]),
    ({"place": "New hall"}, [True, False, False]),
]


@pytest.mark.parametrize("closes_hours", [STILL_OPEN_HOURS, ALREADY_CLOSED_HOURS])
@pytest.mark.parametrize(("values", "expected_place_flags"), SERIES_CHANGES)
def test_more_places_in_a_series_admit_the_waiting_list_until_closing(
    values: dict[str, Any], expected_place_flags: list[bool], closes_hours: int
) -> None:
    weekly_series = create_weekly_series(closes_hours)
    full_fixture = create_full_fixture(weekly_series)
    services.change_series(series=weekly_series, values=values, by=None)
    assert list_place_flags(full_fixture) == (
        [True, False, False] if closes_hours == ALREADY_CLOSED_HOURS else expected_place_flags
    )


def test_undoing_fewer_places_of_a_series_admits_the_waiting_list() -> None:
    weekly_series = create_weekly_series(places=3)
    services.change_series(series=weekly_series, values={"places": 1}, by=None)
    full_fixture = create_full_fixture(weekly_series)
    undo_newest(weekly_series.club, "series.changed")
    assert list_place_flags(full_fixture) == [True, True, True]


def test_resumed_series_with_more_places_admits_the_waiting_list() -> None:
    weekly_series = create_weekly_series()
    full_fixture = create_full_fixture(weekly_series)
    services.end_series(series=weekly_series, by=None)
    services.change_series(series=weekly_series, values={"places": 3}, by=None)
    assert list_place_flags(full_fixture) == [True, False, False]
    services.resume_series(series=weekly_series, by=None)
    assert list_place_flags(full_fixture) == [True, True, True]


def test_undoing_fewer_places_of_an_evening_admits_the_waiting_list() -> None:
    fixture = create_weekly_series(places=3).fixtures.order_by("series_day")[0]
    services.change_fixture(fixture=fixture, values={"places": 1}, by=None)
    fixture = create_full_fixture(fixture.series)
    undo_newest(fixture.club, "fixture.changed")
    assert list_place_flags(fixture) == [True, True, True]
