"""Holidays from a calendar file: the page lists the days and then saves them."""

import re
from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Series
from clubs.today import get_club_date
from server.models import User
from tests import evenings

pytestmark = pytest.mark.django_db


@pytest.fixture
def club_and_user(client: Client) -> tuple[Club, User]:
    club, user = evenings.create_club_with_director()
    client.force_login(user)
    return club, user


def build_series_form(club: Club, **more: str) -> dict[str, str]:
    return {
        "title": "Weekly", "kind": "weekly", "weekday": str(get_club_date(club).weekday()),
        "every": "1", "nth": "1", "start": "19:00", "minutes": "180", "contest": "pairs",
        "unit": "pairs", "opens_days": "30", "closes_hours": "3", "club": club.slug,
        "first": get_club_date(club).isoformat(), **more,
    }  # fmt: skip


def build_holiday_upload(first: date, days: int, *more: str) -> SimpleUploadedFile:
    lines = [
        "BEGIN:VCALENDAR", "BEGIN:VEVENT", f"DTSTART;VALUE=DATE:{first:%Y%m%d}",
        f"DURATION:P{days}D", "SUMMARY:Summer\\, hall closed", *more, "END:VEVENT",
        "END:VCALENDAR",
    ]  # fmt: skip
    return SimpleUploadedFile("holidays.ics", "\r\n".join(lines).encode(), "text/calendar")


def read_text_area(page: str) -> str:
    match = re.search(r'<textarea name="holidays"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    assert match
    return match[1].strip()


def test_days_of_file_are_saved_after_preview(
    client: Client, club_and_user: tuple[Club, User]
) -> None:
    club = club_and_user[0]
    first = get_club_date(club) + timedelta(days=7)
    new_series_url = reverse("series_new")
    response = client.post(
        new_series_url,
        build_series_form(club) | {"holiday_file": build_holiday_upload(first, 100)},
    )
    page = response.content.decode()
    text = " ".join(page.split())
    assert response.status_code == 200
    assert not Series.objects.exists()
    assert "100 holidays found. Check them, then save." in page
    last = first + timedelta(days=99)
    assert f"{first:%a} {first.day} {first:%b %Y} – {last:%a} {last.day} {last:%b %Y}" in text
    assert "Summer, hall closed" in page
    assert (
        client.post(
            new_series_url, build_series_form(club, holidays=read_text_area(page))
        ).status_code
        == 302
    )
    series = Series.objects.get()
    assert len(series.holidays) == 100
    assert series.holidays[last.isoformat()] == "Summer, hall closed"
    fixture_days = set(series.fixtures.values_list("series_day", flat=True))
    assert get_club_date(club) in fixture_days
    assert not {first + timedelta(days=n) for n in range(100)} & fixture_days


def test_series_change_keeps_imported_days_through_confirmation(
    client: Client, club_and_user: tuple[Club, User]
) -> None:
    club = club_and_user[0]
    assert client.post(reverse("series_new"), build_series_form(club)).status_code == 302
    edit_url = reverse("series_edit", args=[Series.objects.get().slug])
    file = build_holiday_upload(get_club_date(club) + timedelta(days=7), 1)
    page = client.post(
        edit_url, build_series_form(club) | {"holiday_file": file}
    ).content.decode()
    assert "1 holiday found. Check it, then save." in page
    page = client.post(
        edit_url, build_series_form(club, holidays=read_text_area(page))
    ).content.decode()
    assert (
        client.post(
            edit_url, build_series_form(club, holidays=read_text_area(page), sure="1")
        ).status_code
        == 302
    )
    assert list(Series.objects.get().holidays.values()) == ["Summer, hall closed"]


@pytest.mark.parametrize(
    ("extra_lines", "text"),
    [
        (("RRULE:FREQ=ZZ",), "Line 6: RRULE can’t be read"),
        (("STATUS:CANCELLED",), "Choose another file"),
    ],
)
def test_file_without_usable_days_is_refused_at_its_field(
    client: Client, club_and_user: tuple[Club, User], extra_lines: tuple[str, ...], text: str
) -> None:
    club = club_and_user[0]
    file = build_holiday_upload(get_club_date(club) + timedelta(days=7), 1, *extra_lines)
    response = client.post(
        reverse("series_new"), build_series_form(club) | {"holiday_file": file}
    )
    assert response.status_code == 400
    assert text in response.content.decode()
    assert not Series.objects.exists()
