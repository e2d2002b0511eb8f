"""Test the front page of a server with many clubs: search and today's events."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from drives.models import Drive
from seasons.club_pages.sheets import club_home
from tests import factories
from tests.drives.test_services import begin_drive
from tests.rubbers.test_services import begin_night
from tournaments.models import Event

pytestmark = pytest.mark.django_db
CLUB_COUNT = 14


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    monkeypatch.setattr(club_home, "CLUBS_PER_PAGE", 5)
    names = [*(f"Club {chr(65 + number)}" for number in range(CLUB_COUNT - 1)), "Édam"]
    events = []
    for number, name in enumerate(names):
        event = factories.EventFactory.create(
            club=factories.ClubFactory.create(name=name, slug=f"club-{number}")
        )
        day = timezone.localdate() - timedelta(days=number % 2)
        factories.SessionFactory.create(event=event, evening__date=day)
        events.append(event)
    return events


def read_page(path: str = "/", **options: str) -> str:
    response = Client().get(path, options)
    assert response.status_code == 200
    return response.content.decode()


def test_clubs_are_paginated(events: list[Event]) -> None:
    first_page, last = read_page(), read_page(page="3")
    assert f"{CLUB_COUNT} clubs. Find yours" in first_page
    assert 'href="/clubs/club-0/"' in first_page
    assert "Édam" not in first_page
    assert "Page 1 of 3" in first_page
    assert "Édam" in last


@pytest.mark.parametrize("words", ["edam", "ÉDAM", "  éd "])
def test_club_search_ignores_accents(events: list[Event], words: str) -> None:
    text = read_page(q=words)
    assert "1 club found" in text
    assert 'href="/clubs/club-13/"' in text


def test_events_of_today_are_listed_with_their_club(events: list[Event]) -> None:
    text = read_page(q="nobody")
    assert "Club not found" in text
    today = text[text.index('id="today-title"') :]
    assert today.count("list__title") == 5  # a page of the seven
    assert "Club A" in today
    assert "Club B" not in today


def test_each_club_has_its_own_page(events: list[Event]) -> None:
    assert "Édam" in read_page("/clubs/club-13/")
    assert Client().get("/clubs/nowhere/").status_code == 404


def test_evenings_of_all_clubs_are_listed_together_with_club_names(events: list[Event]) -> None:
    text = read_page("/events/")
    assert text.count("list__title") == CLUB_COUNT
    assert "Édam" in text


@pytest.mark.parametrize("address", ["/", "/events/", "/clubs/club-0/", "/players/"])
def test_number_of_queries_is_independent_of_number_of_clubs(
    events: list[Event], address: str
) -> None:
    with CaptureQueriesContext(connection) as queries_before:
        read_page(address)
    event = factories.EventFactory.create()
    factories.SessionFactory.create(event=event)
    with CaptureQueriesContext(connection) as queries_after:
        read_page(address)
    assert len(queries_after) == len(queries_before) <= 12


def test_drives_and_rubber_nights_of_today_are_listed_with_their_clubs(
    events: list[Event],
) -> None:
    club = factories.ClubFactory.create(name="Aldwych")
    for name, days in (("Christmas drive", 0), ("Boxing drive", 1)):
        drive = begin_drive("social", 8, rounds=2, club=club)
        Drive.objects.filter(pk=drive.pk).update(name=name)
        drive.evening.date = timezone.localdate() + timedelta(days=days)
        drive.evening.save()
    night = begin_night()
    night.evening.date = timezone.localdate()
    night.evening.save()
    today = read_page()
    today = today[today.index('id="today-title"') :]
    assert f'href="{drive.get_absolute_url()}"' not in today
    assert re.search(
        r">Christmas drive</a>\s*<span class=.list__text.>Aldwych · Whist drive", today
    )
    assert f'href="{night.get_absolute_url()}">{night.name}</a>' in today
    Drive.objects.update(is_rehearsal=True)
    assert "Christmas drive" not in read_page()
