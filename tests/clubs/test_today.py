"""Pages use the club's local date, also on days on which its clocks change."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import scoring.services
from clubs.models import Club
from clubs.today import build_today_filter, get_club_date
from config.search.hits import find_hits
from server.models import User
from tests import evenings
from tests.house import sources
from tournaments.models import Event

# Cases: when the clocks change in UTC, and the UTC offset before and after it. Those of
# Honolulu and Kathmandu never change.
CLOCK_CHANGES = [
    ("Pacific/Honolulu", datetime(2027, 3, 14, 10, tzinfo=UTC), -10, -10),
    ("America/Los_Angeles", datetime(2027, 3, 14, 10, tzinfo=UTC), -8, -7),
    ("America/Los_Angeles", datetime(2027, 11, 7, 9, tzinfo=UTC), -7, -8),
    ("America/St_Johns", datetime(2027, 3, 14, 5, 30, tzinfo=UTC), -3.5, -2.5),
    ("Europe/London", datetime(2027, 3, 28, 1, tzinfo=UTC), 0, 1),
    ("Europe/London", datetime(2027, 10, 31, 1, tzinfo=UTC), 1, 0),
    ("Asia/Kathmandu", datetime(2027, 3, 28, 1, tzinfo=UTC), 5.75, 5.75),
    ("Australia/Sydney", datetime(2027, 4, 3, 16, tzinfo=UTC), 11, 10),
    ("Pacific/Auckland", datetime(2027, 9, 25, 14, tzinfo=UTC), 12, 13),
]


def set_clock(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    monkeypatch.setattr(timezone, "now", lambda: moment)


def list_hours_around_change(
    change: datetime, offset_before: float, offset_after: float
) -> list[tuple[datetime, date]]:
    """Yield every hour of a day around a change, with the local date."""
    hours = []
    for number in range(-15, 15):
        moment = change + timedelta(hours=number, minutes=15)
        offset = offset_before if moment < change else offset_after
        hours.append((moment, (moment + timedelta(hours=offset)).date()))
    return hours


@pytest.mark.parametrize(("zone", "change", "before", "after"), CLOCK_CHANGES)
def test_today_is_the_date_in_the_clubs_time_zone(
    monkeypatch: pytest.MonkeyPatch, zone: str, change: datetime, before: float, after: float
) -> None:
    club = Club(timezone=zone)
    for moment, day in list_hours_around_change(change, before, after):
        set_clock(monkeypatch, moment)
        assert get_club_date(club) == day, moment


def create_event_on(club: Club, day: date, by: User) -> Event:
    return scoring.services.create_event(
        club=club, name=f"On {day}", date=day, contest="pairs", by=by
    )


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("zone", "change", "before", "after"), [CLOCK_CHANGES[n] for n in (0, 1, 4, 8)]
)
def test_pages_use_the_clubs_date_at_every_hour(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    zone: str,
    change: datetime,
    before: float,
    after: float,
) -> None:
    club, user = evenings.create_club_with_director()
    Club.objects.filter(pk=club.pk).update(timezone=zone)
    hours = list_hours_around_change(change, before, after)
    days = sorted({day for _moment, day in hours})
    slugs = {day: create_event_on(club, day, user).slug for day in days}
    set_clock(monkeypatch, hours[0][0])
    client.force_login(user)
    for moment, day in hours:
        set_clock(monkeypatch, moment)
        page = client.get(reverse("event_new")).content.decode()
        assert f'value="{day}"' in page, moment
        response = client.get(reverse("prepare"))
        assert response["Location"] == reverse("event_desk", args=[slugs[day]]), moment
        hits = find_hits("today")
        assert [str(hit.title) for group in hits for hit in group.hits] == [f"On {day}"]


@pytest.mark.django_db
def test_list_of_all_clubs_uses_each_clubs_own_date(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moment = datetime(2026, 11, 28, 3, 44, tzinfo=UTC)  # Friday evening in Los Angeles
    today = {"Los_Angeles": date(2026, 11, 27), "London": date(2026, 11, 28)}
    for place, day in today.items():
        club, user = evenings.create_club_with_director(place)
        area = "America" if place == "Los_Angeles" else "Europe"
        Club.objects.filter(pk=club.pk).update(timezone=f"{area}/{place}")
        for day_offset in (-1, 0, 1):
            create_event_on(club, day + timedelta(days=day_offset), user)
    set_clock(monkeypatch, moment)
    events = Event.objects.filter(build_today_filter("date", "club"))
    assert {item.club.name: item.date for item in events} == today
    assert events.count() == 2


# A quota counts days in UTC on purpose.
EXEMPT_MODULES = {"server.quotas", "clubs.today"}
TODAY = re.compile(
    r"localdate\(\s*(timezone=|\))|date\.today\(|datetime\.(now|today)\(|localtime\(\)\.date"
    r"|now\(\)\.date\(",
    re.IGNORECASE,
)


def test_no_other_module_computes_the_current_day() -> None:
    modules = {name for name in sources.MODULES if TODAY.search(sources.read_text(name))}
    assert modules == EXEMPT_MODULES
