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


def set_computed_at(session: Session, *, ago: float) -> None:
    standings.update_standings(session.event)
    now = timezone.now() - timedelta(seconds=ago)
    Ranking.objects.filter(event=session.event).update(computed_at=now)


def test_the_first_entry_waits_for_nothing(session: Session) -> None:
    assert tasks.compute_recompute_delay(session.event_id) == 0


def test_an_entry_after_a_quiet_time_waits_for_nothing(session: Session) -> None:
    set_computed_at(session, ago=tasks.MIN_RECOMPUTE_INTERVAL_SECONDS)
    assert tasks.compute_recompute_delay(session.event_id) == 0


def test_an_entry_right_after_another_waits_for_those_that_come_with_it(
    session: Session,
) -> None:
    set_computed_at(session, ago=0.0)
    assert (
        0
        < tasks.compute_recompute_delay(session.event_id)
        <= tasks.MIN_RECOMPUTE_INTERVAL_SECONDS
    )


def test_a_clock_put_back_holds_up_nothing(session: Session) -> None:
    set_computed_at(session, ago=-3600.0)
    assert tasks.compute_recompute_delay(session.event_id) == 0


def test_a_worker_brings_the_standings_up_to_date_and_an_event_that_is_gone_is_no_work(
    session: Session,
) -> None:
    assert tasks.list_stale_events() == [session.event_id]
    tasks.recompute_standings(session.event_id)
    tasks.recompute_standings(404)
    assert tasks.list_stale_events() == []
