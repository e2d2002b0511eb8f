"""The hall's network: a director can let phones connect to the program on a laptop."""

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

from server.hosts import AllowedHosts
from server.private_apis import add_listening_socket

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
REOPEN_WINDOW_SECONDS = 12 * 60 * 60
"""After a restart within this time, the network is opened again if it was open."""

# A laptop that is the Wi-Fi hotspot, or behind a router without internet, may have no default
# route. Only a connection to a local address then reveals the laptop's own address.
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
"""Addresses in common local networks; connecting to one reveals this machine's own address."""


class HallNetwork:
    """The listening sockets for phones in the hall's network.

    If the program was started with the network's address, phones always have access. Otherwise
    a director switches access on, and it ends when a director switches it off or the program
    stops. A restart on the same evening switches it on again.
    """

    def __init__(self, host: str, port: int, state_file: Path) -> None:
        self.host, self.port, self.state_file = host, port, state_file
        self.server: Any = None
        self.sockets_by_address: dict[str, Any] = {}  # listening sockets, by address
        self.allowed_hosts: AllowedHosts = settings.ALLOWED_HOSTS
        self.phone_urls: AllowedHosts = settings.PHONE_ADDRESSES

    @property
    def is_always_open(self) -> bool:
        """Whether the program was started with access that cannot be switched off."""
        return self.host not in LOOPBACK_HOSTS

    @property
    def is_open(self) -> bool:
        """Whether phones can connect."""
        return self.is_always_open or bool(self.sockets_by_address)

    def attach_server(self, server: Any) -> None:
        """Store the running server, and open the network if it was open before a restart."""
        self.server = server
        if self.is_always_open or self._was_open_recently():
            self.open()

    def open(self) -> bool:
        """Listen at every address of this machine; return whether phones can use one of them.

        Call it again after the laptop has joined another network.
        """
        addresses = list_server_addresses(self.host if self.is_always_open else "0.0.0.0")
        if not self.is_always_open:
            reachable_addresses = [
                address for address in addresses if is_reachable_from_outside(address)
            ]
            self._close_sockets(kept_host_names=reachable_addresses)
            self._open_sockets(reachable_addresses)
            if not self.sockets_by_address:
                self.close()
                return False
            with suppress(OSError):
                self.state_file.touch()
        self._set_host_names(addresses)
        return bool(list_phone_addresses(addresses))

    def close(self) -> None:
        """Stop listening at all addresses except the loopback address."""
        with suppress(OSError):
            self.state_file.unlink(missing_ok=True)
        self._close_sockets(kept_host_names=())
        if not self.is_always_open:
            self._set_host_names([])

    def _set_host_names(self, host_names: list[str]) -> None:
        self.allowed_hosts.hall_names = tuple(host_names)
        self.phone_urls.hall_names = tuple(
            build_url(host_name, self.port) for host_name in list_phone_addresses(host_names)
        )

    def _was_open_recently(self) -> bool:
        try:
            return time.time() - self.state_file.stat().st_mtime < REOPEN_WINDOW_SECONDS
        except OSError:
            return False

    def _open_sockets(self, host_names: Iterable[str]) -> None:
        """Add a listening socket for each address to the running server."""
        for host_name in set(host_names) - set(self.sockets_by_address):
            with suppress(OSError):  # the machine has just lost this address
                listening_socket = socket.create_server((host_name, self.port), backlog=1024)
                self.sockets_by_address[host_name] = add_listening_socket(
                    self.server, listening_socket
                )
        # wake the event loop, which still waits only for the old sockets
        self._run_in_event_loop(lambda: None)

    def _close_sockets(self, *, kept_host_names: Iterable[str]) -> None:
        for host_name in set(self.sockets_by_address) - set(kept_host_names):
            self._run_in_event_loop(self.sockets_by_address.pop(host_name).close)

    def _run_in_event_loop(self, callback: Callable[[], object]) -> None:
        """Run a function in the thread of the server's event loop."""
        self.server.trigger.pull_trigger(callback)


_registered_networks: list[HallNetwork] = []


def register_hall_network(hall_network: HallNetwork) -> None:
    """Register the HallNetwork of this process; there is at most one."""
    _registered_networks[:] = [hall_network]


def find_hall_network() -> HallNetwork | None:
    """Return the HallNetwork of this process, or None on a server, which has a public URL."""
    return _registered_networks[0] if _registered_networks else None


def is_network_open() -> bool:
    """Return whether this laptop accepts phones of the hall's network."""
    hall_network = find_hall_network()
    return hall_network is not None and hall_network.is_open


def list_server_addresses(host: str) -> list[str]:
    """Return the names and IP addresses at which other machines may reach this one.

    `host` is the address at which the program listens.
    """
    if host not in ("0.0.0.0", "::"):
        return [host]
    host_name = socket.gethostname()
    addresses = {host_name.lower(), f"{host_name.split('.')[0].lower()}.local"}
    with suppress(OSError):  # some machines cannot resolve their own name
        addresses |= {
            str(address_info[4][0])
            for address_info in socket.getaddrinfo(host_name, None, socket.AF_INET)
        }
    for probe_address in PROBE_ADDRESSES:
        with (
            suppress(OSError),
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe_socket,
        ):
            # for UDP this sends nothing, but makes the system choose the local address
            probe_socket.connect((probe_address, 1))
            addresses.add(str(probe_socket.getsockname()[0]))
    return sorted(addresses)


def list_phone_addresses(host_names: list[str]) -> list[str]:
    """Return the addresses that phones can use, IP addresses first."""
    non_loopback_host_names = [
        host_name for host_name in host_names if not host_name.startswith("127.")
    ]
    return sorted(
        non_loopback_host_names, key=lambda host_name: not is_numeric_address(host_name)
    )


def is_reachable_from_outside(host_name: str) -> bool:
    """Return whether this is an IPv4 address that other machines can use."""
    return is_numeric_address(host_name) and not host_name.startswith(("127.", "0."))


def is_numeric_address(host_name: str) -> bool:
    """Return whether a host name is an IPv4 address."""
    return host_name.replace(".", "").isdigit()


def build_url(host: str, port: int) -> str:
    """Return the URL to type into a browser for a host and port."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def is_from_this_computer(request: HttpRequest) -> bool:
    """Return whether a request was sent from this computer.

    The check uses the address of the connection, which a client cannot forge. Only this
    computer may close the network, because that disconnects everyone else.
    """
    return (
        not settings.IS_SERVER_DEPLOYMENT and request.META.get("REMOTE_ADDR") in LOOPBACK_HOSTS
    )


def is_in_local_network(url: str) -> bool:
    """Return whether the host in a URL is an address in a private network."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".home.arpa"))


def find_phone_url() -> str:
    """Return the base URL for phones without a final slash, or "" if phones cannot connect."""
    return next(iter(settings.PHONE_ADDRESSES), "").rstrip("/")


def find_base_url(request: HttpRequest) -> str:
    """Return the base URL for phones, or the base URL of the request if phones have none."""
    return find_phone_url() or request.build_absolute_uri("/").rstrip("/")
