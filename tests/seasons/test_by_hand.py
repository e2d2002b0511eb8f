"""Evenings created manually are in the calendar; a club chooses its currency."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

import scoring.services
from clubs import audit
from clubs.errors import InvalidCurrencyChange
from clubs.evenings.services import create_fixture
from clubs.models import Attendance, Club, Player
from clubs.services import set_currency
from drives.services import NewPlayer, close_drive, create_drive
from seasons.calendar.sheets.calendar import list_upcoming_summaries
from server.models import User
from tests import evenings

pytestmark = pytest.mark.django_db


@pytest.fixture
def club_and_user() -> tuple[Club, User]:
    return evenings.create_club_with_director()


def read_calendar(club: Club) -> dict[str, tuple[str, int]]:
    content = Client().get(reverse("calendar_ics", args=[club.slug])).content
    return {
        str(component["UID"]): (
            f"{component['DTSTART'].dt:%Y-%m-%d}",
            int(component["SEQUENCE"]),
        )
        for component in Calendar.from_ical(content).walk("VEVENT")
    }


def test_manual_events_and_drives_appear_and_move_in_calendar(
    club_and_user: tuple[Club, User],
) -> None:
    club, user = club_and_user
    day = timezone.localdate() + timedelta(days=9)
    event = scoring.services.create_event(club=club, name="Cup", date=day, by=user)
    people = [NewPlayer(name=f"Player {n}") for n in range(4)]
    drive = create_drive(
        club=club, name="Drive", date=day - timedelta(days=1), form="social",
        players=people, rounds=1, hands=1, by=user,
    )  # fmt: skip
    old_event = scoring.services.create_event(
        club=club, name="Long ago", date=day - timedelta(days=400), by=user
    )
    assert [line.title for line in list_upcoming_summaries(club)] == ["Drive", "Cup"]
    text = Client().get(reverse("calendar", args=[club.slug])).content.decode()
    assert reverse("event", args=[event.slug]) in text
    assert reverse("drive", args=[drive.slug]) in text
    calendar = read_calendar(club)
    assert calendar[f"{event.uid}@overplay"] == (day.isoformat(), 0)
    assert f"{drive.uid}@overplay" in calendar
    assert f"{old_event.uid}@overplay" not in calendar
    later_day = day + timedelta(days=1)
    scoring.services.edit_event(
        event=event, name="Cup", date=later_day, method=event.terms.method,
        standings_shown=event.standings_shown, paper_size=event.paper_size, by=user,
    )  # fmt: skip
    assert read_calendar(club)[f"{event.uid}@overplay"] == (later_day.isoformat(), 1)
    output = StringIO()
    call_command("calendar", club.slug, "--format", "json", stdout=output)
    titles = [evening["title"] for evening in json.loads(output.getvalue())["evenings"]]
    assert titles == ["Drive", "Cup"]


def test_evening_is_listed_once_in_calendar(club_and_user: tuple[Club, User]) -> None:
    club, user = club_and_user
    day = timezone.localdate() + timedelta(days=5)
    values = {"date": day, "title": "Tuesday", "place": "", "start": None}
    fixture = create_fixture(club=club, values_by_field=values, by=user)
    event = scoring.services.create_event(club=club, name="Tuesday", date=day, by=user)
    event.sessions.update(evening=fixture.evening)
    assert [line.uid for line in list_upcoming_summaries(club)] == [str(fixture.uid)]


def test_currency_can_be_chosen_and_undone_until_money_is_recorded(
    club_and_user: tuple[Club, User], client: Client
) -> None:
    club, user = club_and_user
    client.force_login(user)
    page = client.get(reverse("own_calendar")).content.decode()
    assert '<option value="GBP" selected>' in page
    currency_form = {"club": club.slug, "currency": "EUR"}
    page_text = client.post(
        reverse("club_currency"), currency_form, follow=True
    ).content.decode()
    assert '<option value="EUR" selected>' in page_text
    (act,) = audit.list_acts(club).filter(action="club.currency")
    client.post(reverse("club_act_undo", args=[club.slug, act.pk]))
    club.refresh_from_db()
    assert club.currency == "GBP"
    with pytest.raises(InvalidCurrencyChange, match="list"):
        set_currency(club=club, currency="XXX", by=user)
    values = {"date": timezone.localdate(), "title": "T", "place": "", "start": None}
    fixture = create_fixture(club=club, values_by_field=values, by=user)
    player = Player.objects.create(club=club, name="Ann")
    Attendance.objects.create(fixture=fixture, player=player, fee=300)
    with pytest.raises(InvalidCurrencyChange, match="recorded in GBP"):
        set_currency(club=club, currency="EUR", by=user)


def test_calendar_links_each_evening_to_its_director_page(
    club_and_user: tuple[Club, User], client: Client
) -> None:
    club, user = club_and_user
    client.force_login(user)
    day = timezone.localdate() + timedelta(days=3)
    values = {"date": day, "title": "Booked", "place": "", "start": None}
    fixture = create_fixture(club=club, values_by_field=values, by=user)
    event = scoring.services.create_event(club=club, name="Cup", date=day, by=user)
    old_day = day - timedelta(days=40)
    scoring.services.create_event(club=club, name="Long ago", date=old_day, by=user)
    page = client.get(reverse("own_calendar")).content.decode()
    for path in (
        reverse("fixture_desk", args=[fixture.uid]),
        reverse("event_desk", args=[event.slug]),
    ):
        assert page.count(f'href="{path}"') == 1
    assert "Long ago" not in page


def test_past_evening_is_not_listed_as_upcoming(club_and_user: tuple[Club, User]) -> None:
    club, user = club_and_user
    event = scoring.services.create_event(
        club=club, name="Cup", date=timezone.localdate(), by=user
    )
    drive = create_drive(
        club=club, name="Drive", date=timezone.localdate(), form="social",
        players=[NewPlayer(name=f"Player {n}") for n in range(4)], rounds=1, hands=1, by=user,
    )  # fmt: skip
    assert sorted(line.title for line in list_upcoming_summaries(club)) == ["Cup", "Drive"]
    close_drive(drive=drive, anyway=True, by=user)
    assert [line.title for line in list_upcoming_summaries(club)] == ["Cup"]
    event.sessions.update(state="closed", closed_at=timezone.now())
    assert list_upcoming_summaries(club) == []
