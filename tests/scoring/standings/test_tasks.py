"""Results that arrive together share one computation, and the first does not wait."""

from datetime import timedelta

import pytest
from django.utils import timezone

from scoring import tasks
from scoring.models import Ranking
from scoring.standings_engine import standings
from tests import evenings
from tournaments.models import Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    """Return a session whose last results are not in the standings yet."""
    session, _ = evenings.play_session()
    return session


def set_computed_at(session: Session, *, seconds_ago: float) -> None:
    standings.update_standings(session.event)
    now = timezone.now() - timedelta(seconds=seconds_ago)
    Ranking.objects.filter(event=session.event).update(computed_at=now)


def test_first_entry_is_computed_without_delay(session: Session) -> None:
    assert tasks.compute_recompute_delay(session.event_id) == 0


def test_entry_after_a_quiet_period_is_computed_without_delay(session: Session) -> None:
    set_computed_at(session, seconds_ago=tasks.MIN_RECOMPUTE_INTERVAL_SECONDS)
    assert tasks.compute_recompute_delay(session.event_id) == 0


def test_entry_right_after_another_is_delayed_and_computed_together(
    session: Session,
) -> None:
    set_computed_at(session, seconds_ago=0.0)
    assert (
        0
        < tasks.compute_recompute_delay(session.event_id)
        <= tasks.MIN_RECOMPUTE_INTERVAL_SECONDS
    )


def test_clock_set_back_does_not_delay_the_computation(session: Session) -> None:
    set_computed_at(session, seconds_ago=-3600.0)
    assert tasks.compute_recompute_delay(session.event_id) == 0


def test_worker_updates_standings_and_skips_a_deleted_event(
    session: Session,
) -> None:
    assert tasks.list_stale_events() == [session.event_id]
    tasks.recompute_standings(session.event_id)
    tasks.recompute_standings(404)
    assert tasks.list_stale_events() == []
