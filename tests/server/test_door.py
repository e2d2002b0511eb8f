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
from server.hall_network import REOPEN_SECONDS, HallNetwork
from server.hosts import AllowedHosts

INSIDE = "127.0.0.2"  # stands for the loopback address
OUTSIDE = "127.0.0.1"  # stands for the address in the hall's network


def respond_with_host(environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
    start("200 OK", [("Content-Type", "text/plain")])
    return [environ["HTTP_HOST"].encode()]


def _has_a_second_address() -> bool:
    try:
        socket.create_server((INSIDE, 0)).close()
    except OSError:
        return False
    return True


pytestmark = pytest.mark.skipif(not _has_a_second_address(), reason="one address for itself")


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the host names of the machine; tests change them as a laptop changes networks."""
    names = [OUTSIDE, "laptop.local"]
    monkeypatch.setattr(
        hall, "list_addresses", lambda host: list(names) if host == "0.0.0.0" else [host]
    )
    monkeypatch.setattr(hall, "is_reachable_from_outside", lambda name: name == OUTSIDE)
    monkeypatch.setattr(hall, "list_phone_addresses", list)
    return names


@pytest.fixture
def server() -> Iterator[Any]:
    with socket.create_server((INSIDE, 0)) as door:
        ways: dict[int, Any] = {}
        server = waitress.server.create_server(
            respond_with_host, ways, sockets=[door], threads=2
        )
        running = threading.Thread(target=server.run, daemon=True)
        running.start()
        yield server
        # The loop may wake on its own and close its trigger before the test has used it.
        with suppress(OSError):
            server.trigger.pull_trigger(lambda: wasyncore.close_all(ways))
        running.join(5)
        server.task_dispatcher.shutdown()


@pytest.fixture
def door(server: Any, network: list[str], settings: Any, tmp_path: Path) -> HallNetwork:
    settings.ALLOWED_HOSTS, settings.PHONE_ADDRESSES = (
        AllowedHosts(["localhost"]),
        AllowedHosts(),
    )
    hall_network = HallNetwork("127.0.0.1", int(server.effective_port), tmp_path / "open")
    hall_network.attach_server(server)
    return hall_network


def is_reachable(door: HallNetwork, host: str = OUTSIDE) -> bool:
    try:
        with urllib.request.urlopen(f"http://{host}:{door.port}/", timeout=5) as response:
            return bool(response.status == 200)
    except OSError:  # refused, or reset while the door was closing
        return False


def wait_until(true: Callable[[], bool]) -> bool:
    end = time.monotonic() + 5
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


def test_network_access_is_off_until_switched_on(door: HallNetwork, settings: Any) -> None:
    assert not door.is_open
    assert not is_reachable(door)
    assert door.open()
    assert wait_until(lambda: is_reachable(door))
    assert list(settings.ALLOWED_HOSTS) == ["localhost", OUTSIDE, "laptop.local"]
    assert next(iter(settings.PHONE_ADDRESSES)) == f"http://{OUTSIDE}:{door.port}/"
    door.close()
    assert wait_until(lambda: not is_reachable(door))
    assert list(settings.ALLOWED_HOSTS) == ["localhost"]
    assert list(settings.PHONE_ADDRESSES) == []


def test_reopening_network_access_updates_host_names(
    door: HallNetwork, network: list[str], settings: Any
) -> None:
    door.open()
    network[1] = "other.local"
    assert door.open()
    assert wait_until(lambda: is_reachable(door))
    assert list(settings.ALLOWED_HOSTS) == ["localhost", OUTSIDE, "other.local"]


def test_network_access_stays_off_without_network(
    door: HallNetwork, network: list[str], settings: Any
) -> None:
    door.open()
    network[:] = ["laptop.local"]
    assert not door.open()
    assert not door.is_open
    assert list(settings.ALLOWED_HOSTS) == ["localhost"]
    assert wait_until(lambda: not is_reachable(door))


@pytest.mark.parametrize(("age", "is_open"), [(60, True), (REOPEN_SECONDS + 60, False)])
def test_network_access_is_restored_after_power_cut_on_same_evening(
    door: HallNetwork, server: Any, age: int, is_open: bool
) -> None:
    door.state_file.touch()
    started_at = time.time() - age
    os.utime(door.state_file, (started_at, started_at))
    door.attach_server(server)
    assert door.is_open is is_open


def test_network_access_switched_off_stays_off_at_next_start(door: HallNetwork) -> None:
    door.open()
    assert door.state_file.exists()
    door.close()
    assert not door.state_file.exists()


def test_server_started_for_network_is_accessible_immediately(
    server: Any, network: list[str], settings: Any, tmp_path: Path
) -> None:
    settings.ALLOWED_HOSTS, settings.PHONE_ADDRESSES = (
        AllowedHosts(["localhost"]),
        AllowedHosts(),
    )
    hall_network = HallNetwork("0.0.0.0", 8000, tmp_path / "open")
    hall_network.attach_server(server)
    assert hall_network.is_open
    assert [f"http://{OUTSIDE}:8000/", "http://laptop.local:8000/"] == list(
        settings.PHONE_ADDRESSES
    )
    network[0] = "192.0.2.77"
    hall_network.open()
    assert "192.0.2.77" in settings.ALLOWED_HOSTS
    assert OUTSIDE not in settings.ALLOWED_HOSTS
