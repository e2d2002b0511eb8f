"""HTTP requests to other servers, with a deadline; a server only connects to public addresses.

Otherwise a director could make the server connect to its own ports and to private addresses.
The host name is resolved once, and the connection uses the checked address. This prevents DNS
rebinding, where a name resolves to another address the second time.
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

MAX_RESPONSE_BYTES = 2_000_000
NAT64_NETWORK = ipaddress.ip_network("64:ff9b::/96")
HOST_PATTERN = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\.?")


class RemoteRequestFailed(Exception):
    """No complete response was received; the log has the reason."""


@dataclass(frozen=True, slots=True)
class RemoteResponse:
    """The response of another server; redirects are not followed."""

    status: int
    content: bytes
    retry_after: str


def send_request(
    url: str,
    *,
    method: str,
    headers: Mapping[str, str],
    body: bytes | None,
    timeout_seconds: float,
) -> RemoteResponse:
    """Send one request and return its complete response.

    `timeout_seconds` is the limit for connecting, TLS, headers and body together. Raises
    RemoteRequestFailed if the request fails or the time is over.
    """
    url_parts = urlsplit(url)
    connection_class = (
        _AddressCheckedTLSConnection
        if url_parts.scheme == "https"
        else _AddressCheckedConnection
    )
    connection = connection_class(
        url_parts.hostname or "", url_parts.port, timeout=timeout_seconds
    )
    timer = Timer(timeout_seconds, connection.abort)
    timer.daemon = True
    timer.start()
    try:
        connection.request(method, _build_request_target(url_parts), body, dict(headers))
        response = connection.getresponse()
        content = response.read(MAX_RESPONSE_BYTES)
        if connection.is_aborted:
            raise TimeoutError("the deadline has passed")
        return RemoteResponse(response.status, content, response.headers.get("Retry-After", ""))
    except (OSError, http.client.HTTPException, ValueError) as error:
        log.info("No answer from %s: %s", url_parts.hostname, type(error).__name__)
        raise RemoteRequestFailed from None
    finally:
        timer.cancel()
        connection.close()


def encode_host(host: str) -> str:
    """Return a host name in ASCII (IDNA, `xn--…`). Raises ValueError for an invalid name."""
    if ":" in host:
        return str(ipaddress.IPv6Address(host))
    encoded_host = host.encode("idna").decode("ascii").lower()
    if not HOST_PATTERN.fullmatch(encoded_host):
        raise ValueError("not a host name")
    return encoded_host


def is_public_address(address_text: str) -> bool:
    """Return whether an IP address is in the public internet.

    For an IPv6 address that contains an IPv4 address, the IPv4 address decides.
    """
    parsed_address = ipaddress.ip_address(address_text.partition("%")[0])
    if isinstance(parsed_address, ipaddress.IPv6Address):
        embedded_address = parsed_address.ipv4_mapped or parsed_address.sixtofour
        if parsed_address.teredo or parsed_address in NAT64_NETWORK:
            embedded_address = ipaddress.IPv4Address(int(parsed_address) & 0xFFFFFFFF)
        if embedded_address is not None:
            return not parsed_address.teredo and is_public_address(str(embedded_address))
    return parsed_address.is_global and not parsed_address.is_multicast


def _resolve_addresses(host: str, port: int) -> list[str]:
    """Return the allowed addresses of a host name; raise OSError if there are none."""
    address_infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(address_info[4][0]) for address_info in address_infos))
    if settings.IS_SERVER_DEPLOYMENT:
        addresses = [address for address in addresses if is_public_address(address)]
    if not addresses:
        raise OSError("no public address")
    return addresses


class _AddressCheckedConnection(http.client.HTTPConnection):
    """A connection to a checked address that another thread can abort."""

    is_aborted = False

    def connect(self) -> None:
        """Connect to the first address that responds before the deadline."""
        self.sock = self._connect(time.monotonic() + (self.timeout or 0))

    def abort(self) -> None:
        """End the connection, which also unblocks a thread that waits for data."""
        self.is_aborted = True
        sock = self.sock
        if sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)

    def _connect(self, deadline: float) -> socket.socket:
        last_error: OSError = TimeoutError("the deadline has passed")
        for address in _resolve_addresses(self.host, self.port):
            seconds_left = deadline - time.monotonic()
            if seconds_left <= 0:
                break
            try:
                return socket.create_connection((address, self.port), timeout=seconds_left)
            except OSError as error:
                last_error = error
        raise last_error


class _AddressCheckedTLSConnection(_AddressCheckedConnection):
    """A TLS connection to a checked address; the certificate must match the host name."""

    default_port = http.client.HTTPS_PORT

    def connect(self) -> None:
        """Connect, and verify the certificate."""
        super().connect()
        context = ssl.create_default_context()
        # The socket is stored before the handshake, so that `abort` can end the handshake too.
        self.sock = tls_socket = context.wrap_socket(
            self.sock, server_hostname=self.host, do_handshake_on_connect=False
        )
        if self.is_aborted:
            raise TimeoutError("the deadline has passed")
        tls_socket.do_handshake()


def _build_request_target(url_parts: SplitResult) -> str:
    path = url_parts.path or "/"
    return f"{path}?{url_parts.query}" if url_parts.query else path
