"""Days of no club's life are refused in words at every door, and break no calendar."""

import json
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.evenings import services
from clubs.models import Club, Evening, Fixture, Series
from seasons.bookingfile import bring_bookings
from seasons.groups import UnusableFile
from server.models import User
from tests import evenings
from tests.seasons.test_bookings_files import booking, document
from tests.seasons.test_calendar_pages import SERIES
from tournaments.models import Event

pytestmark = pytest.mark.django_db
FAR = ("0001-01-01", "1899-12-31", "2201-01-01", "9999-12-30", "9999-12-31")
NEAR = ("1900-01-01", "2200-12-31")
ONE = {"title": "Cup", "minutes": 180, "contest": "pairs", "unit": "pairs"}
ONE |= {"opens_days": 28, "closes_hours": 3}
WORDS = "Write a day of the years 1900 to 2200."


@pytest.fixture
def home() -> tuple[Club, User]:
    return evenings.club()


@pytest.fixture
def desk(client: Client, home: tuple[Club, User]) -> Client:
    client.force_login(home[1])
    return client


def calendar_is_there(club: Club) -> bool:
    names = ("calendar_ics", "calendar")
    return {Client().get(reverse(name, args=[club.slug])).status_code for name in names} == {
        200
    }


@pytest.mark.wide
@pytest.mark.parametrize("start", ["", "19:00"])
@pytest.mark.parametrize("day", [*FAR, *NEAR])
def test_one_evening_is_of_a_day_that_calendars_can_tell(
    desk: Client, home: tuple[Club, User], day: str, start: str
) -> None:
    answer = desk.post(reverse("fixture_new"), ONE | {"date": day, "start": start})
    if day in FAR:
        assert answer.context["form"].errors["date"] == [WORDS]
    assert Fixture.objects.exists() == (day in NEAR)
    assert calendar_is_there(home[0])


@pytest.mark.parametrize("day", FAR)
def test_an_evening_is_not_moved_to_a_far_day(
    desk: Client, home: tuple[Club, User], day: str
) -> None:
    soon = timezone.localdate() + timedelta(days=5)
    values = {"date": soon, "start": None, "place": "", "title": "Tuesday"}
    at = services.make_fixture(club=home[0], values=values, by=None)
    answer = desk.post(reverse("fixture_edit", args=[at.uid]), ONE | {"date": day})
    assert answer.context["form"].errors["date"] == [WORDS]
    assert Evening.objects.get().date == soon


OF_A_RULE = [
    (kind, field)
    for kind in ("weekly", "monthly", "month_day", "dates")
    for field in ("first", "last", "but", "dates")
    if kind == "dates" or field != "dates"  # elsewhere they are not kept
]


@pytest.mark.wide
@pytest.mark.parametrize(("kind", "field"), OF_A_RULE)
@pytest.mark.parametrize("day", FAR)
def test_a_series_is_of_days_that_calendars_can_tell(
    desk: Client, home: tuple[Club, User], day: str, field: str, kind: str
) -> None:
    today = timezone.localdate().isoformat()
    form = SERIES | {"kind": kind, "first": today, "dates": today, field: day}
    answer = desk.post(reverse("series_new"), form)
    assert answer.status_code == 400
    errors = answer.context["form"].errors
    assert errors.get(field) == [WORDS] or "last day is before" in str(errors)
    assert not Series.objects.exists()


@pytest.mark.parametrize("day", FAR)
def test_a_file_of_bookings_with_a_far_day_is_refused(
    home: tuple[Club, User], day: str
) -> None:
    wrong = document((1, day, [booking(7, "Ann A")]))
    with pytest.raises(UnusableFile, match=r"evenings\[0\]\.date: .* 1900 to 2200"):
        bring_bookings(document=as_sent(wrong), club=home[0], by=None)
    made = booking(7, "Ann A") | {"made": f"{day}T00:00:00+14:00"}
    wrong = document((1, "2026-12-01", [made]))
    with pytest.raises(UnusableFile, match=r"bookings\[0\]\.made: "):
        bring_bookings(document=as_sent(wrong), club=home[0], by=None)
    assert not Evening.objects.exists()


def as_sent(data: dict[str, Any]) -> bytes:
    return json.dumps(data).encode()


def test_a_far_evening_that_stands_already_breaks_no_calendar(
    desk: Client, home: tuple[Club, User]
) -> None:
    soon = timezone.localdate() + timedelta(days=5)
    values = {"date": soon, "start": None, "place": "", "title": "Tuesday"}
    services.make_fixture(club=home[0], values=values, by=None)
    Evening.objects.update(date=date(9999, 12, 31))  # as an older version took it
    event, _user = evenings.event(pairs=0, club=home[0], by=home[1], date=date(9999, 12, 31))
    assert Event.objects.get().pk == event.pk
    assert calendar_is_there(home[0])
    assert desk.get(reverse("own_calendar")).status_code == 200
