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
from drives.snapshot import load_drive_snapshot
from rubbers.files.export import export_night
from rubbers.rubber.errors import UnreadableRubber
from rubbers.services import NewRubberPlayer, create_rubber_night, import_rubber_night
from rubbers.snapshot import load_night
from scoring.services.events import build_edit_arguments
from seasons.calendar.booking_file import import_booking_file
from server.models import User
from tests import evenings
from tests.seasons.test_bookings_files import build_booking, build_file
from tests.seasons.test_calendar_pages import SERIES_FORM
from tournaments.errors import InvalidDay
from tournaments.models import Event

pytestmark = pytest.mark.django_db
DISTANT_DATES = ("0001-01-01", "1899-12-31", "2201-01-01", "9999-12-31")
ALLOWED_DATES = ("1900-01-01", "2200-12-31")
FIXTURE_FORM = {"title": "Cup", "minutes": 180, "contest": "pairs", "unit": "pairs"}
FIXTURE_FORM |= {"opens_days": 28, "closes_hours": 3}
DATE_ERROR = "Enter a date from 1900 to 2200."
DISTANT_EVENT_DATES = ("0001-01-01", "1799-12-31", "2201-01-01", "9999-12-31")
ALLOWED_EVENT_DATES = ("1800-01-01", "1897-03-12", "2200-12-31")
EVENT_DATE_ERROR = "Enter a date from 1800 to 2200."


@pytest.fixture
def club_and_user() -> tuple[Club, User]:
    return evenings.create_club_with_director()


@pytest.fixture
def desk(client: Client, club_and_user: tuple[Club, User]) -> Client:
    client.force_login(club_and_user[1])
    return client


def is_calendar_readable(club: Club) -> bool:
    names = ("calendar_ics", "calendar")
    return {Client().get(reverse(name, args=[club.slug])).status_code for name in names} == {
        200
    }


@pytest.mark.parametrize("day", [*DISTANT_DATES, *ALLOWED_DATES])
def test_single_evening_date_must_fit_calendar_format(
    desk: Client, club_and_user: tuple[Club, User], day: str
) -> None:
    response = desk.post(reverse("fixture_new"), FIXTURE_FORM | {"date": day, "start": "19:00"})
    if day in DISTANT_DATES:
        assert response.context["form"].errors["date"] == [DATE_ERROR]
    assert Fixture.objects.exists() == (day in ALLOWED_DATES)
    assert is_calendar_readable(club_and_user[0])


@pytest.mark.parametrize("day", DISTANT_DATES)
def test_evening_cannot_be_moved_to_distant_date(
    desk: Client, club_and_user: tuple[Club, User], day: str
) -> None:
    upcoming_date = timezone.localdate() + timedelta(days=5)
    values = {"date": upcoming_date, "start": None, "place": "", "title": "Tuesday"}
    fixture = services.create_fixture(club=club_and_user[0], values_by_field=values, by=None)
    response = desk.post(
        reverse("fixture_edit", args=[fixture.uid]), FIXTURE_FORM | {"date": day}
    )
    assert response.context["form"].errors["date"] == [DATE_ERROR]
    assert Evening.objects.get().date == upcoming_date


SERIES_DATE_CASES = [
    (kind, field)
    for kind in ("weekly", "monthly", "month_day", "dates")
    for field in ("first", "last", "but", "dates")
    if kind == "dates" or field != "dates"  # elsewhere it is not stored
]


@pytest.mark.parametrize(("kind", "field"), SERIES_DATE_CASES)
def test_series_dates_must_fit_calendar_format(
    desk: Client, club_and_user: tuple[Club, User], field: str, kind: str
) -> None:
    today = timezone.localdate().isoformat()
    for day in (DISTANT_DATES[0], DISTANT_DATES[-1]):
        form = SERIES_FORM | {"kind": kind, "first": today, "dates": today, field: day}
        response = desk.post(reverse("series_new"), form)
        assert response.status_code == 400
        errors = response.context["form"].errors
        assert errors.get(field) == [DATE_ERROR] or "last day is before" in str(errors)
    assert not Series.objects.exists()


@pytest.mark.parametrize("day", DISTANT_DATES)
def test_bookings_file_with_distant_date_is_refused(
    club_and_user: tuple[Club, User], day: str
) -> None:
    wrong_file = build_file((1, day, [build_booking(7, "Ann A")]))
    with pytest.raises(UnusableFile, match=r"evenings\[0\]\.date: .* 1900 to 2200"):
        import_booking_file(document=encode_json(wrong_file), club=club_and_user[0], by=None)
    booking = build_booking(7, "Ann A") | {"made": f"{day}T00:00:00+14:00"}
    wrong_file = build_file((1, "2026-12-01", [booking]))
    with pytest.raises(UnusableFile, match=r"bookings\[0\]\.made: "):
        import_booking_file(document=encode_json(wrong_file), club=club_and_user[0], by=None)
    assert not Evening.objects.exists()


def encode_json(data: dict[str, Any]) -> bytes:
    return json.dumps(data).encode()


@pytest.mark.slow
def test_existing_evening_with_distant_date_does_not_break_calendar(
    desk: Client, club_and_user: tuple[Club, User]
) -> None:
    soon = timezone.localdate() + timedelta(days=5)
    values = {"date": soon, "start": None, "place": "", "title": "Tuesday"}
    services.create_fixture(club=club_and_user[0], values_by_field=values, by=None)
    Evening.objects.update(date=date(9999, 12, 31))  # as an older version allowed
    event, _user = evenings.create_event(pairs=0, club=club_and_user[0], by=club_and_user[1])
    Event.objects.update(date=date(9999, 12, 31))
    Evening.objects.update(date=date(9999, 12, 31))
    assert Event.objects.get().pk == event.pk
    assert is_calendar_readable(club_and_user[0])
    assert desk.get(reverse("own_calendar")).status_code == 200


EVENT_FORM = {
    "name": "Cup",
    "contest": "pairs",
    "standings_shown": "always",
    "paper_size": "A4",
}


@pytest.mark.parametrize("day", [*DISTANT_EVENT_DATES, *ALLOWED_EVENT_DATES])
def test_event_dated_1800_does_not_break_calendar(
    desk: Client, club_and_user: tuple[Club, User], day: str
) -> None:
    next_response = desk.post(reverse("event_new"), EVENT_FORM | {"date": day})
    if day in DISTANT_EVENT_DATES:
        assert next_response.context["form"].errors["date"] == [EVENT_DATE_ERROR]
    form = {"name": "Cup", "date": day}
    response = desk.post("/api/events/", form, content_type="application/json")
    assert response.status_code == (400 if day in DISTANT_EVENT_DATES else 201)
    assert (EVENT_DATE_ERROR in response.content.decode()) == (day in DISTANT_EVENT_DATES)
    assert Event.objects.count() == Evening.objects.count() == 2 * (day in ALLOWED_EVENT_DATES)
    assert is_calendar_readable(Club.objects.get())
    assert desk.get(reverse("evenings")).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("day", [DISTANT_EVENT_DATES[0], DISTANT_EVENT_DATES[-1]])
def test_event_and_session_cannot_be_moved_to_distant_date(desk: Client, day: str) -> None:
    first_session, user = evenings.seat_session()
    event = first_session.event
    method = event.terms.method
    url = reverse("event_edit", args=[event.slug])
    form = EVENT_FORM | {"date": day, "method": method}
    assert desk.post(url, form).context["form"].errors["date"] == [EVENT_DATE_ERROR]
    with pytest.raises(InvalidDay, match="1800 to 2200"):
        scoring.services.edit_event(
            event=event,
            by=user,
            **build_edit_arguments(event) | {"date": date.fromisoformat(day)},
        )
    add_session_url = reverse("session_add", args=[event.slug])
    assert (
        EVENT_DATE_ERROR
        in desk.post(add_session_url, {"date": day}, follow=True).content.decode()
    )
    second_session = tournaments.services.add_session(event=event, by=user)
    moves = reverse("session_date", args=[f"{event.slug}/session-2"])
    assert EVENT_DATE_ERROR in desk.post(moves, {"date": day}, follow=True).content.decode()
    assert list(Evening.objects.order_by("date").values_list("date", flat=True)) == [
        event.date,
        second_session.day,
    ]


@pytest.mark.slow
def test_session_with_invalid_date_cannot_be_added_or_moved(desk: Client) -> None:
    first_session, user = evenings.seat_session()
    event = first_session.event
    date_error = "“next week” isn’t a date"
    adds = reverse("session_add", args=[event.slug])
    assert date_error in desk.post(adds, {"date": "next week"}, follow=True).content.decode()
    assert event.sessions.count() == 1
    second_session = tournaments.services.add_session(event=event, by=user)
    moves = reverse("session_date", args=[f"{event.slug}/session-2"])
    page = desk.post(moves, {"date": "next week"}, follow=True).content.decode()
    assert date_error in page
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
    form = EVENT_FORM | {"date": "9999-12-31", "method": event.terms.method, "name": "Old cup"}
    url = reverse("event_edit", args=[event.slug])
    assert desk.post(url, form).status_code == 302
    assert Event.objects.get().name == "Old cup"
    assert desk.post(url, form | {"date": "2026-12-01"}).status_code == 302
    assert Event.objects.get().date == Evening.objects.get().date == date(2026, 12, 1)


@pytest.mark.parametrize("day", [*DISTANT_EVENT_DATES, *ALLOWED_EVENT_DATES])
def test_drive_may_be_dated_from_1800(
    desk: Client, club_and_user: tuple[Club, User], day: str
) -> None:
    page = desk.post(
        reverse("drive_new"), {"count": "8", "form": "social", "date": day, "rounds": "3"}
    )
    assert page.status_code == (422 if day in DISTANT_EVENT_DATES else 302)
    assert (EVENT_DATE_ERROR in page.content.decode()) == (day in DISTANT_EVENT_DATES)
    assert Drive.objects.exists() == (day in ALLOWED_EVENT_DATES)


@pytest.mark.slow
@pytest.mark.parametrize("day", ["1000-01-01", "2999-12-31"])
def test_drive_or_rubber_file_with_distant_date_is_refused(
    club_and_user: tuple[Club, User], day: str
) -> None:
    players = [NewPlayer(name=f"P{number}") for number in range(8)]
    drive = create_drive(
        club=club_and_user[0],
        name="D",
        date=date(2026, 12, 1),
        form="social",
        players=players,
        rounds=3,
        by=None,
    )
    text = json.dumps(
        {**export_drive(load_drive_snapshot(drive)), "uid": str(uuid4()), "date": day}
    )
    with pytest.raises(UnreadableDrive, match=r"date: .* 1800 to 2200"):
        import_drive(club=club_and_user[0], file_text=text, by=None)
    new_rubber_players = [NewRubberPlayer(name=f"P{number}") for number in range(4)]
    night = create_rubber_night(
        club=club_and_user[0],
        name="N",
        date=date(2026, 12, 1),
        code="pole",
        players=new_rubber_players,
        by=None,
    )
    text = json.dumps({**export_night(load_night(night)), "uid": str(uuid4()), "date": day})
    with pytest.raises(UnreadableRubber, match=r"date: .* 1800 to 2200"):
        import_rubber_night(club=club_and_user[0], file_text=text, by=None)
