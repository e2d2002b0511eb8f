"""Access to this program from the hall's network, which a director can switch on and off."""

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
from server.private_apis import listen_also

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVENING = 12 * 60 * 60  # seconds; a restart within them opens the network again

# A laptop that is the Wi-Fi hotspot, or behind a router without internet, may have no default
# route. Then only a target in the local network shows the laptop's own address there.
PROBES = (
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


class Door:
    """The listening sockets for the phones of the hall.

    A program that was started for the network always accepts phones; only the names of this
    machine can change. Otherwise access lasts until it is switched off or the program stops. A
    restart within the same evening switches it on again.
    """

    def __init__(self, host: str, port: int, memory: Path) -> None:
        self.host, self.port, self.memory = host, port, memory
        self.server: Any = None
        self.ways: dict[str, Any] = {}  # listening sockets, by address
        self.hosts: Hosts = settings.ALLOWED_HOSTS
        self.phones: Hosts = settings.PHONE_ADDRESSES

    @property
    def is_wide(self) -> bool:
        """Whether the program was started for the network and cannot close it."""
        return self.host not in LOOPBACK

    @property
    def is_open(self) -> bool:
        """Whether phones can connect."""
        return self.is_wide or bool(self.ways)

    def watch(self, server: Any) -> None:
        """Store the running server; open the network if it was open earlier this evening."""
        self.server = server
        if self.is_wide or self._was_open():
            self.open()

    def open(self) -> bool:
        """Listen at every address that this machine has now; return whether it has one.

        A second call finds new addresses: the laptop may have changed its network.
        """
        found = addresses(self.host if self.is_wide else "0.0.0.0")
        if not self.is_wide:
            here = [name for name in found if is_outside(name)]
            self._close_ways(but=here)
            self._open_ways(here)
            if not self.ways:
                self.shut()
                return False
            with suppress(OSError):
                self.memory.touch()
        self._answer_to(found)
        return bool(sort_for_phones(found))

    def shut(self) -> None:
        """Stop listening at all addresses but this computer's own."""
        with suppress(OSError):
            self.memory.unlink(missing_ok=True)
        self._close_ways(but=())
        if not self.is_wide:
            self._answer_to([])

    def _answer_to(self, names: list[str]) -> None:
        self.hosts.of_the_hall = tuple(names)
        self.phones.of_the_hall = tuple(url(name, self.port) for name in sort_for_phones(names))

    def _was_open(self) -> bool:
        try:
            return time.time() - self.memory.stat().st_mtime < EVENING
        except OSError:
            return False

    def _open_ways(self, names: Iterable[str]) -> None:
        """Listen at more addresses; the server's own threads handle the requests."""
        for name in set(names) - set(self.ways):
            with suppress(OSError):  # the address has just disappeared
                door = socket.create_server((name, self.port), backlog=1024)
                self.ways[name] = listen_also(self.server, door)
        self._in_the_loop(lambda: None)  # wake the loop, which waits for its old sockets

    def _close_ways(self, *, but: Iterable[str]) -> None:
        for name in set(self.ways) - set(but):
            self._in_the_loop(self.ways.pop(name).close)

    def _in_the_loop(self, act: Callable[[], object]) -> None:
        """Run a function in the thread of the server's event loop."""
        self.server.trigger.pull_trigger(act)


_hung: list[Door] = []


def register_door(door: Door) -> None:
    """Register the Door of this process; there is at most one."""
    _hung[:] = [door]


def hall_door() -> Door | None:
    """Return the Door of this process; None on a server, which has a public address."""
    return _hung[0] if _hung else None


def is_network_open() -> bool:
    """Return whether this laptop accepts phones of the hall's network."""
    door = hall_door()
    return door is not None and door.is_open


def addresses(host: str) -> list[str]:
    """Return the addresses of this machine when it listens at a host."""
    if host not in ("0.0.0.0", "::"):
        return [host]
    name = socket.gethostname()
    found = {name.lower(), f"{name.split('.')[0].lower()}.local"}
    with suppress(OSError):  # a machine may not resolve its own name
        found |= {str(entry[4][0]) for entry in socket.getaddrinfo(name, None, socket.AF_INET)}
    for there in PROBES:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((there, 1))  # sends nothing; only selects the route
            found.add(str(probe.getsockname()[0]))
    return sorted(found)


def sort_for_phones(names: list[str]) -> list[str]:
    """Sort this machine's addresses for phones: numeric ones first, no loopback."""
    outside = [name for name in names if not name.startswith("127.")]
    return sorted(outside, key=lambda name: not is_numeric_address(name))


def is_outside(name: str) -> bool:
    """Return whether an address can be used by other machines."""
    return is_numeric_address(name) and not name.startswith(("127.", "0."))


def is_numeric_address(name: str) -> bool:
    """Return whether an address is numeric."""
    return name.replace(".", "").isdigit()


def url(host: str, port: int) -> str:
    """Return the URL to type into a browser."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def is_from_this_computer(request: HttpRequest) -> bool:
    """Return whether a request was sent from this computer.

    The socket decides, not a header that the client can set. Closing the network would cut off
    others.
    """
    return not settings.ON_A_SERVER and request.META.get("REMOTE_ADDR") in LOOPBACK


def is_in_local_network(address: str) -> bool:
    """Return whether an address belongs to the network of this computer."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".home.arpa"))


def phone_address() -> str:
    """Return the base URL for phones, without a final slash.

    Empty if only this computer can connect.
    """
    return next(iter(settings.PHONE_ADDRESSES), "").rstrip("/")


def base_address(request: HttpRequest) -> str:
    """Return the base URL for phones, or that of the request if phones have none."""
    return phone_address() or request.build_absolute_uri("/").rstrip("/")
