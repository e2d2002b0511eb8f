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
def sent_messages(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a broker that accepts every message, and a live worker that receives none."""
    lanes: list[int] = []
    monkeypatch.setattr(broker, "is_eager", lambda: False)
    monkeypatch.setattr(broker, "send_messages", lambda lane, times=1: not lanes.append(lane))
    monkeypatch.setattr(heartbeats, "has_no_worker", lambda: False)
    outbox.LAST_MESSAGE_TIME_BY_JOB.clear()
    return lanes


@pytest.fixture
def late_event(sent_messages: list[int]) -> Session:
    """Return an event with old results that are in no standings: their job was lost."""
    session, _user = evenings.play_session()
    Job.objects.update(wanted_at=timezone.now() - timedelta(minutes=1))
    return session


def read_public_page(session: Session, client: Client) -> str:
    return client.get(f"/events/{session.event.slug}/").content.decode()


def read_public_part(session: Session, client: Client) -> str:
    path = f"/events/{session.event.slug}/standings/?seen=0"
    return client.get(path, headers={"HX-Request": "true"}).content.decode()


def read_director_part(session: Session, client: Client) -> str:
    client.force_login(session.event.club.memberships.get().user)
    path = f"/director/events/{session.event.slug}/standings/"
    return client.get(path, headers={"HX-Request": "true"}).content.decode()


PAGES = [read_public_page, read_public_part, read_director_part]
Page = Callable[[Session, Client], str]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("lost", ["bell", "row", "number"])
def test_visitor_of_a_late_event_restarts_its_lost_job(
    page: Page, lost: str, late_event: Session, client: Client, sent_messages: list[int]
) -> None:
    if lost == "row":
        Job.objects.all().delete()
    if lost == "number":
        Job.objects.update(done_no=1000, state="done")
        Job.objects.update(wanted_no=1000)
    for _number in range(3):
        assert LATE_NOTICE in page(late_event, client)
    assert sent_messages == [0]
    runner.run_due_jobs(KINDS, 0)
    assert tasks.list_stale_events() == []
    assert LATE_NOTICE not in page(late_event, client)


@pytest.mark.parametrize("page", PAGES)
def test_recent_or_computed_standings_are_not_reported_as_late(
    page: Page, late_event: Session, client: Client, sent_messages: list[int]
) -> None:
    Job.objects.update(wanted_at=timezone.now())
    assert LATE_NOTICE not in page(late_event, client)
    standings.update_standings(late_event.event)
    Job.objects.update(wanted_at=timezone.now() - timedelta(minutes=1))
    assert LATE_NOTICE not in page(late_event, client)
    assert sent_messages == []


def test_page_computes_standings_itself_without_workers(
    late_event: Session,
    client: Client,
    sent_messages: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heartbeats, "has_no_worker", lambda: True)
    read_public_page(late_event, client)
    assert tasks.list_stale_events() == []
    assert LATE_NOTICE not in read_public_page(late_event, client)


def test_failed_standings_are_not_retried_for_every_visitor(
    late_event: Session, client: Client, sent_messages: list[int]
) -> None:
    Job.objects.update(state="failed", done_no=50, wanted_no=50)
    assert LATE_NOTICE in read_public_page(late_event, client)
    assert sent_messages == []
    assert Job.objects.get(kind="standings").state == "failed"


def test_open_page_is_redrawn_while_standings_are_late_and_once_afterwards(
    late_event: Session, client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    assert "seen=late" in read_public_part(late_event, client)
    path = f"/events/{late_event.event.slug}/standings/?seen=late"
    standings.update_standings(late_event.event)
    response = client.get(path, headers={"HX-Request": "true"})
    assert (response.status_code, LATE_NOTICE in response.content.decode()) == (200, False)
    version = Ranking.objects.get(event=late_event.event).public_version
    assert f"seen={version}" in response.content.decode()
