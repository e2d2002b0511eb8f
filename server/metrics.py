"""Metrics for Prometheus at `/metrics`, protected by the token in `METRICS_TOKEN`.

Each page process writes its values into PROMETHEUS_MULTIPROC_DIR, and every process returns the
sums. No label names a club or an event, which limits the number of series.
"""

import hmac
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Count, F, Min
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone

from server import counters
from server.backups import store
from server.counters import COUNTERS
from server.models import Job, Worker
from server.page_cache import PAGE_CACHE
from server.version import VERSION

try:
    import prometheus_client
    from prometheus_client import multiprocess
    from prometheus_client.core import GaugeMetricFamily
except ImportError:  # a laptop does not have the package
    prometheus_client = None  # type: ignore[assignment]  # checked below

METRICS_PATH = "/metrics"
DURATION_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

if prometheus_client is not None:
    REQUEST_COUNTER = prometheus_client.Counter(
        "overplay_requests", "Requests that reached Django", ["view", "status"]
    )
    REQUEST_DURATION_HISTOGRAM = prometheus_client.Histogram(
        "overplay_request_seconds", "How long they took", ["method"], buckets=DURATION_BUCKETS
    )
    RESULT_ENTRY_HISTOGRAM = prometheus_client.Histogram(
        "overplay_entry_seconds",
        "How long results that were entered took",
        buckets=DURATION_BUCKETS,
    )
    FREQUENT_EVENT_COUNTERS = {
        counters.PAGE_RESPONSE_COUNTER: prometheus_client.Counter(
            "overplay_answers",
            "Public pages: cached, drawn, or postponed to the next poll",
            ["how", "status"],
        ),
        counters.LISTENER_GAP_COUNTER: prometheus_client.Counter(
            "overplay_listening_gaps", "How often the listener lost its connection"
        ),
        counters.LOGIN_COUNTER: prometheus_client.Counter(
            "overplay_logins", "What happened at logins", ["what"]
        ),
    }
    CACHE_BYTES_GAUGE = prometheus_client.Gauge(
        "overplay_cache_bytes",
        "Bytes of public pages that the process caches which answered last",
        multiprocess_mode="mostrecent",
    )

_known_request_series: set[tuple[str, int]] = set()
MAX_REQUEST_SERIES = 1500
"""The maximum number of request series; further ones are counted as one."""


def count_requests(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return a middleware that counts requests by page and status, and serves the metrics."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if prometheus_client is None or not settings.METRICS_TOKEN:
            return get_response(request)
        if request.path == METRICS_PATH:
            return _render_metrics(request)
        started_at = time.perf_counter()
        response = get_response(request)
        _count_request(request, response.status_code, time.perf_counter() - started_at)
        return response

    return middleware


def _count_request(request: HttpRequest, status_code: int, seconds: float) -> None:
    url_match = request.resolver_match
    view_name = url_match.view_name if url_match else ""
    if (view_name, status_code) not in _known_request_series and len(
        _known_request_series
    ) >= MAX_REQUEST_SERIES:
        view_name = "others"
    _known_request_series.add((view_name, status_code))
    REQUEST_COUNTER.labels(view_name, status_code).inc()
    is_post = request.method not in ("GET", "HEAD")
    REQUEST_DURATION_HISTOGRAM.labels("POST" if is_post else "GET").observe(seconds)
    if is_post and view_name in settings.RESULT_ENTRY_VIEW_NAMES:
        RESULT_ENTRY_HISTOGRAM.observe(seconds)
    _publish_counters()


def _publish_counters() -> None:
    """Add this process's counters in memory to the metrics, and reset them."""
    for (counter_name, *all_labels), event_count in COUNTERS.pop_counts().items():
        labels = [label for label in all_labels if label]
        counter = FREQUENT_EVENT_COUNTERS[counter_name]
        (counter.labels(*labels) if labels else counter).inc(event_count)
    CACHE_BYTES_GAUGE.set(PAGE_CACHE.size_bytes)


def _render_metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics, or 404 without the token."""
    sent_token = request.headers.get("Authorization", "").removeprefix("Bearer ").encode()
    if not hmac.compare_digest(sent_token, settings.METRICS_TOKEN.encode()):
        return HttpResponse(status=404, headers={"Cache-Control": "no-store"})
    _publish_counters()
    registry = prometheus_client.CollectorRegistry()
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # no types
    else:
        registry.register(_ProcessCollector())
    registry.register(CurrentValuesCollector())
    metrics_text = prometheus_client.generate_latest(registry)
    return HttpResponse(
        metrics_text,
        content_type=prometheus_client.CONTENT_TYPE_LATEST,
        headers={"Cache-Control": "no-store"},
    )


class _ProcessCollector:
    """A collector of the metrics counted by this process."""

    def collect(self) -> Iterator[Any]:
        """Yield the metrics counted by this process."""
        yield from REQUEST_COUNTER.collect()
        yield from REQUEST_DURATION_HISTOGRAM.collect()
        yield from RESULT_ENTRY_HISTOGRAM.collect()
        for counter in FREQUENT_EVENT_COUNTERS.values():
            yield from counter.collect()
        yield from CACHE_BYTES_GAUGE.collect()


class CurrentValuesCollector:
    """A collector of values read on request: jobs, backups, the database."""

    def collect(self) -> Iterator[Any]:
        """Yield the current values, without those of the database while it is unavailable."""
        yield _build_gauge("overplay_info", "The version that runs", 1, version=VERSION)
        newest_backup = store.find_newest_good_backup(store.list_backups(settings.BACKUP_DIR))
        if newest_backup is not None:
            age_seconds = (timezone.now() - newest_backup.created_at).total_seconds()
            yield _build_gauge(
                "overplay_backup_age_seconds", "Age of the newest good backup", age_seconds
            )
        try:
            yield from _iter_database_metrics()
        except DatabaseError:
            yield _build_gauge("overplay_database_up", "Whether the database answers", 0)
        else:
            yield _build_gauge("overplay_database_up", "Whether the database answers", 1)
        finally:
            if not connection.in_atomic_block:
                connection.close_if_unusable_or_obsolete()


def _iter_database_metrics() -> Iterator[Any]:
    jobs_gauge = GaugeMetricFamily(
        "overplay_jobs", "Jobs that are not done", labels=["kind", "state"]
    )
    job_counts = (
        Job.objects.filter_unfinished().values("kind", "state").annotate(count=Count("pk"))
    )
    for job_count_row in job_counts.order_by():
        jobs_gauge.add_metric(
            [job_count_row["kind"], job_count_row["state"]], job_count_row["count"]
        )
    yield jobs_gauge
    now = timezone.now()
    due_jobs = Job.objects.filter(wanted_no__gt=F("done_no"), not_before__lte=now)
    due_jobs = due_jobs.exclude(state=Job.State.FAILED).exclude(rests_until__gt=now)
    oldest_due_at = due_jobs.aggregate(at=Min("not_before"))["at"]
    delay_seconds = (now - oldest_due_at).total_seconds() if oldest_due_at else 0.0
    yield _build_gauge(
        "overplay_oldest_due_seconds", "How long the oldest due job has waited", delay_seconds
    )
    oldest_urgent_at = due_jobs.filter(lane=Job.Lane.NOW).aggregate(at=Min("wanted_at"))["at"]
    lag_seconds = (now - oldest_urgent_at).total_seconds() if oldest_urgent_at else 0.0
    yield _build_gauge(
        "overplay_standings_lag_seconds", "How far standings are behind", lag_seconds
    )
    last_heartbeat_at = (
        Worker.objects.order_by("-seen_at").values_list("seen_at", flat=True).first()
    )
    silent_seconds = (
        (now - last_heartbeat_at).total_seconds() if last_heartbeat_at else float("inf")
    )
    yield _build_gauge(
        "overplay_worker_silent_seconds", "Since a worker was heard of", silent_seconds
    )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            )
            connection_count = cursor.fetchone()[0]
        yield _build_gauge("overplay_database_lines", "Lines to the database", connection_count)


def _build_gauge(name: str, description: str, value: float, **labels: str) -> Any:
    gauge = GaugeMetricFamily(name, description, labels=list(labels))
    gauge.add_metric(list(labels.values()), value)
    return gauge
