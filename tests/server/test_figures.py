"""Metrics for alarms and a machine-readable log, neither of which reveals a secret."""

import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client, RequestFactory
from django.urls import get_resolver, resolve, reverse
from django.utils import timezone

from config import environment
from scoring.standings_engine import standings
from server import metrics
from server.backups.tasks import REQUESTED_BACKUP_KEY, enqueue_backup
from server.counters import COUNTERS, LISTENER_GAP_COUNTER
from server.jobs import broker
from server.logins.event_log import log_login_event
from server.models import Job, LoginNote
from server.request_log import REQUEST_ID as NUMBER
from server.request_log import JsonFormatter, strip_query_values
from tests import evenings

TOKEN = "a token of more than twenty letters"
TOKEN_HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@pytest.mark.django_db
def test_metrics_require_the_token(settings: Any) -> None:
    assert Client().get("/metrics").status_code == 404
    settings.METRICS_TOKEN = TOKEN
    assert Client().get("/metrics").status_code == 404
    assert Client().get("/metrics", headers={"Authorization": "Bearer x"}).status_code == 404
    Client().get("/laws/")
    Client().get("/nowhere/")
    response = Client().get("/metrics", headers=TOKEN_HEADERS)
    assert response["Cache-Control"] == "no-store"
    text = response.content.decode()
    assert 'overplay_requests_total{status="200",view="laws"}' in text
    assert 'overplay_requests_total{status="404",view=""}' in text
    assert "overplay_database_up 1.0" in text
    assert "/nowhere" not in text


@pytest.mark.django_db
def test_metrics_include_queued_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "wake_worker", lambda *_told: None)
    enqueue_backup(REQUESTED_BACKUP_KEY)
    families_by_name = {
        family.name: family for family in metrics.CurrentValuesCollector().collect()
    }
    job = families_by_name["overplay_jobs"].samples[0]
    assert (job.labels, job.value) == ({"kind": "backup", "state": "wanted"}, 1)
    assert 0 <= families_by_name["overplay_oldest_due_seconds"].samples[0].value < 60


def read_metrics(client: Client) -> dict[str, float]:
    lines = client.get("/metrics", headers=TOKEN_HEADERS).content.decode().splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def list_increases(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    differences = {name: value - before.get(name, 0.0) for name, value in after.items()}
    return {
        name: value for name, value in differences.items() if value and "_created" not in name
    }


@pytest.mark.django_db(transaction=True)
def test_metrics_include_counters_of_each_process(
    settings: Any,
) -> None:
    """Public pages by their cache source, lost connections, and logins."""
    settings.METRICS_TOKEN = TOKEN
    session, user = evenings.play_session()
    standings.update_standings(session.event)
    client = Client()
    metrics_before = read_metrics(client)
    for accepted_encoding in ("gzip", "gzip", "br"):
        headers = {"HX-Request": "true", "Accept-Encoding": accepted_encoding}
        client.get(f"/events/{session.event.slug}/standings/", headers=headers)
    COUNTERS.add(LISTENER_GAP_COUNTER)
    log_login_event(LoginNote.EventKind.SIGNED_IN, user=user)
    increases_after = list_increases(metrics_before, read_metrics(client))
    assert increases_after['overplay_answers_total{how="drawn",status="200"}'] == 2
    assert increases_after['overplay_answers_total{how="cached",status="200"}'] == 1
    assert increases_after["overplay_listening_gaps_total"] == 1
    assert (
        increases_after[f'overplay_logins_total{{what="{LoginNote.EventKind.SIGNED_IN}"}}'] == 1
    )
    assert increases_after["overplay_cache_bytes"] > 0
    assert session.event.slug not in " ".join(increases_after)


@pytest.mark.django_db
def test_metrics_include_outdated_standings() -> None:
    now = timezone.now()
    for lane, seconds_ago in ((0, 7), (0, 3), (1, 500)):
        due_at = now - timedelta(seconds=seconds_ago)
        Job.objects.create(
            kind="x", about=seconds_ago, lane=lane, wanted_at=due_at, not_before=due_at
        )
    actual = {
        family.name: family.samples[0].value
        for family in metrics.CurrentValuesCollector().collect()
    }
    assert 7 <= actual["overplay_standings_lag_seconds"] < 9
    assert actual["overplay_oldest_due_seconds"] >= 500


@pytest.mark.parametrize(
    ("method", "view", "is_counted"),
    [
        ("POST", "result", True),
        ("PUT", "api-result", True),
        ("POST", "table", True),
        ("GET", "table", False),
        ("POST", "login", False),
    ],
)
def test_metrics_time_score_entries_separately(
    method: str, view: str, is_counted: bool
) -> None:

    def count_entries() -> float:
        (family,) = metrics.RESULT_ENTRY_HISTOGRAM.collect()
        return sum(sample.value for sample in family.samples if sample.name.endswith("_count"))

    request = RequestFactory().generic(method, "/")
    request.resolver_match = resolve(reverse("login"))
    request.resolver_match.view_name = view
    entry_count_before = count_entries()
    metrics._count_request(request, 200, 0.1)
    assert count_entries() - entry_count_before == is_counted
    assert set(list_view_names()) >= list_result_entry_views()


def list_view_names() -> list[str]:
    def list_views_below(resolver: Any) -> Iterator[str]:
        for url_pattern in resolver.url_patterns:
            if hasattr(url_pattern, "url_patterns"):
                yield from list_views_below(url_pattern)
            elif url_pattern.name:
                yield url_pattern.name

    return list(list_views_below(get_resolver()))


def list_result_entry_views() -> set[str]:
    return set(django_settings.RESULT_ENTRY_VIEW_NAMES)


def test_metrics_limit_number_of_series(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counter = metrics.prometheus_client.Counter("x", "x", ["view", "status"], registry=None)
    monkeypatch.setattr(metrics, "REQUEST_COUNTER", counter)
    monkeypatch.setattr(metrics, "_known_request_series", set())
    request = RequestFactory().get("/")
    request.resolver_match = resolve(reverse("login"))
    for number in range(3000):
        request.resolver_match.view_name = f"page-{number}"
        metrics._count_request(request, 200, 0.1)
    (family,) = counter.collect()
    totals = [sample for sample in family.samples if sample.name == "x_total"]
    assert len(totals) == metrics.MAX_REQUEST_SERIES + 1
    assert sum(total.value for total in totals) == 3000
    rest = (
        len(metrics.DURATION_BUCKETS) * 3 + 200
    )  # timings, jobs by kind and state, logins, the others
    assert metrics.MAX_REQUEST_SERIES + rest <= 2000


def test_short_metrics_token_is_refused() -> None:
    assert environment.read_metrics_token({"METRICS_TOKEN": TOKEN}) == TOKEN
    with pytest.raises(ImproperlyConfigured, match="too short"):
        environment.read_metrics_token({"METRICS_TOKEN": "abc"})
    with pytest.raises(ImproperlyConfigured, match="is not known"):
        environment.read_log_format({"LOG_FORMAT": "xml"})


def format_log(text: str, **extra: Any) -> dict[str, Any]:
    record = logging.LogRecord("a", logging.INFO, "", 1, text, (), None)
    record.__dict__.update(extra)
    data: dict[str, Any] = json.loads(JsonFormatter(["t"]).format(record))
    return data


def test_log_line_is_json_without_secrets() -> None:
    log = format_log("GET /t/AbCdEfGhIjKlMnOpQrStUv/ password=open")
    assert log["message"] == "GET /t/*/ password=*"
    assert log["level"] == "INFO"
    assert log["time"].endswith("+00:00")
    token = NUMBER.set("abc")
    assert (
        format_log("x", told={"view": "home"}).items()
        >= {"request": "abc", "view": "home"}.items()
    )
    NUMBER.reset(token)


@pytest.mark.django_db
def test_each_request_logs_one_line_with_its_number(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO, "overplay.requests"):
        response = Client().get("/laws/", headers={"X-Request-Id": "from-the-proxy-1"})
    assert response["X-Request-Id"] == "from-the-proxy-1"
    assert (
        len(Client().get("/laws/", headers={"X-Request-Id": "<script>"})["X-Request-Id"]) == 16
    )
    line = caplog.records[0].told
    assert (line["view"], line["status"], line["login"]) == ("laws", 200, None)
    assert line["club"] is None
    assert line["queries"] >= 0
    assert "/laws/" not in json.dumps(line)


@pytest.mark.django_db
def test_only_log_lines_of_club_requests_name_the_club(
    caplog: pytest.LogCaptureFixture,
) -> None:
    event, user = evenings.create_event()
    client = Client()
    client.force_login(user)
    with caplog.at_level(logging.INFO, "overplay.requests"):
        client.get(f"/director/events/{event.slug}/")
        client.get("/laws/")
    clubs = [record.told["club"] for record in caplog.records]
    assert clubs == [event.club_id, None]


def test_logged_query_omits_its_values() -> None:
    assert strip_query_values("SELECT a FROM b WHERE c = 'it''s' AND d = 12") == (
        "SELECT a FROM b WHERE c = ? AND d = ?"
    )
    assert connection.vendor in ("sqlite", "postgresql")
