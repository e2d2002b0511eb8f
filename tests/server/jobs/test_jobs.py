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
from server.jobs.kinds import JobKind, JobKindsByCode, Lane, index_kinds
from server.models import ClubWork, Job, Worker

pytestmark = pytest.mark.django_db
NOW, LATER = Lane.NOW, Lane.LATER


@dataclass
class Bench:
    """A job kind that records its calls, and raises or returns what the test sets."""

    done: list[int] = field(default_factory=list)
    given_up: list[tuple[int, str]] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)
    meanwhile: Callable[[], object] = lambda: None

    def do(self, about: int) -> bool | None:
        self.done.append(about)
        self.meanwhile()
        reply = self.answers.pop(0) if self.answers else None
        if isinstance(reply, Exception):
            raise reply
        return bool(reply)

    def give_up(self, about: int, words: str) -> None:
        self.given_up.append((about, words))

    def kind(self, **changes: Any) -> JobKind:
        job_kind = JobKind("sums", "sums", NOW, 30, self.do, lambda: [], self.give_up)
        return replace(job_kind, **changes)


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def kinds(bench: Bench) -> JobKindsByCode:
    return index_kinds(bench.kind(), bench.kind(code="papers", lane=LATER))


@pytest.fixture(autouse=True)
def sent_messages(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Send no message: the test runs the jobs itself."""
    found_args: list[Any] = []
    monkeypatch.setattr(broker, "wake_worker", lambda *args: found_args.append(args))
    monkeypatch.setattr(broker, "is_eager", lambda: False)
    return found_args


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


def claim_job(kinds, lane, only):
    """Claim a job as a worker does."""
    claim = runner._claim_job(kinds, lane, only)
    assert claim is not None
    return claim.job


def claim_and_die(kinds: JobKindsByCode, by: str = "elsewhere/1/1") -> Job:
    """Let a worker of another process claim a job and die."""
    job = claim_job(kinds, LATER, None)
    Job.objects.filter(pk=job.pk).update(worker=by)
    job.worker = by
    return job


def test_forty_requests_create_one_job_and_one_notification(
    kinds: JobKindsByCode,
    bench: Bench,
    sent_messages: list[Any],
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        for _number in range(40):
            job = enqueue_and_load(kinds)
    assert (Job.objects.count(), job.wanted_no, job.state) == (1, 40, "wanted")
    assert sent_messages == [(NOW, "sums", 1)]
    runner.run_due_jobs(kinds, NOW)
    job.refresh_from_db()
    assert (bench.done, job.done_no, job.state) == ([1], 40, "done")
    with django_capture_on_commit_callbacks(execute=True):
        enqueue_and_load(kinds)
    assert len(sent_messages) == 2


def test_request_during_running_job_is_not_lost(kinds: JobKindsByCode, bench: Bench) -> None:
    def once_more() -> None:
        bench.meanwhile = lambda: None
        assert enqueue_and_load(kinds).state == "doing"

    enqueue_and_load(kinds)
    bench.meanwhile = once_more
    assert not runner.run_due_jobs(kinds, NOW)
    assert bench.done == [1, 1]
    assert not Job.objects.filter_unfinished().exists()


def test_request_during_last_attempt_gets_its_own_attempts(
    kinds: JobKindsByCode, bench: Bench
) -> None:
    def once_more() -> None:
        if len(bench.done) == MAX_TRIES:
            enqueue_and_load(kinds)

    enqueue_and_load(kinds)
    bench.meanwhile = once_more
    bench.answers = [ValueError()] * MAX_TRIES
    for _number in range(MAX_TRIES + 1):
        runner.run_due_jobs(kinds, NOW)
        move_times_back(60)
    assert len(bench.done) == MAX_TRIES + 1
    assert bench.given_up == []
    assert Job.objects.get().state == "done"


def test_extra_message_does_nothing(kinds: JobKindsByCode, bench: Bench) -> None:
    enqueue_and_load(kinds)
    for _number in range(3):
        runner.run_due_jobs(kinds, NOW)
    assert bench.done == [1]


def test_standings_precede_documents_and_each_lane_skips_lower_priorities(
    kinds: JobKindsByCode, bench: Bench
) -> None:
    enqueue_and_load(kinds, 1, "papers")
    enqueue_and_load(kinds, 2, "papers")
    enqueue_and_load(kinds, 3)
    runner.run_due_jobs(kinds, NOW)
    assert bench.done == [3]
    enqueue_and_load(kinds, 4)
    runner.run_due_jobs(kinds, LATER)
    assert bench.done == [3, 4, 1, 2]


def test_next_slice_is_queued_behind_newer_jobs(kinds: JobKindsByCode, bench: Bench) -> None:
    enqueue_and_load(kinds, 1, "papers")
    enqueue_and_load(kinds, 2, "papers")
    bench.answers = [True, None, None]
    runner.run_due_jobs(kinds, LATER)
    assert bench.done == [1, 2, 1]


def test_job_of_unknown_kind_is_left_to_newer_program_version(
    kinds: JobKindsByCode, bench: Bench
) -> None:
    job = enqueue_and_load(kinds)
    Job.objects.update(kind="from a newer version")
    runner.run_due_jobs(kinds, LATER)
    job.refresh_from_db()
    assert (bench.done, job.state) == ([], "wanted")


LATE = runner.LEASE_DURATION.total_seconds() + 1


@pytest.mark.parametrize("late", [0.0, LATE / 2, LATE])
def test_job_of_dead_worker_is_released_when_lease_expires(
    kinds: JobKindsByCode, bench: Bench, late: float
) -> None:
    enqueue_and_load(kinds)
    claim_and_die(kinds)
    move_times_back(late)
    runner.run_due_jobs(kinds, NOW)
    assert bench.done == ([1] if late >= LATE else [])


def test_worker_without_lease_does_not_overwrite_result_of_next(kinds: JobKindsByCode) -> None:
    enqueue_and_load(kinds)
    lost = claim_and_die(kinds)
    move_times_back(LATE)
    own_job = claim_job(kinds, NOW, None)
    runner._record_completion(lost, kinds["sums"], has_more=False)
    assert Job.objects.get().state == "doing"
    runner._record_completion(own_job, kinds["sums"], has_more=False)
    assert Job.objects.get().state == "done"


@pytest.mark.parametrize(("patient", "tries"), [(True, 4), (False, 1)])
def test_worker_waits_for_unavailable_database_to_record_result(
    kinds: JobKindsByCode, patient: bool, tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parent renews the lease while it lives, so no other worker could end the job."""
    asked: list[int] = []

    def fail_four_times() -> None:
        asked.append(1)
        if len(asked) < 4:
            raise OperationalError("gone")

    enqueue_and_load(kinds)
    job = claim_job(kinds, NOW, None)
    monkeypatch.setattr(runner, "_drop_stale_connections", fail_four_times)
    monkeypatch.setattr(runner, "SAVE_RETRY_SECONDS", 0.0)
    monkeypatch.setattr(runner, "connection", SimpleNamespace(in_atomic_block=False))
    token = runner.SHOULD_WAIT_FOR_DATABASE.set(patient)
    runner._record_completion(job, kinds["sums"], has_more=False)
    runner.SHOULD_WAIT_FOR_DATABASE.reset(token)
    assert len(asked) == tries
    assert Job.objects.get().state == ("done" if patient else "doing")


@pytest.mark.parametrize("ahead", ["lease_until", "not_before"])
def test_clock_set_back_delays_no_job(kinds: JobKindsByCode, bench: Bench, ahead: str) -> None:
    enqueue_and_load(kinds)
    Job.objects.update(**{ahead: timezone.now() + timedelta(hours=1)})
    runner.run_due_jobs(kinds, NOW)
    assert bench.done == [1]


PASSING = [
    OperationalError("gone"),
    ConnectionResetError(),
    TimeoutError(),
    OSError(28, "full"),
]
BROKEN = [ValueError("bug"), KeyError("bug"), OSError("no number"), AssertionError()]


@pytest.mark.parametrize(
    ("error", "passing"),
    [*product(PASSING, [True]), *product(BROKEN, [False])],
    ids=lambda value: repr(value),
)
def test_transient_errors_retry_forever_and_permanent_errors_three_times(
    kinds: JobKindsByCode, bench: Bench, error: Exception, passing: bool
) -> None:
    enqueue_and_load(kinds)
    bench.answers = [error] * 30
    pauses = []
    for _number in range(10):
        runner.run_due_jobs(kinds, NOW)
        job = Job.objects.get()
        if job.state == "failed":
            break
        pauses.append((job.not_before - timezone.now()).total_seconds())
        assert job.trouble
        move_times_back(MAX_BACKOFF_SECONDS * 1.3)
    expected = [1, 2, 4, 8, 16, 32, 60, 60, 60, 60] if passing else [1, 2]
    assert len(pauses) == len(expected)
    for pause, step in zip(pauses, expected, strict=True):
        assert 0.7 * step < pause < 1.3 * step
    assert len(bench.given_up) == (0 if passing else 1)
    assert Job.objects.filter_unfinished().exists() is passing


def test_error_after_outage_has_all_its_attempts(kinds: JobKindsByCode, bench: Bench) -> None:
    enqueue_and_load(kinds)
    bench.answers = [OperationalError("away")] * 7 + [ValueError()] * 30
    for _number in range(30):
        runner.run_due_jobs(kinds, NOW)
        move_times_back(MAX_BACKOFF_SECONDS * 1.3)
    assert len(bench.done) == 7 + MAX_TRIES
    assert Job.objects.get().state == "failed"


def test_one_failing_job_delays_no_other(kinds: JobKindsByCode, bench: Bench) -> None:
    enqueue_and_load(kinds, 1)
    enqueue_and_load(kinds, 2)
    bench.answers = [ValueError("poison")]
    runner.run_due_jobs(kinds, NOW)
    assert bench.done == [1, 2]
    assert Job.objects.get(about=2).state == "done"


def test_failed_job_shows_message_and_is_retried_on_request(
    kinds: JobKindsByCode, bench: Bench
) -> None:
    job = enqueue_and_load(kinds)
    bench.answers = [ValueError()] * MAX_TRIES
    for _number in range(MAX_TRIES):
        runner.run_due_jobs(kinds, NOW)
        move_times_back(60)
    (line,) = job_list.list_jobs(kinds)
    text = "an error in Overplay, see the log"
    assert (line.has_failed, line.try_count, line.reason) == (True, MAX_TRIES, text)
    assert bench.given_up == [(1, text)]
    assert sweep.enqueue_missing_jobs(kinds) == 0
    runner.run_due_jobs(kinds, NOW)
    assert len(bench.done) == MAX_TRIES
    assert outbox.retry_job(kinds, job.pk)
    assert not outbox.retry_job(kinds, 404)
    runner.run_due_jobs(kinds, NOW)
    assert job_list.list_jobs(kinds) == []


@pytest.mark.parametrize("trouble", ["", "too_long", "database", "disk"])
def test_job_that_kills_its_worker_is_failed_permanently(
    kinds: JobKindsByCode, bench: Bench, trouble: str
) -> None:
    enqueue_and_load(kinds)
    for _number in range(MAX_CRASHES):
        claim_and_die(kinds)
        Job.objects.update(trouble=trouble)
        move_times_back(LATE)
    runner.run_due_jobs(kinds, NOW)
    job = Job.objects.get()
    reported = "too_long" if trouble == "too_long" else "died"
    assert (bench.done, job.state, job.trouble) == ([], "failed", reported)
    assert len(bench.given_up) == 1


@pytest.mark.parametrize("others", [0, 1, 3])
def test_crash_counts_only_for_sole_job_of_its_program(
    kinds: JobKindsByCode, bench: Bench, others: int
) -> None:
    for number in range(others + 1):
        enqueue_and_load(kinds, number)
        claim_and_die(kinds, f"elsewhere/1/{number}/1")
    move_times_back(LATE)
    job = claim_job(kinds, NOW, None)
    assert job.deaths == (0 if others else 1)
    jobs = Job.objects.exclude(pk=job.pk)
    assert set(jobs.values_list("state", "deaths")) == ({("wanted", 0)} if others else set())


def test_crash_of_child_process_counts_only_for_its_job(
    kinds: JobKindsByCode, bench: Bench
) -> None:
    for about in (1, 2):
        enqueue_and_load(kinds, about)
        claim_and_die(kinds, f"{runner.PROGRAM_INSTANCE_NAME}/{about}/1")
    sweep.Sweep(kinds, lambda: [2])._renew_leases(timezone.now())
    job = claim_job(kinds, NOW, None)
    assert (job.about, job.deaths) == (1, 1)
    assert Job.objects.get(about=2).state == "doing"


@pytest.mark.parametrize("harmless", [True, False])
def test_job_failed_after_crashes_is_retried_after_restart(
    kinds: JobKindsByCode, bench: Bench, harmless: bool
) -> None:
    enqueue_and_load(kinds)
    for _number in range(MAX_CRASHES):
        claim_and_die(kinds)
        move_times_back(LATE)
    runner.run_due_jobs(kinds, NOW)
    assert Job.objects.get().state == "failed"
    assert sweep.retry_crashed_jobs(kinds) == 1
    if harmless:
        runner.run_due_jobs(kinds, NOW)
        assert (bench.done, Job.objects.get().state) == ([1], "done")
        return
    claim_and_die(kinds)
    move_times_back(LATE)
    runner.run_due_jobs(kinds, NOW)
    assert (bench.done, Job.objects.get().state) == ([], "failed")
    assert sweep.retry_crashed_jobs(kinds) == 0


def test_sweep_keeps_leases_of_live_workers_and_frees_those_of_dead(
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
    living, dead = Job.objects.get(about=0), Job.objects.get(about=1)
    assert living.lease_until is not None
    assert living.lease_until > timezone.now() + runner.LEASE_DURATION / 2
    assert dead.lease_until is None
    move_times_back(LATE)
    assert set(Job.objects.filter_runnable(timezone.now()).values_list("about", flat=True)) == {
        0,
        1,
        2,
    }


def test_process_over_time_limit_is_stopped(
    kinds: JobKindsByCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[int] = []
    monkeypatch.setattr("os.kill", lambda process, _signal: killed.append(process))
    enqueue_and_load(kinds)
    claim_and_die(kinds, f"{runner.PROGRAM_INSTANCE_NAME}/4242/1")
    sweeper = sweep.Sweep(kinds, lambda: [4242])
    sweeper._renew_leases(timezone.now())
    assert killed == []
    sweeper._renew_leases(timezone.now() + timedelta(seconds=31))
    job = Job.objects.get()
    assert (killed, job.trouble, job.lease_until) == ([4242], "too_long", None)


def test_sweep_enqueues_jobs_that_objects_still_need(bench: Bench) -> None:
    lacking = [1, 2, 3]
    kinds = index_kinds(bench.kind(find_missing_job_keys=lambda: lacking))
    enqueue_and_load(kinds, 1)
    enqueue_and_load(kinds, 2)
    Job.objects.filter(about=2).update(done_no=1, state="done")  # inconsistent with the object
    assert sweep.enqueue_missing_jobs(kinds) == 2
    runner.run_due_jobs(kinds, NOW)
    assert sorted(bench.done) == [1, 2, 3]


@pytest.mark.parametrize(("hours", "again"), [(19, 0), (21, 1)])
def test_daily_job_is_not_lost_after_one_failure(bench: Bench, hours: int, again: int) -> None:
    kinds = index_kinds(
        bench.kind(find_missing_job_keys=lambda: [1], retry_failed_after=timedelta(hours=20))
    )
    enqueue_and_load(kinds)
    bench.answers = [ValueError()] * MAX_TRIES
    for _number in range(MAX_TRIES):
        runner.run_due_jobs(kinds, NOW)
        move_times_back(60)
    assert Job.objects.get().state == "failed"
    move_times_back(hours * 3600)
    assert sweep.enqueue_missing_jobs(kinds) == again
    runner.run_due_jobs(kinds, NOW)
    assert Job.objects.get().state == ("done" if again else "failed")


class Queue:
    """A queue that counts its messages, or is unreachable."""

    def __init__(self, messages: dict[int, int] | None) -> None:
        self.messages = messages

    def waiting(self) -> dict[int, int] | None:
        return self.messages

    def send(self, lane: int, times: int = 1) -> bool:
        if self.messages is None:
            return False
        self.messages[lane] = self.messages.get(lane, 0) + times
        return True


@pytest.fixture
def offered_help(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    helped: list[bool] = []
    monkeypatch.setattr(
        sweep.Sweep, "_start_brokerless_worker", lambda _self: helped.append(True)
    )
    return helped


def connect_queue(monkeypatch: pytest.MonkeyPatch, queue: Queue) -> None:
    monkeypatch.setattr(broker, "read_queue_lengths", queue.waiting)
    monkeypatch.setattr(broker, "send_messages", queue.send)


@pytest.mark.slow
@pytest.mark.parametrize("heard", [0, 300, 500])
def test_sweep_never_fills_queue(
    kinds: JobKindsByCode, monkeypatch: pytest.MonkeyPatch, offered_help: list[bool], heard: int
) -> None:
    """Five hundred papers are queued and the worker is frozen for a minute."""
    for number in range(500):
        enqueue_and_load(kinds, number, "papers")
    Job.objects.update(not_before=timezone.now())  # however long a busy machine took
    queue = Queue({LATER: heard})
    connect_queue(monkeypatch, queue)
    sweeper = sweep.Sweep(kinds)
    for _each in range(12):
        sweeper._wake_workers(timezone.now())
    assert queue.messages == {LATER: max(heard, sweep.MAX_MESSAGES_PER_SWEEP)}
    assert offered_help == []


def test_sweep_resends_lost_messages(
    kinds: JobKindsByCode, monkeypatch: pytest.MonkeyPatch, offered_help: list[bool]
) -> None:
    for number in range(20):
        enqueue_and_load(kinds, number)
    queue = Queue({})
    connect_queue(monkeypatch, queue)
    sweep.Sweep(kinds)._wake_workers(timezone.now())
    assert queue.messages == {NOW: 20}
    assert offered_help == []


@pytest.mark.parametrize("messages", [None, {NOW: 1}])
@pytest.mark.parametrize("waited", [0.0, 60.0])
@pytest.mark.parametrize("busy", ["", "worker", "page"])
def test_jobs_run_without_available_broker(
    kinds: JobKindsByCode,
    monkeypatch: pytest.MonkeyPatch,
    offered_help: list[bool],
    messages: dict[int, int] | None,
    waited: float,
    busy: str,
) -> None:
    enqueue_and_load(kinds)
    move_times_back(waited)
    if busy:
        enqueue_and_load(kinds, 0)
        Job.objects.filter(about=0).update(not_before=timezone.now() - timedelta(hours=1))
        claim_and_die(kinds, "elsewhere/1/1/1")
        if busy == "worker":
            Worker.objects.create(name="elsewhere/1", seen_at=timezone.now())
    connect_queue(monkeypatch, Queue(messages))
    sweep.Sweep(kinds)._wake_workers(timezone.now())
    assert bool(offered_help) == (messages is None or (waited > 0 and busy != "worker"))


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


def test_many_documents_of_one_club_do_not_delay_another_club(bench: Bench) -> None:
    """Papers of the clubs 1, 2 and 3 are numbered in hundreds; club 1 queues most and first."""
    kind = bench.kind(code="papers", lane=LATER, find_club=lambda about: about // 100)
    kinds = index_kinds(bench.kind(), kind)
    bench.meanwhile = lambda: time.sleep(0.01)
    for about in (*range(100, 112), 201, 202, 301):
        outbox.enqueue(kind, about)
    while runner.run_due_jobs(kinds, LATER):
        pass  # a busy machine needs more than one batch
    order = [about // 100 for about in bench.done]
    assert order[:5] == [1, 2, 3, 1, 2] or order[:5] == [1, 2, 3, 2, 1]
    assert sorted(bench.done) == [*range(100, 112), 201, 202, 301]
    # A club has a row for each minute, and a minute may end meanwhile.
    work_per_club = ClubWork.objects.values("club").annotate(sum=Sum("seconds"))
    work = dict(work_per_club.values_list("club", "sum"))
    assert set(work) == {1, 2, 3}
    # The sleeps alone: twelve jobs, two and one.
    assert work[1] >= 0.12
    assert work[2] >= 0.02
    assert work[3] >= 0.01


def test_urgent_job_is_not_queued_behind_earlier_jobs_of_club(bench: Bench) -> None:
    kind = bench.kind(find_club=lambda _about: 1)
    kinds = index_kinds(kind, bench.kind(code="papers", lane=LATER, find_club=lambda _about: 2))
    ClubWork.objects.create(club=1, minute=timezone.now(), seconds=500)
    outbox.enqueue(kinds["papers"], 7)
    outbox.enqueue(kinds["sums"], 1)
    runner.run_due_jobs(kinds, LATER)
    assert bench.done == [1, 7]


def test_jobs_older_than_an_hour_are_deleted(bench: Bench) -> None:
    kind = bench.kind(code="papers", lane=LATER, find_club=lambda about: about)
    kinds = index_kinds(kind)
    old_now = timezone.now() - timedelta(hours=2)
    ClubWork.objects.create(club=1, minute=old_now, seconds=500)
    ClubWork.objects.create(club=2, minute=timezone.now(), seconds=5)
    for about in (2, 1):
        outbox.enqueue(kind, about)
    runner.run_due_jobs(kinds, LATER)
    assert bench.done == [1, 2]
    assert not ClubWork.objects.filter(minute=old_now).exists()
