"""Entries that come in one moment share one computation, and the first waits for nothing."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from scoring import tasks
from scoring.models import Ranking
from scoring.reckoning import standings
from tests import evenings
from tournaments.models import Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    """An evening whose last results are not in the standings yet."""
    found, _ = evenings.played()
    return found


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Write down how long a worker would have waited."""
    found: list[float] = []
    monkeypatch.setattr(tasks, "time", SimpleNamespace(sleep=found.append))
    return found


def by_a_worker(session: Session) -> None:
    task = tasks.recompute_standings
    task.push_request(called_directly=False, is_eager=False)
    try:
        task.run(session.event_id)
    finally:
        task.pop_request()


def computed(session: Session, *, ago: float) -> None:
    standings.recompute(session.event)
    at = timezone.now() - timedelta(seconds=ago)
    Ranking.objects.filter(event=session.event).update(computed_at=at)
    session.event.sessions.update(revision=1000)


def test_the_first_entry_waits_for_nothing(session: Session, rests: list[float]) -> None:
    by_a_worker(session)
    assert rests == [0]
    assert Ranking.objects.get(event=session.event).version == 1


def test_an_entry_after_a_quiet_time_waits_for_nothing(
    session: Session, rests: list[float]
) -> None:
    computed(session, ago=tasks.BREATH)
    by_a_worker(session)
    assert rests == [0]
    assert Ranking.objects.get(event=session.event).revision == 1000


def test_an_entry_right_after_another_waits_for_those_that_come_with_it(
    session: Session, rests: list[float]
) -> None:
    computed(session, ago=0.0)
    by_a_worker(session)
    assert 0 < rests[0] <= tasks.BREATH
    assert Ranking.objects.get(event=session.event).revision == 1000


def test_a_clock_put_back_holds_up_nothing(session: Session, rests: list[float]) -> None:
    computed(session, ago=-3600.0)
    by_a_worker(session)
    assert rests == [0]


def test_what_is_done_on_the_spot_never_waits(session: Session, rests: list[float]) -> None:
    computed(session, ago=0.0)
    tasks.recompute_standings(session.event_id)
    tasks.recompute_standings.apply(args=[session.event_id])
    assert rests == []
