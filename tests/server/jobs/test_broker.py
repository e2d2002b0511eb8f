"""The broker: no page waits long for an unreachable one, or retries it all the time."""

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator

import pytest
from celery import current_app
from django.conf import settings

from server.jobs import broker


@pytest.fixture(autouse=True)
def restored_broker_settings() -> Iterator[None]:
    before = current_app.conf.broker_url, settings.CELERY_BROKER_TRANSPORT_OPTIONS
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {}
    current_app.conf.task_always_eager = False
    broker.BREAKER.close()
    yield
    broker.BREAKER.close()
    current_app.conf.task_always_eager = True
    current_app.conf.broker_url, settings.CELERY_BROKER_TRANSPORT_OPTIONS = before


@pytest.fixture
def unresponsive_queue() -> Iterator[int]:
    """Start a queue that accepts every connection and never responds."""
    with socket.create_server(("127.0.0.1", 0), backlog=20) as door:
        yield door.getsockname()[1]


def test_a_queue_that_is_frozen_is_waited_for_a_moment_and_then_left_alone(
    unresponsive_queue: int, caplog: pytest.LogCaptureFixture
) -> None:
    current_app.conf.broker_url = f"redis://127.0.0.1:{unresponsive_queue}/0"
    waits = []
    for _number in range(20):
        started_at = time.monotonic()
        assert not broker.send_messages(0)
        waits.append(time.monotonic() - started_at)
    assert waits[0] < 1.5  # 0.3 and the first imports
    assert max(waits[1:]) < 0.05
    assert broker.read_queue_lengths() is None
    assert len(caplog.records) == 1


def test_a_queue_that_is_gone_is_asked_again_after_some_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    current_app.conf.broker_url = "redis://127.0.0.1:1/0"
    assert not broker.send_messages(0)
    assert broker.BREAKER.is_open()
    asked = []
    monkeypatch.setattr(broker, "_create_connection", lambda: asked.append(1) or 1 / 0)
    assert not broker.send_messages(0)
    assert asked == []
    monkeypatch.setattr(broker.BREAKER, "until", time.monotonic() - 0.1)
    with pytest.raises(ZeroDivisionError):
        broker.send_messages(0)


@pytest.fixture
def connected_redis() -> Iterator[subprocess.Popen[bytes]]:
    """Start a Redis that has responded once, so that this process is connected to it."""
    program = shutil.which("redis-server") or pytest.skip("Redis is not there")
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    nothing_kept = ("--save", "", "--appendonly", "no")
    process = subprocess.Popen((program, "--port", str(port), *nothing_kept), **quiet)
    current_app.conf.broker_url = f"redis://127.0.0.1:{port}/0"
    end = time.monotonic() + 10
    while broker.read_queue_lengths() is None and time.monotonic() < end:
        broker.BREAKER.close()
        time.sleep(0.02)
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize("how", ["KILL", "STOP"])
def test_a_queue_that_has_answered_and_dies_or_freezes_is_away_and_no_mistake(
    connected_redis: subprocess.Popen[bytes], how: str
) -> None:
    assert broker.send_messages(0)
    connected_redis.send_signal(getattr(signal, f"SIG{how}"))
    if how == "KILL":
        connected_redis.wait()
    assert broker.is_unreachable()
    broker.BREAKER.close()
    assert not broker.send_messages(0)
