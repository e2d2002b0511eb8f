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
WORDS = "not counted yet"


@pytest.fixture
def sent_messages(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a broker that accepts every message, and a live worker that receives none."""
    lanes: list[int] = []
    monkeypatch.setattr(broker, "is_eager", lambda: False)
    monkeypatch.setattr(broker, "send_messages", lambda lane, times=1: not lanes.append(lane))
    monkeypatch.setattr(heartbeats, "has_no_worker", lambda: False)
    outbox.LAST_WAKE_TIMES.clear()
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
def test_whoever_follows_an_event_heals_it(
    page: Page, lost: str, late_event: Session, client: Client, sent_messages: list[int]
) -> None:
    if lost == "row":
        Job.objects.all().delete()
    if lost == "number":
        Job.objects.update(done_no=1000, state="done")
        Job.objects.update(wanted_no=1000)
    for _number in range(3):
        assert WORDS in page(late_event, client)
    assert sent_messages == [0]
    runner.run_due_jobs(KINDS, 0)
    assert tasks.list_stale_events() == []
    assert WORDS not in page(late_event, client)


@pytest.mark.parametrize("page", PAGES)
def test_what_is_young_or_counted_is_not_spoken_of(
    page: Page, late_event: Session, client: Client, sent_messages: list[int]
) -> None:
    Job.objects.update(wanted_at=timezone.now())
    assert WORDS not in page(late_event, client)
    standings.update_standings(late_event.event)
    Job.objects.update(wanted_at=timezone.now() - timedelta(minutes=1))
    assert WORDS not in page(late_event, client)
    assert sent_messages == []


def test_without_any_worker_the_page_computes_them_itself(
    late_event: Session,
    client: Client,
    sent_messages: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heartbeats, "has_no_worker", lambda: True)
    read_public_page(late_event, client)
    assert tasks.list_stale_events() == []
    assert WORDS not in read_public_page(late_event, client)


def test_standings_that_failed_are_not_tried_by_every_reader(
    late_event: Session, client: Client, sent_messages: list[int]
) -> None:
    Job.objects.update(state="failed", done_no=50, wanted_no=50)
    assert WORDS in read_public_page(late_event, client)
    assert sent_messages == []
    assert Job.objects.get(kind="standings").state == "failed"


def test_an_open_page_is_drawn_anew_while_it_is_late_and_once_after(
    late_event: Session, client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    assert "seen=late" in read_public_part(late_event, client)
    path = f"/events/{late_event.event.slug}/standings/?seen=late"
    standings.update_standings(late_event.event)
    response = client.get(path, headers={"HX-Request": "true"})
    assert (response.status_code, WORDS in response.content.decode()) == (200, False)
    version = Ranking.objects.get(event=late_event.event).public_version
    assert f"seen={version}" in response.content.decode()
