"""An evening that was changed individually follows its series again after an undo."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from clubs import audit
from clubs.evenings import services
from clubs.inverses import INVERSES
from clubs.models import Club, Fixture, Series
from clubs.undo import undo_recorded_act
from tests import evenings

pytestmark = pytest.mark.django_db


def create_weekly_series() -> Series:
    club, user = evenings.create_club_with_director()
    day = timezone.localdate() + timedelta(days=3)
    rule = {"kind": "weekly", "first": day.isoformat(), "every": 1, "weekday": day.weekday()}
    values = {"title": "Weekly", "rule": rule, "holidays": {}, "start": None, "place": "Hall"}
    return services.create_series(club=club, values_by_field=values, by=user)


def find_second_fixture(series: Series) -> Fixture:
    return series.fixtures.order_by("series_day").select_related("evening__club")[1]


def undo_newest_act(club: Club, action: str) -> None:
    acts = audit.list_acts(club)
    undo_recorded_act(acts, acts.filter(action=action)[0], INVERSES, club=club, by=None)


def cancel_fixture(fixture: Fixture) -> None:
    services.cancel_fixture(fixture=fixture, by=None)


def retitle_fixture(fixture: Fixture) -> None:
    services.change_fixture(fixture=fixture, values={"title": "Cup"}, by=None)


def move_fixture(fixture: Fixture) -> None:
    day = fixture.evening.date + timedelta(days=1)
    services.change_fixture(fixture=fixture, values={"date": day}, by=None)


ACTS = [
    (cancel_fixture, "fixture.cancelled"),
    (retitle_fixture, "fixture.changed"),
    (move_fixture, "fixture.changed"),
]
Act = Callable[[Fixture], None]


@pytest.mark.slow
@pytest.mark.parametrize(("act", "action"), ACTS)
def test_evening_with_an_undone_change_follows_its_series_again(act: Act, action: str) -> None:
    weekly_series = create_weekly_series()
    act(find_second_fixture(weekly_series))
    undo_newest_act(weekly_series.club, action)
    services.change_series(series=weekly_series, values={"place": "New hall"}, by=None)
    assert find_second_fixture(weekly_series).evening.place == "New hall"
    services.end_series(series=weekly_series, by=None)
    assert not weekly_series.fixtures.filter(cancelled_at=None).exists()


@pytest.mark.parametrize(("act", "action"), ACTS)
def test_undone_change_applies_later_changes_of_the_series(act: Act, action: str) -> None:
    weekly_series = create_weekly_series()
    act(find_second_fixture(weekly_series))
    services.change_series(series=weekly_series, values={"place": "New hall"}, by=None)
    assert find_second_fixture(weekly_series).evening.place == "Hall"
    undo_newest_act(weekly_series.club, action)
    assert find_second_fixture(weekly_series).evening.place == "New hall"


@pytest.mark.parametrize(("act", "action"), ACTS)
def test_restored_evening_stays_after_its_series_has_ended(act: Act, action: str) -> None:
    weekly_series = create_weekly_series()
    act(find_second_fixture(weekly_series))
    services.end_series(series=weekly_series, by=None)
    undo_newest_act(weekly_series.club, action)
    assert find_second_fixture(weekly_series).cancelled_at is None
    services.create_upcoming_evenings(series=weekly_series, by=None)
    assert find_second_fixture(weekly_series).cancelled_at is None


@pytest.mark.slow
@pytest.mark.parametrize(("act", "action"), ACTS)
def test_redone_change_exempts_the_evening_from_its_series_again(act: Act, action: str) -> None:
    weekly_series = create_weekly_series()
    act(find_second_fixture(weekly_series))
    fixture_state = read_fixture_state(find_second_fixture(weekly_series))
    undo_newest_act(weekly_series.club, action)
    acts = audit.list_acts(weekly_series.club)
    undo_recorded_act(acts, acts[0], INVERSES, club=weekly_series.club, by=None)
    services.change_series(series=weekly_series, values={"place": "New hall"}, by=None)
    assert read_fixture_state(find_second_fixture(weekly_series)) == fixture_state


def read_fixture_state(fixture: Fixture) -> tuple[Any, ...]:
    return (
        fixture.evening.date,
        fixture.evening.title,
        fixture.evening.place,
        fixture.cancelled_at is None,
    )


@pytest.mark.slow
def test_first_of_two_changes_still_exempts_the_evening_from_its_series() -> None:
    weekly_series = create_weekly_series()
    retitle_fixture(find_second_fixture(weekly_series))
    cancel_fixture(find_second_fixture(weekly_series))
    undo_newest_act(weekly_series.club, "fixture.cancelled")
    services.change_series(series=weekly_series, values={"place": "New hall"}, by=None)
    assert (
        find_second_fixture(weekly_series).evening.title,
        find_second_fixture(weekly_series).evening.place,
    ) == (
        "Cup",
        "Hall",
    )
    undo_newest_act(weekly_series.club, "fixture.changed")
    assert (
        find_second_fixture(weekly_series).evening.title,
        find_second_fixture(weekly_series).evening.place,
    ) == (
        "Weekly",
        "New hall",
    )


@pytest.mark.slow
def test_undone_restoration_leaves_the_evening_cancelled() -> None:
    weekly_series = create_weekly_series()
    cancel_fixture(find_second_fixture(weekly_series))
    services.restore_fixture(fixture=find_second_fixture(weekly_series), by=None)
    undo_newest_act(weekly_series.club, "fixture.revived")
    services.change_series(series=weekly_series, values={"place": "New hall"}, by=None)
    assert find_second_fixture(weekly_series).cancelled_at is not None
