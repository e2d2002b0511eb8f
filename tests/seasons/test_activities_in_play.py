"""The front page and a club's page show drives and rubber nights in play."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from drives.models import Drive
from rubbers.models import RubberNight
from tests.drives.test_services import begin_drive
from tests.factories import ClubFactory
from tests.rubbers.test_services import begin_night as begun_night

pytestmark = pytest.mark.django_db

TITLE = "Drives and rubbers in play"


def read_public_pages(club: str) -> list[str]:
    return [Client().get(page).content.decode() for page in ("/", f"/clubs/{club}/")]


def move_activity_date(row: Drive | RubberNight, days: int) -> None:
    """Move an activity to this many days from today."""
    row.evening.date = timezone.localdate() + timedelta(days=days)
    row.evening.save()


def test_drive_in_play_is_shown_with_round_until_closed() -> None:
    club = ClubFactory()
    drive = begin_drive("social", 8, rounds=2, club=club)
    move_activity_date(drive, 0)
    for page in read_public_pages(club.slug):
        assert TITLE in page
        assert f'href="{drive.get_absolute_url()}">Friday</a>' in page
        assert "Whist drive, round 1 of 2" in page
    Drive.objects.update(state=Drive.State.CLOSED, closed_at=timezone.now())
    assert all(TITLE not in page for page in read_public_pages(club.slug))


@pytest.mark.parametrize("change", [{"is_rehearsal": True}, {"put_away_at": timezone.now()}])
def test_rehearsals_and_archived_drives_are_hidden(change: dict[str, object]) -> None:
    club = ClubFactory()
    move_activity_date(begin_drive("social", 8, rounds=2, club=club), 0)
    Drive.objects.update(**change)
    assert all(TITLE not in page for page in read_public_pages(club.slug))


@pytest.mark.parametrize(("days", "is_shown"), [(-1, True), (0, True), (2, False)])
def test_rubber_night_is_shown_from_its_date(days: int, is_shown: bool) -> None:
    night = begun_night()
    move_activity_date(night, days)
    for page in read_public_pages(night.club.slug):
        assert (TITLE in page) is is_shown
        assert ("Rubber night" in page) is is_shown
