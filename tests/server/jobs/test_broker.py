"""The broker: no page waits long for an unreachable one, or retries it all the time."""

import shutil
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator

import pytest
from celery import current_app
from django.conf import settings

from server.jobs import broker


@pytest.fixture(autouse=True)
def restored_broker_settings() -> Iterator[None]:
    original_settings = current_app.conf.broker_url, settings.CELERY_BROKER_TRANSPORT_OPTIONS
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {}
    current_app.conf.task_always_eager = False
    broker.BROKER_CIRCUIT_BREAKER.close()
    yield
    broker.BROKER_CIRCUIT_BREAKER.close()
    current_app.conf.task_always_eager = True
    current_app.conf.broker_url, settings.CELERY_BROKER_TRANSPORT_OPTIONS = original_settings


@pytest.fixture
def unresponsive_queue_port() -> Iterator[int]:
    """Start a queue that accepts every connection and never responds."""
    with socket.create_server(("127.0.0.1", 0), backlog=20) as server_socket:
        yield server_socket.getsockname()[1]


def test_frozen_broker_causes_only_one_short_timeout(
    unresponsive_queue_port: int, caplog: pytest.LogCaptureFixture
) -> None:
    current_app.conf.broker_url = f"redis://127.0.0.1:{unresponsive_queue_port}/0"
    wait_durations = []
    for _number in range(20):
        started_at = time.monotonic()
        assert not broker.send_messages(0)
        wait_durations.append(time.monotonic() - started_at)
    assert wait_durations[0] < 4  # 0.3, and the first imports on a busy machine
    assert max(wait_durations[1:]) < 0.05
    assert broker.read_queue_lengths() is None
    assert len(caplog.records) == 1


@pytest.fixture
def frozen_rabbitmq_port() -> Iterator[int]:
    """Start a server that opens an AMQP connection and a channel, and then never responds."""
    methods = [  # AMQP 0-9-1: channel, class and method, arguments
        (0, (10, 10), b"\0\x09" + bytes(4) + b"\0\0\0\x05PLAIN" + b"\0\0\0\x05en_US"),
        (0, (10, 30), struct.pack(">HIH", 2047, 131072, 0)),  # tune
        (0, (10, 41), b"\0"),  # the connection is open
        (1, (20, 11), bytes(4)),  # the channel is open
    ]
    frames = b"".join(
        struct.pack(">BHI", 1, channel, 4 + len(arguments))
        + struct.pack(">HH", *method)
        + arguments
        + b"\xce"
        for channel, method, arguments in methods
    )
    with socket.create_server(("127.0.0.1", 0)) as server_socket:

        def accept_connection() -> None:
            with server_socket.accept()[0] as connection:
                connection.recv(8)  # the header
                connection.sendall(frames)
                time.sleep(5)

        threading.Thread(target=accept_connection, daemon=True).start()
        yield server_socket.getsockname()[1]


def test_rabbitmq_that_freezes_after_connecting_times_out_quickly(
    frozen_rabbitmq_port: int,
) -> None:
    current_app.conf.broker_url = f"amqp://guest:guest@127.0.0.1:{frozen_rabbitmq_port}//"
    started_at = time.monotonic()
    assert broker.read_queue_lengths() is None
    assert time.monotonic() - started_at < 3  # 0.3 and the first imports


def test_unavailable_broker_is_retried_after_circuit_breaker_timeout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    current_app.conf.broker_url = "redis://127.0.0.1:1/0"
    assert not broker.send_messages(0)
    assert broker.BROKER_CIRCUIT_BREAKER.is_open()
    connection_attempts = []
    monkeypatch.setattr(
        broker, "_create_connection", lambda: connection_attempts.append(1) or 1 / 0
    )
    assert not broker.send_messages(0)
    assert connection_attempts == []
    monkeypatch.setattr(broker.BROKER_CIRCUIT_BREAKER, "open_until", time.monotonic() - 0.1)
    with pytest.raises(ZeroDivisionError):
        broker.send_messages(0)


@pytest.fixture
def redis_process() -> Iterator[subprocess.Popen[bytes]]:
    """Start a Redis that has responded once, so that this process is connected to it."""
    program = shutil.which("redis-server") or pytest.skip("Redis is not there")
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    output_options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    persistence_options = ("--save", "", "--appendonly", "no")
    process = subprocess.Popen(
        (program, "--port", str(port), *persistence_options), **output_options
    )
    current_app.conf.broker_url = f"redis://127.0.0.1:{port}/0"
    end = time.monotonic() + 10
    while broker.read_queue_lengths() is None and time.monotonic() < end:
        broker.BROKER_CIRCUIT_BREAKER.close()
        time.sleep(0.02)
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize("how", ["KILL", "STOP"])
def test_broker_that_crashes_or_freezes_after_connecting_is_unreachable(
    redis_process: subprocess.Popen[bytes], how: str
) -> None:
    assert broker.send_messages(0)
    redis_process.send_signal(getattr(signal, f"SIG{how}"))
    if how == "KILL":
        redis_process.wait()
    assert broker.is_broker_unreachable()
    broker.BROKER_CIRCUIT_BREAKER.close()
    assert not broker.send_messages(0)
