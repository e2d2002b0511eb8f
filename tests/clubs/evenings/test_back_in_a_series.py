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


def series() -> Series:
    home, user = evenings.club()
    day = timezone.localdate() + timedelta(days=3)
    rule = {"kind": "weekly", "first": day.isoformat(), "every": 1, "weekday": day.weekday()}
    values = {"title": "Weekly", "rule": rule, "holidays": {}, "start": None, "place": "Hall"}
    return services.create_series(club=home, values=values, by=user)


def second(of: Series) -> Fixture:
    return of.fixtures.order_by("series_day").select_related("evening__club")[1]


def undo(home: Club, action: str) -> None:
    acts = audit.list_acts(home)
    undo_recorded_act(acts, acts.filter(action=action)[0], INVERSES, club=home, by=None)


def cancel(at: Fixture) -> None:
    services.cancel_fixture(fixture=at, by=None)


def rename(at: Fixture) -> None:
    services.change_fixture(fixture=at, values={"title": "Cup"}, by=None)


def move(at: Fixture) -> None:
    day = at.evening.date + timedelta(days=1)
    services.change_fixture(fixture=at, values={"date": day}, by=None)


ACTS = [(cancel, "fixture.cancelled"), (rename, "fixture.changed"), (move, "fixture.changed")]
Act = Callable[[Fixture], None]


@pytest.mark.slow
@pytest.mark.parametrize(("act", "action"), ACTS)
def test_an_evening_whose_change_is_taken_back_goes_along_with_its_series(
    act: Act, action: str
) -> None:
    of = series()
    act(second(of))
    undo(of.club, action)
    services.change_series(series=of, values={"place": "New hall"}, by=None)
    assert second(of).evening.place == "New hall"
    services.end_series(series=of, by=None)
    assert not of.fixtures.filter(cancelled_at=None).exists()


@pytest.mark.parametrize(("act", "action"), ACTS)
def test_what_the_series_was_given_meanwhile_comes_to_the_evening_as_well(
    act: Act, action: str
) -> None:
    of = series()
    act(second(of))
    services.change_series(series=of, values={"place": "New hall"}, by=None)
    assert second(of).evening.place == "Hall"
    undo(of.club, action)
    assert second(of).evening.place == "New hall"


@pytest.mark.parametrize(("act", "action"), ACTS)
def test_an_evening_that_stands_again_stays_though_its_series_has_ended(
    act: Act, action: str
) -> None:
    of = series()
    act(second(of))
    services.end_series(series=of, by=None)
    undo(of.club, action)
    assert second(of).cancelled_at is None
    services.add_coming_evenings(series=of, by=None)
    assert second(of).cancelled_at is None


@pytest.mark.slow
@pytest.mark.parametrize(("act", "action"), ACTS)
def test_a_change_that_is_done_again_is_the_evenings_own_again(act: Act, action: str) -> None:
    of = series()
    act(second(of))
    changed = _shown(second(of))
    undo(of.club, action)
    acts = audit.list_acts(of.club)
    undo_recorded_act(acts, acts[0], INVERSES, club=of.club, by=None)
    services.change_series(series=of, values={"place": "New hall"}, by=None)
    assert _shown(second(of)) == changed


def _shown(at: Fixture) -> tuple[Any, ...]:
    return at.evening.date, at.evening.title, at.evening.place, at.cancelled_at is None


@pytest.mark.slow
def test_of_two_changes_the_first_still_keeps_an_evening_from_its_series() -> None:
    of = series()
    rename(second(of))
    cancel(second(of))
    undo(of.club, "fixture.cancelled")
    services.change_series(series=of, values={"place": "New hall"}, by=None)
    assert (second(of).evening.title, second(of).evening.place) == ("Cup", "Hall")
    undo(of.club, "fixture.changed")
    assert (second(of).evening.title, second(of).evening.place) == ("Weekly", "New hall")


@pytest.mark.slow
def test_an_evening_played_after_all_and_not_after_all_stays_cancelled() -> None:
    of = series()
    cancel(second(of))
    services.restore_fixture(fixture=second(of), by=None)
    undo(of.club, "fixture.revived")
    services.change_series(series=of, values={"place": "New hall"}, by=None)
    assert second(of).cancelled_at is not None
