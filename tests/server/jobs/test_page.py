"""The page of jobs, its command, and the banner when no worker is running."""

import time
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from clubs.models import Membership
from config.jobs import KINDS
from server.jobs import broker, heartbeats, outbox
from server.models import Job, User, Worker
from tests import evenings
from tests.factories import ClubFactory, UserFactory
from tournaments.models import Session

pytestmark = pytest.mark.django_db
WORKER_MISSING_TEXT = "the background program isn’t responding"


@pytest.fixture
def failed_job() -> tuple[Session, Job]:
    """Create standings whose job failed permanently."""
    session, _user = evenings.play_session()
    Job.objects.exclude(kind="standings").delete()
    Job.objects.update(state="failed", trouble="broken", tries=3, done_no=50, wanted_no=50)
    return session, Job.objects.get()


def sign_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def create_member(session: Session, role: str) -> User:
    user = UserFactory(username=f"a-{role}")
    Membership.objects.create(club=session.event.club, user=user, role=role)
    return user


def create_owner_of_other_club() -> User:
    user = UserFactory(username="another")
    other_club = ClubFactory(name="Elsewhere", slug="elsewhere")
    Membership.objects.create(club=other_club, user=user, role="owner")
    return user


@pytest.mark.parametrize("is_club_known", [True, False])
@pytest.mark.parametrize(
    ("user_role", "status", "can_see_job"),
    [
        ("owner", 200, True),
        ("director", 403, False),
        ("scorer", 403, False),
        ("keeper", 200, True),
        ("owner elsewhere", 200, False),
    ],
)
def test_club_director_sees_and_retries_jobs_of_club(
    failed_job: tuple[Session, Job],
    user_role: str,
    status: int,
    can_see_job: bool,
    is_club_known: bool,
) -> None:
    session, job = failed_job
    Job.objects.update(club=session.event.club_id if is_club_known else None)
    match user_role:
        case "keeper":
            user = UserFactory(username="keeper", is_superuser=True)
        case "owner elsewhere":
            user = create_owner_of_other_club()
        case role:
            user = create_member(session, role)
    client = sign_in(user)
    page = client.get("/director/jobs/")
    assert page.status_code == status
    text = f"<span>working out standings</span> <span>{session.event.name}</span>"
    assert (text in " ".join(page.content.decode().split())) is can_see_job
    client.post("/director/jobs/retry/", {"job": job.pk})
    job.refresh_from_db()
    assert (job.state == "wanted") is can_see_job


def test_jobs_page_reports_errors_and_completion(
    failed_job: tuple[Session, Job],
) -> None:
    session, job = failed_job
    client = sign_in(create_member(session, "owner"))
    text = " ".join(client.get("/director/jobs/").content.decode().split())
    assert "3 tries: an error in Overplay, see the log" in text
    outbox.retry_job(KINDS, job.pk)
    broker.wake_worker(0, "standings", session.event_id)
    assert "All done." in client.get("/director/jobs/").content.decode()


@pytest.mark.parametrize(("lengths", "is_unavailable"), [(None, True), ({}, False)])
def test_owners_are_notified_of_unavailable_queue(
    failed_job: tuple[Session, Job],
    lengths: dict[int, int] | None,
    is_unavailable: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broker, "is_celery_eager", lambda: False)
    monkeypatch.setattr(broker, "is_broker_in_memory", lambda: False)
    monkeypatch.setattr(broker, "read_queue_lengths", lambda: lengths)
    page = (
        sign_in(create_member(failed_job[0], "owner")).get("/director/jobs/").content.decode()
    )
    assert ("The task queue doesn’t respond" in page) is is_unavailable


@pytest.mark.parametrize("number", ["", "x", "404", "9" * 30])
def test_unknown_job_cannot_be_retried(failed_job: tuple[Session, Job], number: str) -> None:
    client = sign_in(create_member(failed_job[0], "owner"))
    assert client.post("/director/jobs/retry/", {"job": number}).status_code == 404


def test_command_lists_and_retries_jobs(failed_job: tuple[Session, Job]) -> None:
    session, job = failed_job
    output = StringIO()
    call_command("jobs", "--failed", stdout=output)
    (line,) = output.getvalue().splitlines()
    assert f"working out standings  {session.event.name}  failed  an error in" in line
    call_command("jobs", "--retry", str(job.pk), stdout=output)
    job.refresh_from_db()
    assert job.state == "wanted"
    output = StringIO()
    call_command("jobs", "--failed", stdout=output)
    assert output.getvalue() == ""
    with pytest.raises(CommandError, match="Job 404 not found"):
        call_command("jobs", "--retry", "404")


def test_command_reports_whether_worker_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeats, "has_no_worker", lambda: False)
    call_command("jobs", "--alive")
    monkeypatch.setattr(heartbeats, "has_no_worker", lambda: True)
    with pytest.raises(CommandError, match="No worker"):
        call_command("jobs", "--alive")


@pytest.mark.parametrize("place", ["server", "laptop"])
@pytest.mark.parametrize(
    ("heartbeat_age_seconds", "is_worker_missing"), [(None, True), (29, False), (31, True)]
)
def test_missing_worker_heartbeat_is_shown_on_desk(
    place: str,
    heartbeat_age_seconds: int | None,
    is_worker_missing: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session, user = evenings.open_session(6)
    monkeypatch.setattr(broker, "is_celery_eager", lambda: False)
    monkeypatch.setattr(broker, "is_broker_in_memory", lambda: place == "laptop")
    monkeypatch.setattr(heartbeats.OwnHeartbeat, "expected_since", time.monotonic() - 3600)
    monkeypatch.setattr(heartbeats.OwnHeartbeat, "seen_at", None)
    if heartbeat_age_seconds is not None:
        heartbeats.record_heartbeat("here")
        Worker.objects.update(seen_at=timezone.now() - timedelta(seconds=heartbeat_age_seconds))
        if place == "laptop":
            monkeypatch.setattr(
                heartbeats.OwnHeartbeat, "seen_at", time.monotonic() - heartbeat_age_seconds
            )
    page = sign_in(user).get(f"/director/events/{session.event.slug}/").content.decode()
    assert (WORKER_MISSING_TEXT in page) is is_worker_missing


def test_heartbeat_updates_one_row_and_deletes_stale_worker_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broker, "is_broker_in_memory", lambda: False)
    Worker.objects.create(name="long dead", seen_at=timezone.now() - timedelta(days=2))
    for _number in range(3):
        heartbeats.record_heartbeat("one")
    heartbeats.record_heartbeat("two")
    assert sorted(Worker.objects.values_list("name", flat=True)) == ["one", "two"]
