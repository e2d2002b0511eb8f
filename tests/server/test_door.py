"""Access from the hall network can be switched at run time and lasts until morning."""

import os
import socket
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import waitress.server
from waitress import wasyncore

from server import hall_network as hall
from server.hall_network import REOPEN_WINDOW_SECONDS, HallNetwork
from server.hosts import AllowedHosts

LOOPBACK_HOST = "127.0.0.2"  # stands for the loopback address
HALL_HOST = "127.0.0.1"  # stands for the address in the hall's network


def respond_with_host(environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
    start("200 OK", [("Content-Type", "text/plain")])
    return [environ["HTTP_HOST"].encode()]


def _has_a_second_address() -> bool:
    try:
        socket.create_server((LOOPBACK_HOST, 0)).close()
    except OSError:
        return False
    return True


pytestmark = pytest.mark.skipif(not _has_a_second_address(), reason="one address for itself")


@pytest.fixture
def host_names(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the host names of the machine; tests change them as a laptop changes networks."""
    names = [HALL_HOST, "laptop.local"]
    monkeypatch.setattr(
        hall, "list_server_addresses", lambda host: list(names) if host == "0.0.0.0" else [host]
    )
    monkeypatch.setattr(hall, "is_reachable_from_outside", lambda name: name == HALL_HOST)
    monkeypatch.setattr(hall, "list_phone_addresses", list)
    return names


@pytest.fixture
def server() -> Iterator[Any]:
    with socket.create_server((LOOPBACK_HOST, 0)) as server_socket:
        channel_map: dict[int, Any] = {}
        server = waitress.server.create_server(
            respond_with_host, channel_map, sockets=[server_socket], threads=2
        )
        server_thread = threading.Thread(target=server.run, daemon=True)
        server_thread.start()
        yield server
        # The loop may wake on its own and close its trigger before the test has used it.
        with suppress(OSError):
            server.trigger.pull_trigger(lambda: wasyncore.close_all(channel_map))
        server_thread.join(5)
        server.task_dispatcher.shutdown()


@pytest.fixture
def door(server: Any, host_names: list[str], settings: Any, tmp_path: Path) -> HallNetwork:
    settings.ALLOWED_HOSTS, settings.PHONE_ADDRESSES = (
        AllowedHosts(["localhost"]),
        AllowedHosts(),
    )
    hall_network = HallNetwork("127.0.0.1", int(server.effective_port), tmp_path / "open")
    hall_network.attach_server(server)
    return hall_network


def is_reachable(door: HallNetwork, host: str = HALL_HOST) -> bool:
    try:
        with urllib.request.urlopen(f"http://{host}:{door.port}/", timeout=5) as response:
            return bool(response.status == 200)
    except OSError:  # refused, or reset while the door was closing
        return False


def wait_until(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 5
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def test_network_access_is_off_until_switched_on(door: HallNetwork, settings: Any) -> None:
    assert not door.is_open
    assert not is_reachable(door)
    assert door.open()
    assert wait_until(lambda: is_reachable(door))
    assert list(settings.ALLOWED_HOSTS) == ["localhost", HALL_HOST, "laptop.local"]
    assert next(iter(settings.PHONE_ADDRESSES)) == f"http://{HALL_HOST}:{door.port}/"
    door.close()
    assert wait_until(lambda: not is_reachable(door))
    assert list(settings.ALLOWED_HOSTS) == ["localhost"]
    assert list(settings.PHONE_ADDRESSES) == []


def test_reopening_network_access_updates_host_names(
    door: HallNetwork, host_names: list[str], settings: Any
) -> None:
    door.open()
    host_names[1] = "other.local"
    assert door.open()
    assert wait_until(lambda: is_reachable(door))
    assert list(settings.ALLOWED_HOSTS) == ["localhost", HALL_HOST, "other.local"]


def test_network_access_stays_off_without_network(
    door: HallNetwork, host_names: list[str], settings: Any
) -> None:
    door.open()
    host_names[:] = ["laptop.local"]
    assert not door.open()
    assert not door.is_open
    assert list(settings.ALLOWED_HOSTS) == ["localhost"]
    assert wait_until(lambda: not is_reachable(door))


@pytest.mark.parametrize(
    ("age_seconds", "is_open"), [(60, True), (REOPEN_WINDOW_SECONDS + 60, False)]
)
def test_network_access_is_restored_after_power_cut_on_same_evening(
    door: HallNetwork, server: Any, age_seconds: int, is_open: bool
) -> None:
    door.state_file.touch()
    started_at = time.time() - age_seconds
    os.utime(door.state_file, (started_at, started_at))
    door.attach_server(server)
    assert door.is_open is is_open


def test_network_access_switched_off_stays_off_at_next_start(door: HallNetwork) -> None:
    door.open()
    assert door.state_file.exists()
    door.close()
    assert not door.state_file.exists()


def test_server_started_for_network_is_accessible_immediately(
    server: Any, host_names: list[str], settings: Any, tmp_path: Path
) -> None:
    settings.ALLOWED_HOSTS, settings.PHONE_ADDRESSES = (
        AllowedHosts(["localhost"]),
        AllowedHosts(),
    )
    hall_network = HallNetwork("0.0.0.0", 8000, tmp_path / "open")
    hall_network.attach_server(server)
    assert hall_network.is_open
    assert [f"http://{HALL_HOST}:8000/", "http://laptop.local:8000/"] == list(
        settings.PHONE_ADDRESSES
    )
    host_names[0] = "192.0.2.77"
    hall_network.open()
    assert "192.0.2.77" in settings.ALLOWED_HOSTS
    assert HALL_HOST not in settings.ALLOWED_HOSTS
