"""Dates far in the past or future are refused with a message, and break no calendar."""

import json
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import scoring.services
import tournaments.services
from clubs.evenings import services
from clubs.file_fields import UnusableFile
from clubs.models import Club, Evening, Fixture, Series
from drives.errors import UnreadableDrive
from drives.files.export import export_drive
from drives.models import Drive
from drives.services import NewPlayer, create_drive, import_drive
from drives.snapshot import load_drive
from rubbers.files.export import export_night
from rubbers.rubber.errors import UnreadableRubber
from rubbers.services import NewRubberPlayer, create_rubber_night, import_rubbers
from rubbers.snapshot import load_night
from scoring.services.events import build_edit_arguments
from seasons.calendar.booking_file import import_booking_file
from server.models import User
from tests import evenings
from tests.seasons.test_bookings_files import build_booking, build_file
from tests.seasons.test_calendar_pages import SERIES
from tournaments.errors import InvalidDay
from tournaments.models import Event

pytestmark = pytest.mark.django_db
FAR = ("0001-01-01", "1899-12-31", "2201-01-01", "9999-12-31")
NEAR = ("1900-01-01", "2200-12-31")
ONE = {"title": "Cup", "minutes": 180, "contest": "pairs", "unit": "pairs"}
ONE |= {"opens_days": 28, "closes_hours": 3}
WORDS = "Enter a date from 1900 to 2200."
EVENT_FAR = ("0001-01-01", "1799-12-31", "2201-01-01", "9999-12-31")
EVENT_NEAR = ("1800-01-01", "1897-03-12", "2200-12-31")
EVENT_WORDS = "Enter a date from 1800 to 2200."


@pytest.fixture
def home() -> tuple[Club, User]:
    return evenings.create_club_with_director()


@pytest.fixture
def desk(client: Client, home: tuple[Club, User]) -> Client:
    client.force_login(home[1])
    return client


def is_calendar_readable(club: Club) -> bool:
    names = ("calendar_ics", "calendar")
    return {Client().get(reverse(name, args=[club.slug])).status_code for name in names} == {
        200
    }


@pytest.mark.parametrize("day", [*FAR, *NEAR])
def test_single_evening_date_must_fit_calendar_format(
    desk: Client, home: tuple[Club, User], day: str
) -> None:
    response = desk.post(reverse("fixture_new"), ONE | {"date": day, "start": "19:00"})
    if day in FAR:
        assert response.context["form"].errors["date"] == [WORDS]
    assert Fixture.objects.exists() == (day in NEAR)
    assert is_calendar_readable(home[0])


@pytest.mark.parametrize("day", FAR)
def test_evening_cannot_be_moved_to_distant_date(
    desk: Client, home: tuple[Club, User], day: str
) -> None:
    soon = timezone.localdate() + timedelta(days=5)
    values = {"date": soon, "start": None, "place": "", "title": "Tuesday"}
    fixture = services.create_fixture(club=home[0], values_by_field=values, by=None)
    response = desk.post(reverse("fixture_edit", args=[fixture.uid]), ONE | {"date": day})
    assert response.context["form"].errors["date"] == [WORDS]
    assert Evening.objects.get().date == soon


OF_A_RULE = [
    (kind, field)
    for kind in ("weekly", "monthly", "month_day", "dates")
    for field in ("first", "last", "but", "dates")
    if kind == "dates" or field != "dates"  # elsewhere it is not stored
]


@pytest.mark.parametrize(("kind", "field"), OF_A_RULE)
def test_series_dates_must_fit_calendar_format(
    desk: Client, home: tuple[Club, User], field: str, kind: str
) -> None:
    today = timezone.localdate().isoformat()
    for day in (FAR[0], FAR[-1]):
        form = SERIES | {"kind": kind, "first": today, "dates": today, field: day}
        response = desk.post(reverse("series_new"), form)
        assert response.status_code == 400
        errors = response.context["form"].errors
        assert errors.get(field) == [WORDS] or "last day is before" in str(errors)
    assert not Series.objects.exists()


@pytest.mark.parametrize("day", FAR)
def test_bookings_file_with_distant_date_is_refused(home: tuple[Club, User], day: str) -> None:
    wrong_file = build_file((1, day, [build_booking(7, "Ann A")]))
    with pytest.raises(UnusableFile, match=r"evenings\[0\]\.date: .* 1900 to 2200"):
        import_booking_file(document=encode_json(wrong_file), club=home[0], by=None)
    booking = build_booking(7, "Ann A") | {"made": f"{day}T00:00:00+14:00"}
    wrong_file = build_file((1, "2026-12-01", [booking]))
    with pytest.raises(UnusableFile, match=r"bookings\[0\]\.made: "):
        import_booking_file(document=encode_json(wrong_file), club=home[0], by=None)
    assert not Evening.objects.exists()


def encode_json(data: dict[str, Any]) -> bytes:
    return json.dumps(data).encode()


@pytest.mark.slow
def test_existing_evening_with_distant_date_does_not_break_calendar(
    desk: Client, home: tuple[Club, User]
) -> None:
    soon = timezone.localdate() + timedelta(days=5)
    values = {"date": soon, "start": None, "place": "", "title": "Tuesday"}
    services.create_fixture(club=home[0], values_by_field=values, by=None)
    Evening.objects.update(date=date(9999, 12, 31))  # as an older version allowed
    event, _user = evenings.create_event(pairs=0, club=home[0], by=home[1])
    Event.objects.update(date=date(9999, 12, 31))
    Evening.objects.update(date=date(9999, 12, 31))
    assert Event.objects.get().pk == event.pk
    assert is_calendar_readable(home[0])
    assert desk.get(reverse("own_calendar")).status_code == 200


EVENT = {"name": "Cup", "contest": "pairs", "standings_shown": "always", "paper_size": "A4"}


@pytest.mark.parametrize("day", [*EVENT_FAR, *EVENT_NEAR])
def test_event_dated_1800_does_not_break_calendar(
    desk: Client, home: tuple[Club, User], day: str
) -> None:
    next_response = desk.post(reverse("event_new"), EVENT | {"date": day})
    if day in EVENT_FAR:
        assert next_response.context["form"].errors["date"] == [EVENT_WORDS]
    form = {"name": "Cup", "date": day}
    response = desk.post("/api/events/", form, content_type="application/json")
    assert response.status_code == (400 if day in EVENT_FAR else 201)
    assert (EVENT_WORDS in response.content.decode()) == (day in EVENT_FAR)
    assert Event.objects.count() == Evening.objects.count() == 2 * (day in EVENT_NEAR)
    assert is_calendar_readable(Club.objects.get())
    assert desk.get(reverse("evenings")).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("day", [EVENT_FAR[0], EVENT_FAR[-1]])
def test_event_and_session_cannot_be_moved_to_distant_date(desk: Client, day: str) -> None:
    first_session, user = evenings.seat_session()
    event = first_session.event
    method = event.terms.method
    url = reverse("event_edit", args=[event.slug])
    form = EVENT | {"date": day, "method": method}
    assert desk.post(url, form).context["form"].errors["date"] == [EVENT_WORDS]
    with pytest.raises(InvalidDay, match="1800 to 2200"):
        scoring.services.edit_event(
            event=event,
            by=user,
            **build_edit_arguments(event) | {"date": date.fromisoformat(day)},
        )
    adds = reverse("session_add", args=[event.slug])
    assert EVENT_WORDS in desk.post(adds, {"date": day}, follow=True).content.decode()
    second_session = tournaments.services.add_session(event=event, by=user)
    moves = reverse("session_date", args=[f"{event.slug}/session-2"])
    assert EVENT_WORDS in desk.post(moves, {"date": day}, follow=True).content.decode()
    assert list(Evening.objects.order_by("date").values_list("date", flat=True)) == [
        event.date,
        second_session.day,
    ]


@pytest.mark.slow
def test_session_with_invalid_date_cannot_be_added_or_moved(desk: Client) -> None:
    first_session, user = evenings.seat_session()
    event = first_session.event
    reported = "“next week” isn’t a date"
    adds = reverse("session_add", args=[event.slug])
    assert reported in desk.post(adds, {"date": "next week"}, follow=True).content.decode()
    assert event.sessions.count() == 1
    second_session = tournaments.services.add_session(event=event, by=user)
    moves = reverse("session_date", args=[f"{event.slug}/session-2"])
    page = desk.post(moves, {"date": "next week"}, follow=True).content.decode()
    assert reported in page
    assert 'value="next week"' in page  # the typed text is still there to be corrected
    assert Evening.objects.get(pk=second_session.evening_id).date == second_session.day


@pytest.mark.slow
def test_existing_event_with_distant_date_can_be_renamed_and_moved(
    desk: Client,
) -> None:
    first_session, user = evenings.seat_session()
    event = first_session.event
    Event.objects.update(date=date(9999, 12, 31))
    Evening.objects.update(date=date(9999, 12, 31))  # as an older version allowed
    with pytest.raises(InvalidDay, match="1800 to 2200"):
        tournaments.services.add_session(event=event, by=user)  # a week after the last
    form = EVENT | {"date": "9999-12-31", "method": event.terms.method, "name": "Old cup"}
    url = reverse("event_edit", args=[event.slug])
    assert desk.post(url, form).status_code == 302
    assert Event.objects.get().name == "Old cup"
    assert desk.post(url, form | {"date": "2026-12-01"}).status_code == 302
    assert Event.objects.get().date == Evening.objects.get().date == date(2026, 12, 1)


@pytest.mark.parametrize("day", [*EVENT_FAR, *EVENT_NEAR])
def test_drive_may_be_dated_from_1800(desk: Client, home: tuple[Club, User], day: str) -> None:
    page = desk.post(
        reverse("drive_new"), {"count": "8", "form": "social", "date": day, "rounds": "3"}
    )
    assert page.status_code == (422 if day in EVENT_FAR else 302)
    assert (EVENT_WORDS in page.content.decode()) == (day in EVENT_FAR)
    assert Drive.objects.exists() == (day in EVENT_NEAR)


@pytest.mark.slow
@pytest.mark.parametrize("day", ["1000-01-01", "2999-12-31"])
def test_drive_or_rubber_file_with_distant_date_is_refused(
    home: tuple[Club, User], day: str
) -> None:
    players = [NewPlayer(name=f"P{number}") for number in range(8)]
    drive = create_drive(
        club=home[0],
        name="D",
        date=date(2026, 12, 1),
        form="social",
        players=players,
        rounds=3,
        by=None,
    )
    text = json.dumps({**export_drive(load_drive(drive)), "uid": str(uuid4()), "date": day})
    with pytest.raises(UnreadableDrive, match=r"date: .* 1800 to 2200"):
        import_drive(club=home[0], file_text=text, by=None)
    new_rubber_players = [NewRubberPlayer(name=f"P{number}") for number in range(4)]
    night = create_rubber_night(
        club=home[0],
        name="N",
        date=date(2026, 12, 1),
        code="pole",
        players=new_rubber_players,
        by=None,
    )
    text = json.dumps({**export_night(load_night(night)), "uid": str(uuid4()), "date": day})
    with pytest.raises(UnreadableRubber, match=r"date: .* 1800 to 2200"):
        import_rubbers(club=home[0], file_text=text, by=None)
