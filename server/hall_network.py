"""Access to this program from the hall's network, which a director can open and close."""

import socket
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

from server.hosts import Hosts
from server.private_apis import add_listening_socket

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
REOPEN_SECONDS = 12 * 60 * 60  # seconds; a restart within them opens the network again
"""After a restart within this time the network is opened again."""

# A laptop that is the Wi-Fi hotspot, or behind a router without internet, may have no default
# route. Then only a target in the local network shows the laptop's own address there.
PROBE_ADDRESSES = (
    "10.255.255.255",
    "10.42.0.2",  # hotspot of NetworkManager
    "172.20.10.2",  # hotspot of a phone
    "192.168.0.2",
    "192.168.1.2",
    "192.168.2.2",
    "192.168.43.2",  # hotspot of a phone
    "192.168.137.2",  # hotspot of Windows
    "192.168.178.2",
)
"""Addresses in local networks, to find this machine's own address in each."""


class HallNetwork:
    """The listening sockets for phones in the hall's network.

    If the program was started for the network, phones always have access. Otherwise access
    lasts until the director closes it or the program stops. A restart within the same evening
    opens it again.
    """

    def __init__(self, host: str, port: int, state_file: Path) -> None:
        self.host, self.port, self.state_file = host, port, state_file
        self.server: Any = None
        self.sockets: dict[str, Any] = {}  # listening sockets, by address
        self.hosts: Hosts = settings.ALLOWED_HOSTS
        self.phones: Hosts = settings.PHONE_ADDRESSES

    @property
    def is_always_open(self) -> bool:
        """Whether the program was started for the network, which then cannot be closed."""
        return self.host not in LOOPBACK_HOSTS

    @property
    def is_open(self) -> bool:
        """Whether phones can connect."""
        return self.is_always_open or bool(self.sockets)

    def attach_server(self, server: Any) -> None:
        """Store the running server; open the network if it was open earlier this evening."""
        self.server = server
        if self.is_always_open or self._was_open_recently():
            self.open()

    def open(self) -> bool:
        """Listen at every current address of this machine.

        Return whether it has one for phones.

        Call it again after the laptop has changed its network.
        """
        found = list_addresses(self.host if self.is_always_open else "0.0.0.0")
        if not self.is_always_open:
            here = [name for name in found if is_reachable_from_outside(name)]
            self._close_sockets(but=here)
            self._open_sockets(here)
            if not self.sockets:
                self.close()
                return False
            with suppress(OSError):
                self.state_file.touch()
        self._set_host_names(found)
        return bool(sort_for_phones(found))

    def close(self) -> None:
        """Stop listening at all addresses except this computer's own."""
        with suppress(OSError):
            self.state_file.unlink(missing_ok=True)
        self._close_sockets(but=())
        if not self.is_always_open:
            self._set_host_names([])

    def _set_host_names(self, names: list[str]) -> None:
        self.hosts.hall_names = tuple(names)
        self.phones.hall_names = tuple(
            build_url(name, self.port) for name in sort_for_phones(names)
        )

    def _was_open_recently(self) -> bool:
        try:
            return time.time() - self.state_file.stat().st_mtime < REOPEN_SECONDS
        except OSError:
            return False

    def _open_sockets(self, names: Iterable[str]) -> None:
        """Listen at these addresses too, with the server's existing threads."""
        for name in set(names) - set(self.sockets):
            with suppress(OSError):  # the address has just disappeared
                door = socket.create_server((name, self.port), backlog=1024)
                self.sockets[name] = add_listening_socket(self.server, door)
        self._run_in_loop(lambda: None)  # wake the loop, which waits for its old sockets

    def _close_sockets(self, *, but: Iterable[str]) -> None:
        for name in set(self.sockets) - set(but):
            self._run_in_loop(self.sockets.pop(name).close)

    def _run_in_loop(self, act: Callable[[], object]) -> None:
        """Run a function in the thread of the server's event loop."""
        self.server.trigger.pull_trigger(act)


_registered: list[HallNetwork] = []


def register_hall_network(door: HallNetwork) -> None:
    """Register the HallNetwork of this process; there is at most one."""
    _registered[:] = [door]


def find_hall_network() -> HallNetwork | None:
    """Return the HallNetwork of this process; None on a server, which has a public address."""
    return _registered[0] if _registered else None


def is_network_open() -> bool:
    """Return whether this laptop accepts phones of the hall's network."""
    door = find_hall_network()
    return door is not None and door.is_open


def list_addresses(host: str) -> list[str]:
    """Return the names and IP addresses at which this machine can be reached.

    `host` is the address at which it listens.
    """
    if host not in ("0.0.0.0", "::"):
        return [host]
    name = socket.gethostname()
    found = {name.lower(), f"{name.split('.')[0].lower()}.local"}
    with suppress(OSError):  # a machine may not resolve its own name
        found |= {str(entry[4][0]) for entry in socket.getaddrinfo(name, None, socket.AF_INET)}
    for there in PROBE_ADDRESSES:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((there, 1))  # sends nothing; only selects the route
            found.add(str(probe.getsockname()[0]))
    return sorted(found)


def sort_for_phones(names: list[str]) -> list[str]:
    """Return the addresses that phones can use, IP addresses first."""
    outside = [name for name in names if not name.startswith("127.")]
    return sorted(outside, key=lambda name: not is_numeric_address(name))


def is_reachable_from_outside(name: str) -> bool:
    """Return whether other machines can use an address."""
    return is_numeric_address(name) and not name.startswith(("127.", "0."))


def is_numeric_address(name: str) -> bool:
    """Return whether an address is an IPv4 address, not a name."""
    return name.replace(".", "").isdigit()


def build_url(host: str, port: int) -> str:
    """Return the URL to type into a browser for a host and port."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def is_from_this_computer(request: HttpRequest) -> bool:
    """Return whether a request was sent from this computer.

    It checks the address of the socket, not a header that the client can set. Only this
    computer may close the network, since closing it disconnects all others.
    """
    return not settings.ON_A_SERVER and request.META.get("REMOTE_ADDR") in LOOPBACK_HOSTS


def is_in_local_network(address: str) -> bool:
    """Return whether a URL's host is in a private network."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".home.arpa"))


def find_phone_url() -> str:
    """Return the base URL for phones without a final slash, or "" if they cannot connect."""
    return next(iter(settings.PHONE_ADDRESSES), "").rstrip("/")


def find_base_url(request: HttpRequest) -> str:
    """Return the base URL for phones, or the base URL of the request if phones have none."""
    return find_phone_url() or request.build_absolute_uri("/").rstrip("/")
