"""Jobs as rows: queued, claimed, done, abandoned, retried and failed permanently."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError
from django.db.models import Sum
from django.utils import timezone

from server.jobs import broker, job_list, outbox, runner, sweep
from server.jobs.failures import MAX_BACKOFF_SECONDS, MAX_CRASHES, MAX_TRIES
from server.jobs.kinds import JobKind, JobKindsByCode, Lane, index_job_kinds
from server.models import ClubWork, Job, Worker

pytestmark = pytest.mark.django_db
NOW_LANE, LATER_LANE = Lane.NOW, Lane.LATER


@dataclass
class JobRecorder:
    """A job kind that records its calls, and raises or returns what the test sets."""

    completed_keys: list[int] = field(default_factory=list)
    given_up: list[tuple[int, str]] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)
    on_run: Callable[[], object] = lambda: None

    def run_job(self, about: int) -> bool | None:
        self.completed_keys.append(about)
        self.on_run()
        outcome = self.answers.pop(0) if self.answers else None
        if isinstance(outcome, Exception):
            raise outcome
        return bool(outcome)

    def give_up(self, about: int, words: str) -> None:
        self.given_up.append((about, words))

    def build_kind(self, **changes: Any) -> JobKind:
        job_kind = JobKind("sums", "sums", NOW_LANE, 30, self.run_job, lambda: [], self.give_up)
        return replace(job_kind, **changes)


@pytest.fixture
def job_recorder() -> JobRecorder:
    return JobRecorder()


@pytest.fixture
def kinds(job_recorder: JobRecorder) -> JobKindsByCode:
    return index_job_kinds(
        job_recorder.build_kind(), job_recorder.build_kind(code="papers", lane=LATER_LANE)
    )


@pytest.fixture(autouse=True)
def sent_messages(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Send no message: the test runs the jobs itself."""
    message_args: list[Any] = []
    monkeypatch.setattr(broker, "wake_worker", lambda *args: message_args.append(args))
    monkeypatch.setattr(broker, "is_celery_eager", lambda: False)
    return message_args


def enqueue_and_load(kinds: JobKindsByCode, about: int = 1, code: str = "sums") -> Job:
    outbox.enqueue(kinds[code], about)
    return Job.objects.get(kind=code, about=about)


def move_times_back(seconds: float) -> None:
    """Let time pass: move every stored time earlier."""
    for job in Job.objects.all():
        for name in ("not_before", "began_at", "lease_until", "wanted_at", "ended_at"):
            if (response := getattr(job, name)) is not None:
                setattr(job, name, response - timedelta(seconds=seconds))
        job.save()


def claim_job(kinds, lane, requested_job):
    """Claim a job as a worker does."""
    claim = runner._claim_job(kinds, lane, requested_job)
    assert claim is not None
    return claim.job


def claim_and_die(kinds: JobKindsByCode, by: str = "elsewhere/1/1") -> Job:
    """Let a worker of another process claim a job and die."""
    job = claim_job(kinds, LATER_LANE, None)
    Job.objects.filter(pk=job.pk).update(worker=by)
    job.worker = by
    return job


def test_forty_requests_create_one_job_and_one_notification(
    kinds: JobKindsByCode,
    job_recorder: JobRecorder,
    sent_messages: list[Any],
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        for _number in range(40):
            job = enqueue_and_load(kinds)
    assert (Job.objects.count(), job.wanted_no, job.state) == (1, 40, "wanted")
    assert sent_messages == [(NOW_LANE, "sums", 1)]
    runner.run_due_jobs(kinds, NOW_LANE)
    job.refresh_from_db()
    assert (job_recorder.completed_keys, job.done_no, job.state) == ([1], 40, "done")
    with django_capture_on_commit_callbacks(execute=True):
        enqueue_and_load(kinds)
    assert len(sent_messages) == 2


def test_request_during_running_job_is_not_lost(
    kinds: JobKindsByCode, job_recorder: JobRecorder
) -> None:
    def enqueue_again() -> None:
        job_recorder.on_run = lambda: None
        assert enqueue_and_load(kinds).state == "doing"

    enqueue_and_load(kinds)
    job_recorder.on_run = enqueue_again
    assert not runner.run_due_jobs(kinds, NOW_LANE)
    assert job_recorder.completed_keys == [1, 1]
    assert not Job.objects.filter_unfinished().exists()


def test_request_during_last_attempt_gets_full_number_of_attempts(
    kinds: JobKindsByCode, job_recorder: JobRecorder
) -> None:
    def once_more() -> None:
        if len(job_recorder.completed_keys) == MAX_TRIES:
            enqueue_and_load(kinds)

    enqueue_and_load(kinds)
    job_recorder.on_run = once_more
    job_recorder.answers = [ValueError()] * MAX_TRIES
    for _number in range(MAX_TRIES + 1):
        runner.run_due_jobs(kinds, NOW_LANE)
        move_times_back(60)
    assert len(job_recorder.completed_keys) == MAX_TRIES + 1
    assert job_recorder.given_up == []
    assert Job.objects.get().state == "done"


def test_duplicate_message_does_not_rerun_job(
    kinds: JobKindsByCode, job_recorder: JobRecorder
) -> None:
    enqueue_and_load(kinds)
    for _number in range(3):
        runner.run_due_jobs(kinds, NOW_LANE)
    assert job_recorder.completed_keys == [1]


def test_standings_run_before_documents_and_fast_lane_skips_documents(
    kinds: JobKindsByCode, job_recorder: JobRecorder
) -> None:
    enqueue_and_load(kinds, 1, "papers")
    enqueue_and_load(kinds, 2, "papers")
    enqueue_and_load(kinds, 3)
    runner.run_due_jobs(kinds, NOW_LANE)
    assert job_recorder.completed_keys == [3]
    enqueue_and_load(kinds, 4)
    runner.run_due_jobs(kinds, LATER_LANE)
    assert job_recorder.completed_keys == [3, 4, 1, 2]


def test_next_slice_of_job_runs_after_waiting_jobs(
    kinds: JobKindsByCode, job_recorder: JobRecorder
) -> None:
    enqueue_and_load(kinds, 1, "papers")
    enqueue_and_load(kinds, 2, "papers")
    job_recorder.answers = [True, None, None]
    runner.run_due_jobs(kinds, LATER_LANE)
    assert job_recorder.completed_keys == [1, 2, 1]


def test_job_of_unknown_kind_is_left_to_newer_program_version(
    kinds: JobKindsByCode, job_recorder: JobRecorder
) -> None:
    job = enqueue_and_load(kinds)
    Job.objects.update(kind="from a newer version")
    runner.run_due_jobs(kinds, LATER_LANE)
    job.refresh_from_db()
    assert (job_recorder.completed_keys, job.state) == ([], "wanted")


EXPIRED_LEASE_SECONDS = runner.LEASE_DURATION.total_seconds() + 1


@pytest.mark.parametrize(
    "delay_seconds", [0.0, EXPIRED_LEASE_SECONDS / 2, EXPIRED_LEASE_SECONDS]
)
def test_job_of_dead_worker_is_released_when_lease_expires(
    kinds: JobKindsByCode, job_recorder: JobRecorder, delay_seconds: float
) -> None:
    enqueue_and_load(kinds)
    claim_and_die(kinds)
    move_times_back(delay_seconds)
    runner.run_due_jobs(kinds, NOW_LANE)
    assert job_recorder.completed_keys == (
        [1] if delay_seconds >= EXPIRED_LEASE_SECONDS else []
    )


def test_worker_without_lease_cannot_complete_reassigned_job(kinds: JobKindsByCode) -> None:
    enqueue_and_load(kinds)
    lost = claim_and_die(kinds)
    move_times_back(EXPIRED_LEASE_SECONDS)
    own_job = claim_job(kinds, NOW_LANE, None)
    runner._record_completion(lost, kinds["sums"], has_more=False)
    assert Job.objects.get().state == "doing"
    runner._record_completion(own_job, kinds["sums"], has_more=False)
    assert Job.objects.get().state == "done"


@pytest.mark.parametrize(("should_wait", "expected_tries"), [(True, 4), (False, 1)])
def test_worker_waits_for_unavailable_database_to_record_result(
    kinds: JobKindsByCode,
    should_wait: bool,
    expected_tries: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The parent renews the lease while it lives, so no other worker could end the job."""
    attempts: list[int] = []

    def fail_four_times() -> None:
        attempts.append(1)
        if len(attempts) < 4:
            raise OperationalError("gone")

    enqueue_and_load(kinds)
    job = claim_job(kinds, NOW_LANE, None)
    monkeypatch.setattr(runner, "_drop_stale_connections", fail_four_times)
    monkeypatch.setattr(runner, "SAVE_RETRY_SECONDS", 0.0)
    monkeypatch.setattr(runner, "connection", SimpleNamespace(in_atomic_block=False))
    token = runner.SHOULD_WAIT_FOR_DATABASE.set(should_wait)
    runner._record_completion(job, kinds["sums"], has_more=False)
    runner.SHOULD_WAIT_FOR_DATABASE.reset(token)
    assert len(attempts) == expected_tries
    assert Job.objects.get().state == ("done" if should_wait else "doing")


@pytest.mark.parametrize("field_name", ["lease_until", "not_before"])
def test_clock_set_back_delays_no_job(
    kinds: JobKindsByCode, job_recorder: JobRecorder, field_name: str
) -> None:
    enqueue_and_load(kinds)
    Job.objects.update(**{field_name: timezone.now() + timedelta(hours=1)})
    runner.run_due_jobs(kinds, NOW_LANE)
    assert job_recorder.completed_keys == [1]


TRANSIENT_ERRORS = [
    OperationalError("gone"),
    ConnectionResetError(),
    TimeoutError(),
    OSError(28, "full"),
]
PERMANENT_ERRORS = [ValueError("bug"), KeyError("bug"), OSError("no number"), AssertionError()]


@pytest.mark.parametrize(
    ("error", "is_transient"),
    [*product(TRANSIENT_ERRORS, [True]), *product(PERMANENT_ERRORS, [False])],
    ids=lambda value: repr(value),
)
def test_transient_errors_retry_forever_and_permanent_errors_three_times(
    kinds: JobKindsByCode, job_recorder: JobRecorder, error: Exception, is_transient: bool
) -> None:
    enqueue_and_load(kinds)
    job_recorder.answers = [error] * 30
    pauses = []
    for _number in range(10):
        runner.run_due_jobs(kinds, NOW_LANE)
        job = Job.objects.get()
        if job.state == "failed":
            break
        pauses.append((job.not_before - timezone.now()).total_seconds())
        assert job.trouble
        move_times_back(MAX_BACKOFF_SECONDS * 1.3)
    expected = [1, 2, 4, 8, 16, 32, 60, 60, 60, 60] if is_transient else [1, 2]
    assert len(pauses) == len(expected)
    for pause, step in zip(pauses, expected, strict=True):
        assert 0.7 * step < pause < 1.3 * step
    assert len(job_recorder.given_up) == (0 if is_transient else 1)
    assert Job.objects.filter_unfinished().exists() is is_transient


def test_outages_do_not_count_as_failed_attempts(
    kinds: JobKindsByCode, job_recorder: JobRecorder
) -> None:
    enqueue_and_load(kinds)
    job_recorder.answers = [OperationalError("away")] * 7 + [ValueError()] * 30
    for _number in range(30):
        runner.run_due_jobs(kinds, NOW_LANE)
        move_times_back(MAX_BACKOFF_SECONDS * 1.3)
    assert len(job_recorder.completed_keys) == 7 + MAX_TRIES
    assert Job.objects.get().state == "failed"


def test_failing_job_does_not_delay_other_jobs(
    kinds: JobKindsByCode, job_recorder: JobRecorder
) -> None:
    enqueue_and_load(kinds, 1)
    enqueue_and_load(kinds, 2)
    job_recorder.answers = [ValueError("poison")]
    runner.run_due_jobs(kinds, NOW_LANE)
    assert job_recorder.completed_keys == [1, 2]
    assert Job.objects.get(about=2).state == "done"


def test_failed_job_shows_message_and_is_retried_on_request(
    kinds: JobKindsByCode, job_recorder: JobRecorder
) -> None:
    job = enqueue_and_load(kinds)
    job_recorder.answers = [ValueError()] * MAX_TRIES
    for _number in range(MAX_TRIES):
        runner.run_due_jobs(kinds, NOW_LANE)
        move_times_back(60)
    (line,) = job_list.list_jobs(kinds)
    text = "an error in Overplay, see the log"
    assert (line.has_failed, line.try_count, line.reason) == (True, MAX_TRIES, text)
    assert job_recorder.given_up == [(1, text)]
    assert sweep.enqueue_missing_jobs(kinds) == 0
    runner.run_due_jobs(kinds, NOW_LANE)
    assert len(job_recorder.completed_keys) == MAX_TRIES
    assert outbox.retry_job(kinds, job.pk)
    assert not outbox.retry_job(kinds, 404)
    runner.run_due_jobs(kinds, NOW_LANE)
    assert job_list.list_jobs(kinds) == []


@pytest.mark.parametrize("trouble", ["", "too_long", "database", "disk"])
def test_job_that_kills_its_worker_is_failed_permanently(
    kinds: JobKindsByCode, job_recorder: JobRecorder, trouble: str
) -> None:
    enqueue_and_load(kinds)
    for _number in range(MAX_CRASHES):
        claim_and_die(kinds)
        Job.objects.update(trouble=trouble)
        move_times_back(EXPIRED_LEASE_SECONDS)
    runner.run_due_jobs(kinds, NOW_LANE)
    job = Job.objects.get()
    expected_trouble = "too_long" if trouble == "too_long" else "died"
    assert (job_recorder.completed_keys, job.state, job.trouble) == (
        [],
        "failed",
        expected_trouble,
    )
    assert len(job_recorder.given_up) == 1


@pytest.mark.parametrize("other_job_count", [0, 1, 3])
def test_program_crash_counts_only_if_program_ran_single_job(
    kinds: JobKindsByCode, job_recorder: JobRecorder, other_job_count: int
) -> None:
    for number in range(other_job_count + 1):
        enqueue_and_load(kinds, number)
        claim_and_die(kinds, f"elsewhere/1/{number}/1")
    move_times_back(EXPIRED_LEASE_SECONDS)
    job = claim_job(kinds, NOW_LANE, None)
    assert job.deaths == (0 if other_job_count else 1)
    jobs = Job.objects.exclude(pk=job.pk)
    assert set(jobs.values_list("state", "deaths")) == (
        {("wanted", 0)} if other_job_count else set()
    )


def test_crash_of_child_process_counts_only_for_its_job(
    kinds: JobKindsByCode, job_recorder: JobRecorder
) -> None:
    for about in (1, 2):
        enqueue_and_load(kinds, about)
        claim_and_die(kinds, f"{runner.PROGRAM_INSTANCE_NAME}/{about}/1")
    sweep.Sweep(kinds, lambda: [2])._renew_leases(timezone.now())
    job = claim_job(kinds, NOW_LANE, None)
    assert (job.about, job.deaths) == (1, 1)
    assert Job.objects.get(about=2).state == "doing"


@pytest.mark.parametrize("is_harmless", [True, False])
def test_job_failed_after_crashes_is_retried_after_restart(
    kinds: JobKindsByCode, job_recorder: JobRecorder, is_harmless: bool
) -> None:
    enqueue_and_load(kinds)
    for _number in range(MAX_CRASHES):
        claim_and_die(kinds)
        move_times_back(EXPIRED_LEASE_SECONDS)
    runner.run_due_jobs(kinds, NOW_LANE)
    assert Job.objects.get().state == "failed"
    assert sweep.retry_crashed_jobs(kinds) == 1
    if is_harmless:
        runner.run_due_jobs(kinds, NOW_LANE)
        assert (job_recorder.completed_keys, Job.objects.get().state) == ([1], "done")
        return
    claim_and_die(kinds)
    move_times_back(EXPIRED_LEASE_SECONDS)
    runner.run_due_jobs(kinds, NOW_LANE)
    assert (job_recorder.completed_keys, Job.objects.get().state) == ([], "failed")
    assert sweep.retry_crashed_jobs(kinds) == 0


def test_sweep_renews_leases_of_live_workers_and_releases_others(
    kinds: JobKindsByCode,
) -> None:
    for number in range(3):
        enqueue_and_load(kinds, number)
    for number, process in enumerate((11, 12, 13)):
        claim_and_die(kinds, f"{runner.PROGRAM_INSTANCE_NAME}/{process}/1")
        assert number < 3
    Job.objects.filter(about=2).update(began_at=timezone.now() - timedelta(seconds=31))
    move_times_back(10)
    sweeper = sweep.Sweep(kinds, lambda: [11])
    sweeper._renew_leases(timezone.now())
    live_job, dead_job = Job.objects.get(about=0), Job.objects.get(about=1)
    assert live_job.lease_until is not None
    assert live_job.lease_until > timezone.now() + runner.LEASE_DURATION / 2
    assert dead_job.lease_until is None
    move_times_back(EXPIRED_LEASE_SECONDS)
    assert set(Job.objects.filter_runnable(timezone.now()).values_list("about", flat=True)) == {
        0,
        1,
        2,
    }


def test_process_over_time_limit_is_stopped(
    kinds: JobKindsByCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed_processes: list[int] = []
    monkeypatch.setattr("os.kill", lambda process, _signal: killed_processes.append(process))
    enqueue_and_load(kinds)
    claim_and_die(kinds, f"{runner.PROGRAM_INSTANCE_NAME}/4242/1")
    sweeper = sweep.Sweep(kinds, lambda: [4242])
    sweeper._renew_leases(timezone.now())
    assert killed_processes == []
    sweeper._renew_leases(timezone.now() + timedelta(seconds=31))
    job = Job.objects.get()
    assert (killed_processes, job.trouble, job.lease_until) == ([4242], "too_long", None)


def test_sweep_enqueues_missing_jobs(job_recorder: JobRecorder) -> None:
    missing_keys = [1, 2, 3]
    kinds = index_job_kinds(job_recorder.build_kind(find_missing_job_keys=lambda: missing_keys))
    enqueue_and_load(kinds, 1)
    enqueue_and_load(kinds, 2)
    Job.objects.filter(about=2).update(done_no=1, state="done")  # inconsistent with the object
    assert sweep.enqueue_missing_jobs(kinds) == 2
    runner.run_due_jobs(kinds, NOW_LANE)
    assert sorted(job_recorder.completed_keys) == [1, 2, 3]


@pytest.mark.parametrize(("hours", "expected_count"), [(19, 0), (21, 1)])
def test_failed_daily_job_is_retried_after_delay(
    job_recorder: JobRecorder, hours: int, expected_count: int
) -> None:
    kinds = index_job_kinds(
        job_recorder.build_kind(
            find_missing_job_keys=lambda: [1], retry_failed_after=timedelta(hours=20)
        )
    )
    enqueue_and_load(kinds)
    job_recorder.answers = [ValueError()] * MAX_TRIES
    for _number in range(MAX_TRIES):
        runner.run_due_jobs(kinds, NOW_LANE)
        move_times_back(60)
    assert Job.objects.get().state == "failed"
    move_times_back(hours * 3600)
    assert sweep.enqueue_missing_jobs(kinds) == expected_count
    runner.run_due_jobs(kinds, NOW_LANE)
    assert Job.objects.get().state == ("done" if expected_count else "failed")


class FakeQueue:
    """A queue that counts its messages, or is unreachable."""

    def __init__(self, messages: dict[int, int] | None) -> None:
        self.messages = messages

    def read_lengths(self) -> dict[int, int] | None:
        return self.messages

    def send(self, lane: int, times: int = 1) -> bool:
        if self.messages is None:
            return False
        self.messages[lane] = self.messages.get(lane, 0) + times
        return True


@pytest.fixture
def brokerless_starts(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    worker_starts: list[bool] = []
    monkeypatch.setattr(
        sweep.Sweep, "_start_brokerless_worker", lambda _self: worker_starts.append(True)
    )
    return worker_starts


def connect_queue(monkeypatch: pytest.MonkeyPatch, queue: FakeQueue) -> None:
    monkeypatch.setattr(broker, "read_queue_lengths", queue.read_lengths)
    monkeypatch.setattr(broker, "send_messages", queue.send)


@pytest.mark.slow
@pytest.mark.parametrize("queue_length", [0, 300, 500])
def test_sweep_limits_number_of_queued_messages(
    kinds: JobKindsByCode,
    monkeypatch: pytest.MonkeyPatch,
    brokerless_starts: list[bool],
    queue_length: int,
) -> None:
    """Five hundred papers are queued and the worker is frozen for a minute."""
    for number in range(500):
        enqueue_and_load(kinds, number, "papers")
    Job.objects.update(not_before=timezone.now())  # however long a busy machine took
    queue = FakeQueue({LATER_LANE: queue_length})
    connect_queue(monkeypatch, queue)
    sweeper = sweep.Sweep(kinds)
    for _each in range(12):
        sweeper._wake_workers(timezone.now())
    assert queue.messages == {LATER_LANE: max(queue_length, sweep.MAX_MESSAGES_PER_SWEEP)}
    assert brokerless_starts == []


def test_sweep_resends_lost_messages(
    kinds: JobKindsByCode, monkeypatch: pytest.MonkeyPatch, brokerless_starts: list[bool]
) -> None:
    for number in range(20):
        enqueue_and_load(kinds, number)
    queue = FakeQueue({})
    connect_queue(monkeypatch, queue)
    sweep.Sweep(kinds)._wake_workers(timezone.now())
    assert queue.messages == {NOW_LANE: 20}
    assert brokerless_starts == []


@pytest.mark.parametrize("messages", [None, {NOW_LANE: 1}])
@pytest.mark.parametrize("waited_seconds", [0.0, 60.0])
@pytest.mark.parametrize("busy_process", ["", "worker", "page"])
def test_jobs_run_without_available_broker(
    kinds: JobKindsByCode,
    monkeypatch: pytest.MonkeyPatch,
    brokerless_starts: list[bool],
    messages: dict[int, int] | None,
    waited_seconds: float,
    busy_process: str,
) -> None:
    enqueue_and_load(kinds)
    move_times_back(waited_seconds)
    if busy_process:
        enqueue_and_load(kinds, 0)
        Job.objects.filter(about=0).update(not_before=timezone.now() - timedelta(hours=1))
        claim_and_die(kinds, "elsewhere/1/1/1")
        if busy_process == "worker":
            Worker.objects.create(name="elsewhere/1", seen_at=timezone.now())
    connect_queue(monkeypatch, FakeQueue(messages))
    sweep.Sweep(kinds)._wake_workers(timezone.now())
    assert bool(brokerless_starts) == (
        messages is None or (waited_seconds > 0 and busy_process != "worker")
    )


def test_sweep_survives_any_error(
    kinds: JobKindsByCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def raise_operational_error(_name: str) -> None:
        asked.append("beat")
        raise (OperationalError, RuntimeError)[len(asked) % 2]("away")

    monkeypatch.setattr(sweep.heartbeats, "record_heartbeat", raise_operational_error)
    monkeypatch.setattr(sweep, "close_old_connections", lambda: None)
    sweeper = sweep.Sweep(kinds)
    for _number in range(4):
        sweeper.run_once()
    assert len(asked) == 4


def test_many_documents_of_one_club_do_not_delay_another_club(
    job_recorder: JobRecorder,
) -> None:
    """Papers of the clubs 1, 2 and 3 are numbered in hundreds; club 1 queues most and first."""
    kind = job_recorder.build_kind(
        code="papers", lane=LATER_LANE, find_club=lambda about: about // 100
    )
    kinds = index_job_kinds(job_recorder.build_kind(), kind)
    job_recorder.on_run = lambda: time.sleep(0.01)
    for about in (*range(100, 112), 201, 202, 301):
        outbox.enqueue(kind, about)
    while runner.run_due_jobs(kinds, LATER_LANE):
        pass  # a busy machine needs more than one batch
    club_order = [about // 100 for about in job_recorder.completed_keys]
    assert club_order[:5] == [1, 2, 3, 1, 2] or club_order[:5] == [1, 2, 3, 2, 1]
    assert sorted(job_recorder.completed_keys) == [*range(100, 112), 201, 202, 301]
    # A club has a row for each minute, and a minute may end meanwhile.
    work_per_club = ClubWork.objects.values("club").annotate(sum=Sum("seconds"))
    seconds_by_club = dict(work_per_club.values_list("club", "sum"))
    assert set(seconds_by_club) == {1, 2, 3}
    # The sleeps alone: twelve jobs, two and one.
    assert seconds_by_club[1] >= 0.12
    assert seconds_by_club[2] >= 0.02
    assert seconds_by_club[3] >= 0.01


def test_urgent_job_is_not_queued_behind_earlier_jobs_of_club(
    job_recorder: JobRecorder,
) -> None:
    kind = job_recorder.build_kind(find_club=lambda _about: 1)
    kinds = index_job_kinds(
        kind,
        job_recorder.build_kind(code="papers", lane=LATER_LANE, find_club=lambda _about: 2),
    )
    ClubWork.objects.create(club=1, minute=timezone.now(), seconds=500)
    outbox.enqueue(kinds["papers"], 7)
    outbox.enqueue(kinds["sums"], 1)
    runner.run_due_jobs(kinds, LATER_LANE)
    assert job_recorder.completed_keys == [1, 7]


def test_jobs_older_than_an_hour_are_deleted(job_recorder: JobRecorder) -> None:
    kind = job_recorder.build_kind(
        code="papers", lane=LATER_LANE, find_club=lambda about: about
    )
    kinds = index_job_kinds(kind)
    old_now = timezone.now() - timedelta(hours=2)
    ClubWork.objects.create(club=1, minute=old_now, seconds=500)
    ClubWork.objects.create(club=2, minute=timezone.now(), seconds=5)
    for about in (2, 1):
        outbox.enqueue(kind, about)
    runner.run_due_jobs(kinds, LATER_LANE)
    assert job_recorder.completed_keys == [1, 2]
    assert not ClubWork.objects.filter(minute=old_now).exists()
