"""A page with old standings says so, and has them updated."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from config.jobs import KINDS
from scoring import tasks
from scoring.models import Ranking
from scoring.standings_engine import standings
from server.jobs import broker, heartbeats, outbox, runner
from server.models import Job
from tests import evenings
from tournaments.models import Session

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
LATE_NOTICE = "not counted yet"


@pytest.fixture
def sent_message_lanes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a broker that accepts every message, and a live worker that receives none."""
    lanes: list[int] = []
    monkeypatch.setattr(broker, "is_celery_eager", lambda: False)
    monkeypatch.setattr(broker, "send_messages", lambda lane, times=1: not lanes.append(lane))
    monkeypatch.setattr(heartbeats, "has_no_worker", lambda: False)
    outbox.LAST_MESSAGE_TIME_BY_JOB.clear()
    return lanes


@pytest.fixture
def late_session(sent_message_lanes: list[int]) -> Session:
    """Return an event with old results that are in no standings: their job was lost."""
    session, _user = evenings.play_session()
    Job.objects.update(wanted_at=timezone.now() - timedelta(minutes=1))
    return session


def read_public_page(session: Session, client: Client) -> str:
    return client.get(f"/events/{session.event.slug}/").content.decode()


def read_public_fragment(session: Session, client: Client) -> str:
    path = f"/events/{session.event.slug}/standings/?seen=0"
    return client.get(path, headers={"HX-Request": "true"}).content.decode()


def read_director_fragment(session: Session, client: Client) -> str:
    client.force_login(session.event.club.memberships.get().user)
    path = f"/director/events/{session.event.slug}/standings/"
    return client.get(path, headers={"HX-Request": "true"}).content.decode()


PAGE_READERS = [read_public_page, read_public_fragment, read_director_fragment]
PageReader = Callable[[Session, Client], str]


@pytest.mark.parametrize("page", PAGE_READERS)
@pytest.mark.parametrize("lost_part", ["bell", "row", "number"])
def test_visitor_restarts_the_lost_job_of_late_standings(
    page: PageReader,
    lost_part: str,
    late_session: Session,
    client: Client,
    sent_message_lanes: list[int],
) -> None:
    if lost_part == "row":
        Job.objects.all().delete()
    if lost_part == "number":
        Job.objects.update(done_no=1000, state="done")
        Job.objects.update(wanted_no=1000)
    for _number in range(3):
        assert LATE_NOTICE in page(late_session, client)
    assert sent_message_lanes == [0]
    runner.run_due_jobs(KINDS, 0)
    assert tasks.list_stale_events() == []
    assert LATE_NOTICE not in page(late_session, client)


@pytest.mark.parametrize("page", PAGE_READERS)
def test_recent_or_computed_standings_are_not_reported_as_late(
    page: PageReader, late_session: Session, client: Client, sent_message_lanes: list[int]
) -> None:
    Job.objects.update(wanted_at=timezone.now())
    assert LATE_NOTICE not in page(late_session, client)
    standings.update_standings(late_session.event)
    Job.objects.update(wanted_at=timezone.now() - timedelta(minutes=1))
    assert LATE_NOTICE not in page(late_session, client)
    assert sent_message_lanes == []


def test_page_computes_standings_itself_without_workers(
    late_session: Session,
    client: Client,
    sent_message_lanes: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heartbeats, "has_no_worker", lambda: True)
    read_public_page(late_session, client)
    assert tasks.list_stale_events() == []
    assert LATE_NOTICE not in read_public_page(late_session, client)


def test_failed_standings_are_not_retried_for_every_visitor(
    late_session: Session, client: Client, sent_message_lanes: list[int]
) -> None:
    Job.objects.update(state="failed", done_no=50, wanted_no=50)
    assert LATE_NOTICE in read_public_page(late_session, client)
    assert sent_message_lanes == []
    assert Job.objects.get(kind="standings").state == "failed"


def test_open_page_is_redrawn_while_standings_are_late_and_once_afterwards(
    late_session: Session, client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    assert "seen=late" in read_public_fragment(late_session, client)
    path = f"/events/{late_session.event.slug}/standings/?seen=late"
    standings.update_standings(late_session.event)
    response = client.get(path, headers={"HX-Request": "true"})
    assert (response.status_code, LATE_NOTICE in response.content.decode()) == (200, False)
    version = Ranking.objects.get(event=late_session.event).public_version
    assert f"seen={version}" in response.content.decode()
