"""Figures for alarms, and a log that programs read: neither tells a secret."""

import json
import logging
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client

from config import environment
from server import metrics
from server.backups.tasks import ASKED, want_backup
from server.jobs import bell
from server.request_log import ASKED as NUMBER
from server.request_log import JsonLines, shape_of

TOKEN = "a token of more than twenty letters"
SHOWN = {"Authorization": f"Bearer {TOKEN}"}


@pytest.mark.django_db
def test_figures_are_told_to_whoever_bears_the_token_and_to_nobody_else(settings: Any) -> None:
    pytest.importorskip("prometheus_client")
    assert Client().get("/metrics").status_code == 404
    settings.METRICS_TOKEN = TOKEN
    assert Client().get("/metrics").status_code == 404
    assert Client().get("/metrics", headers={"Authorization": "Bearer x"}).status_code == 404
    Client().get("/laws/")
    Client().get("/nowhere/")
    told = Client().get("/metrics", headers=SHOWN)
    assert told["Cache-Control"] == "no-store"
    text = told.content.decode()
    assert 'overplay_requests_total{status="200",view="laws"}' in text
    assert 'overplay_requests_total{status="404",view=""}' in text
    assert "overplay_database_up 1.0" in text
    assert "/nowhere" not in text


@pytest.mark.django_db
def test_work_that_waits_is_among_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("prometheus_client")
    monkeypatch.setattr(bell, "ring", lambda *_told: None)
    want_backup(ASKED)
    found = {family.name: family for family in metrics.Now().collect()}
    job = found["overplay_jobs"].samples[0]
    assert (job.labels, job.value) == ({"kind": "backup", "state": "wanted"}, 1)
    assert 0 <= found["overplay_oldest_due_seconds"].samples[0].value < 60


def test_a_short_token_is_refused() -> None:
    assert environment.metrics_token({"METRICS_TOKEN": TOKEN}) == TOKEN
    with pytest.raises(ImproperlyConfigured, match="too short"):
        environment.metrics_token({"METRICS_TOKEN": "abc"})
    with pytest.raises(ImproperlyConfigured, match="neither"):
        environment.log_format({"LOG_FORMAT": "xml"})


def told(words: str, **extra: Any) -> dict[str, Any]:
    record = logging.LogRecord("a", logging.INFO, "", 1, words, (), None)
    record.__dict__.update(extra)
    found: dict[str, Any] = json.loads(JsonLines(["t"]).format(record))
    return found


def test_a_line_is_json_without_a_secret() -> None:
    found = told("GET /t/AbCdEfGhIjKlMnOpQrStUv/ password=open")
    assert found["message"] == "GET /t/*/ password=*"
    assert found["level"] == "INFO"
    assert found["time"].endswith("+00:00")
    token = NUMBER.set("abc")
    assert (
        told("x", told={"view": "home"}).items() >= {"request": "abc", "view": "home"}.items()
    )
    NUMBER.reset(token)


@pytest.mark.django_db
def test_each_request_is_one_line_and_bears_its_number(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO, "overplay.requests"):
        answer = Client().get("/laws/", headers={"X-Request-Id": "from-the-proxy-1"})
    assert answer["X-Request-Id"] == "from-the-proxy-1"
    assert (
        len(Client().get("/laws/", headers={"X-Request-Id": "<script>"})["X-Request-Id"]) == 16
    )
    line = caplog.records[0].told  # type: ignore[attr-defined]
    assert (line["view"], line["status"], line["login"]) == ("laws", 200, None)
    assert line["queries"] >= 0
    assert "/laws/" not in json.dumps(line)


def test_a_question_is_told_without_its_values() -> None:
    assert shape_of("SELECT a FROM b WHERE c = 'it''s' AND d = 12") == (
        "SELECT a FROM b WHERE c = ? AND d = ?"
    )
    assert connection.vendor in ("sqlite", "postgresql")
