"""Requests to other servers: one deadline for the whole, and on a server only to public hosts.

On a server a director could otherwise make the program connect to its own ports and to private
addresses. The name is resolved once, and the connection uses an address that was checked. This
prevents DNS rebinding, where a name resolves differently the next time. A laptop may connect to
its own network: its director owns both.
"""

import http.client
import ipaddress
import logging
import re
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Timer
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

log = logging.getLogger(__name__)

MAX_BYTES = 2_000_000
NAT64 = ipaddress.ip_network("64:ff9b::/96")
HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\.?")


class NoResponse(Exception):
    """No complete response arrived; the log has the reason."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A server's response; redirects are not followed."""

    status: int
    content: bytes
    retry_after: str


def request(
    url: str, *, method: str, headers: Mapping[str, str], body: bytes | None, seconds: float
) -> Reply:
    """Send one request and read its whole response. Raises NoResponse.

    `seconds` covers everything after the name is resolved: connecting, TLS, headers and body.
    """
    parts = urlsplit(url)
    kind = _Secure if parts.scheme == "https" else _Plain
    line = kind(parts.hostname or "", parts.port, timeout=seconds)
    timer = Timer(seconds, line.abort)
    timer.daemon = True
    timer.start()
    try:
        line.request(method, _target(parts), body, dict(headers))
        answer = line.getresponse()
        content = answer.read(MAX_BYTES)
        if line.is_aborted:
            raise TimeoutError("the deadline has passed")
        return Reply(answer.status, content, answer.headers.get("Retry-After", ""))
    except (OSError, http.client.HTTPException, ValueError) as error:
        log.info("No answer from %s: %s", parts.hostname, type(error).__name__)
        raise NoResponse from None
    finally:
        timer.cancel()
        line.close()


def ascii_host(host: str) -> str:
    """Return a host name as DNS has it, `xn--…` for other letters. Raises ValueError."""
    if ":" in host:
        return str(ipaddress.IPv6Address(host))
    found = host.encode("idna").decode("ascii").lower()
    if not HOST.fullmatch(found):
        raise ValueError("not a host name")
    return found


def is_public(text: str) -> bool:
    """Return whether an IP address belongs to the public internet.

    An IPv6 address that carries an IPv4 address is as public as that one.
    """
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        carried = address.ipv4_mapped or address.sixtofour
        if address.teredo or address in NAT64:
            carried = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if carried is not None:
            return not address.teredo and is_public(str(carried))
    return address.is_global and not address.is_multicast


def _addresses(host: str, port: int) -> list[str]:
    """Resolve a name to the addresses that may be connected to. Raises OSError for none."""
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    found = list(dict.fromkeys(str(row[4][0]) for row in rows))
    if settings.ON_A_SERVER:
        found = [each for each in found if is_public(each)]
    if not found:
        raise OSError("no public address")
    return found


class _Plain(http.client.HTTPConnection):
    """A connection to a checked address; `abort` ends it from another thread."""

    is_aborted = False

    def connect(self) -> None:
        """Connect to the first address that responds within the time."""
        self.sock = self._connect(time.monotonic() + (self.timeout or 0))

    def abort(self) -> None:
        """End the connection, so that a blocked thread stops waiting."""
        self.is_aborted = True
        sock = self.sock
        if sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)

    def _connect(self, deadline: float) -> socket.socket:
        problem: OSError = TimeoutError("the deadline has passed")
        for address in _addresses(self.host, self.port):
            left = deadline - time.monotonic()
            if left <= 0:
                break
            try:
                return socket.create_connection((address, self.port), timeout=left)
            except OSError as error:
                problem = error
        raise problem


class _Secure(_Plain):
    """A connection over TLS to a checked address; the certificate must match the name."""

    default_port = http.client.HTTPS_PORT

    def connect(self) -> None:
        """Connect, and verify the certificate."""
        super().connect()
        context = ssl.create_default_context()
        # The handshake comes after the socket is stored, so that `abort` reaches it.
        self.sock = secure = context.wrap_socket(
            self.sock, server_hostname=self.host, do_handshake_on_connect=False
        )
        if self.is_aborted:
            raise TimeoutError("the deadline has passed")
        secure.do_handshake()


def _target(parts: SplitResult) -> str:
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path
