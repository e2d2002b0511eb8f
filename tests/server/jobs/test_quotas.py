"""A club's daily quotas: counted, reached, and reset the next day."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings
from django.utils import timezone

from server import metrics, quotas
from server.jobs import broker, job_list, outbox, runner
from server.jobs.kinds import JobKind, JobKindsByCode, Lane, index_job_kinds
from server.models import ClubDay, Job
from server.quotas import ANALYSIS_QUOTA, PAPERS_QUOTA

pytestmark = pytest.mark.django_db
DAILY_QUOTA = 3


@dataclass
class QuotaJobs:
    """Job kinds whose keys are numbered by club, in hundreds."""

    completed_keys: list[int] = field(default_factory=list)
    remaining_run_count: int = 0

    def run_job(self, about: int) -> bool:
        self.completed_keys.append(about)
        self.remaining_run_count -= 1
        return self.remaining_run_count > 0

    def kinds(self) -> JobKindsByCode:
        later_job_kind = JobKind(
            "best", "best play", Lane.LATER, 30, self.run_job, list, quota=ANALYSIS_QUOTA
        )
        later_job_kind = replace(later_job_kind, find_club=lambda about: about // 100 or None)
        paper_kind = replace(later_job_kind, code="paper", quota=None)
        return index_job_kinds(
            later_job_kind, paper_kind, replace(paper_kind, code="standings", lane=Lane.NOW)
        )


@pytest.fixture
def quota_jobs() -> QuotaJobs:
    return QuotaJobs()


@pytest.fixture(autouse=True)
def disable_messages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Send no message: the test runs the jobs itself."""
    monkeypatch.setattr(broker, "wake_worker", lambda *_args: None)
    monkeypatch.setattr(broker, "is_celery_eager", lambda: False)
    with override_settings(QUOTA_ANALYSIS_SECONDS=DAILY_QUOTA, QUOTA_PAPERS=DAILY_QUOTA):
        yield


def set_used_quota(
    club: int, amount: float, *, days_ago: int = 0, quota: quotas.Quota = ANALYSIS_QUOTA
) -> None:
    day = timezone.now().date() - timedelta(days=days_ago)
    ClubDay.objects.create(club=club, day=day, quota=quota.code, amount=amount)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["best", "paper", "standings"])
@pytest.mark.parametrize("limit", [0, DAILY_QUOTA])
@pytest.mark.parametrize(
    ("amount", "days_ago", "is_over"),
    [(0, 0, False), (2.9, 0, False), (3.0, 0, True), (50.0, 0, True), (50.0, 1, False)],
)
def test_only_jobs_of_exhausted_quota_are_paused(
    quota_jobs: QuotaJobs, kind: str, limit: int, amount: float, days_ago: int, is_over: bool
) -> None:
    """Job kind by quota by the amount used today: only best play of a club over quota waits."""
    set_used_quota(1, amount, days_ago=days_ago)
    kinds = quota_jobs.kinds()
    with override_settings(QUOTA_ANALYSIS_SECONDS=limit):
        for about in (101, 201, 7):
            outbox.enqueue(kinds[kind], about)
        runner.run_due_jobs(kinds, Lane.LATER)
    rests = is_over and limit > 0 and kind == "best"
    assert sorted(quota_jobs.completed_keys) == ([7, 201] if rests else [7, 101, 201])
    job = Job.objects.get(about=101)
    assert (job.state == "wanted") is rests
    assert (job.rests_until is not None) is rests


def test_paused_job_is_not_due_and_shows_reason(quota_jobs: QuotaJobs) -> None:
    set_used_quota(1, DAILY_QUOTA)
    kinds = quota_jobs.kinds()
    outbox.enqueue(kinds["best"], 101)
    runner.run_due_jobs(kinds, Lane.LATER)
    job, now = Job.objects.get(), timezone.now()
    assert job.rests_until == quotas.compute_next_day(now)
    assert not Job.objects.filter_runnable(now).exists()  # no wake-up and no alarm
    assert Job.objects.filter_runnable(
        quotas.compute_next_day(now) + timedelta(seconds=1)
    ).exists()
    assert Job.objects.filter_runnable(
        now - timedelta(days=3)
    ).exists()  # the clock was set back
    (line,) = job_list.list_jobs(kinds)
    assert "used its 3 seconds" in line.reason
    assert "QUOTA_ANALYSIS_SECONDS" in line.reason
    Job.objects.update(not_before=now - timedelta(hours=1))
    if metrics.prometheus_client is not None:
        texts_by_key = {family.name: family for family in metrics._iter_database_metrics()}
        (sample,) = texts_by_key["overplay_oldest_due_seconds"].samples
        assert sample.value == 0


def test_paused_job_resumes_next_day_automatically(quota_jobs: QuotaJobs) -> None:
    set_used_quota(1, DAILY_QUOTA)
    kinds = quota_jobs.kinds()
    outbox.enqueue(kinds["best"], 101)
    runner.run_due_jobs(kinds, Lane.LATER)
    outbox.enqueue(kinds["best"], 101)  # queued again it still waits
    runner.run_due_jobs(kinds, Lane.LATER)
    assert not quota_jobs.completed_keys
    ClubDay.objects.update(day=timezone.now().date() - timedelta(days=1))
    Job.objects.update(rests_until=timezone.now() - timedelta(seconds=1))
    runner.run_due_jobs(kinds, Lane.LATER)
    assert quota_jobs.completed_keys == [101]
    assert Job.objects.get().state == "done"
    assert Job.objects.get().rests_until is None


@pytest.mark.parametrize(
    ("limit", "done"), [(DAILY_QUOTA, []), (DAILY_QUOTA + 1, [101]), (0, [101])]
)
def test_manual_retry_checks_whether_quota_was_raised(
    quota_jobs: QuotaJobs, limit: int, done: list[int]
) -> None:
    set_used_quota(1, DAILY_QUOTA)
    kinds = quota_jobs.kinds()
    outbox.enqueue(kinds["best"], 101)
    runner.run_due_jobs(kinds, Lane.LATER)
    with override_settings(QUOTA_ANALYSIS_SECONDS=limit):
        assert outbox.retry_job(kinds, Job.objects.get().pk)
        runner.run_due_jobs(kinds, Lane.LATER)
    assert quota_jobs.completed_keys == done


def test_long_analysis_stops_at_quota_and_keeps_finished_slices(
    quota_jobs: QuotaJobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each slice counts as a second: after three of five the rest waits for tomorrow."""
    quota_jobs.remaining_run_count = 5
    kinds = quota_jobs.kinds()
    add = quotas.record_quota_use
    monkeypatch.setattr(
        quotas, "record_quota_use", lambda quota, club, _took: add(quota, club, 1.0)
    )
    outbox.enqueue(kinds["best"], 101)
    runner.run_due_jobs(kinds, Lane.LATER)
    assert quota_jobs.completed_keys == [101, 101, 101]
    assert quotas.load_quota_use_today(ANALYSIS_QUOTA, 1) == 3
    assert Job.objects.get().rests_until is not None
    assert Job.objects.get().wanted_no > Job.objects.get().done_no


def test_unlimited_quota_runs_no_queries(
    quota_jobs: QuotaJobs, django_assert_num_queries: Any
) -> None:
    with override_settings(QUOTA_ANALYSIS_SECONDS=0, QUOTA_PAPERS=0):
        with django_assert_num_queries(0):
            assert quotas.try_to_use_quota(PAPERS_QUOTA, 1)
            assert not quotas.is_quota_reached(ANALYSIS_QUOTA, 1)
            quotas.record_quota_use(ANALYSIS_QUOTA, 1, 9.0)
    with django_assert_num_queries(0):
        assert not quotas.is_quota_reached(ANALYSIS_QUOTA, None)
        quotas.record_quota_use(ANALYSIS_QUOTA, None, 9.0)
    assert not ClubDay.objects.exists()


def test_quota_admits_exactly_its_limit(django_assert_num_queries: Any) -> None:
    assert [quotas.try_to_use_quota(PAPERS_QUOTA, 1) for number in range(5)] == [
        True
    ] * DAILY_QUOTA + [False] * 2
    assert quotas.load_quota_use_today(PAPERS_QUOTA, 1) == DAILY_QUOTA
    assert quotas.try_to_use_quota(PAPERS_QUOTA, 2)
    assert not quotas.try_to_use_quota(PAPERS_QUOTA, 3, DAILY_QUOTA + 1)
    assert quotas.load_quota_usage_by_club([1, 2, 3]) == {
        1: {"papers": 3.0},
        2: {"papers": 1.0},
    }
    with django_assert_num_queries(1):
        quotas.try_to_use_quota(PAPERS_QUOTA, 2)
    with django_assert_num_queries(1):
        quotas.is_quota_reached(PAPERS_QUOTA, 2)


def test_usage_of_last_week_is_deleted() -> None:
    set_used_quota(1, 5, days_ago=9, quota=PAPERS_QUOTA)
    set_used_quota(1, 5, days_ago=2, quota=PAPERS_QUOTA)
    set_used_quota(2, 5, days_ago=9, quota=PAPERS_QUOTA)
    assert quotas.try_to_use_quota(PAPERS_QUOTA, 1)
    days = ClubDay.objects.order_by("club", "day").values_list("club", "amount")
    assert list(days) == [(1, 5), (1, 1), (2, 5)]


@pytest.mark.parametrize("hour", [0, 12, 23])
def test_quota_day_ends_at_midnight(hour: int, monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 12, 31, hour, 30, tzinfo=UTC)
    assert quotas.compute_next_day(now) == datetime(2027, 1, 1, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: now)
    assert quotas.compute_seconds_until_tomorrow() == (24 - hour) * 3600 - 1800 + 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="one writes at a time there")
def test_concurrent_orders_do_not_exceed_quota() -> None:
    barrier, quota_results = Barrier(6), []

    def use_quota() -> None:
        barrier.wait(5)
        quota_results.append(quotas.try_to_use_quota(PAPERS_QUOTA, 1))
        connection.close()

    threads = [Thread(target=use_quota) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert sorted(quota_results) == [False] * 3 + [True] * DAILY_QUOTA


def test_laptop_has_no_quota() -> None:
    """The fixture has set two quotas; the test settings are those of a laptop."""
    assert settings.QUOTA_MEDIA_MB == 0
