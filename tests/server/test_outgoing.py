"""Outgoing requests: on a server only to public addresses, and with a time limit."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from server.outgoing import (
    RemoteRequestFailed,
    RemoteResponse,
    encode_host,
    is_public_address,
    send_request,
)

OK_RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nRetry-After: 7\r\n\r\n{}"
ConnectionHandler = Callable[[Any], None]


def send_get(url: str, seconds: float = 5) -> RemoteResponse:
    return send_request(url, method="GET", headers={}, body=None, timeout_seconds=seconds)


@pytest.fixture
def start_listener() -> Iterator[Callable[[ConnectionHandler], int]]:
    """Start a listener that handles each connection with a function; returns its port."""
    listeners: list[socket.socket] = []

    def start(talk: ConnectionHandler) -> int:
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)

        def accept_connections() -> None:
            with suppress(OSError):
                while True:
                    client_socket, _address = listener.accept()
                    threading.Thread(target=handle, args=[client_socket], daemon=True).start()

        def handle(line: socket.socket) -> None:
            with suppress(OSError), line:
                talk(line)

        threading.Thread(target=accept_connections, daemon=True).start()
        port: int = listener.getsockname()[1]
        return port

    yield start
    for listener in listeners:
        listener.close()


def send_ok(line: Any) -> None:
    line.recv(1000)
    line.sendall(OK_RESPONSE)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.215.14", True), ("2606:2800:21f:cb07::1", True), ("8.8.8.8", True),
        ("127.0.0.1", False), ("127.255.0.9", False), ("0.0.0.0", False), ("::", False),
        ("::1", False), ("10.0.0.1", False), ("172.16.0.1", False), ("192.168.1.1", False),
        ("169.254.169.254", False), ("100.64.0.1", False), ("224.0.0.1", False),
        ("255.255.255.255", False), ("240.0.0.1", False), ("192.0.2.1", False),
        ("fe80::1", False), ("fe80::1%eth0", False), ("fd00::1", False), ("ff02::1", False),
        ("::ffff:127.0.0.1", False), ("::ffff:10.0.0.1", False), ("::ffff:8.8.8.8", True),
        ("2002:7f00:1::", False), ("2002:a00:1::", False), ("64:ff9b::a00:1", False),
        ("64:ff9b::808:808", True), ("2001:0:808:808::1", False), ("2001:db8::1", False),
    ],
)  # fmt: skip
def test_only_internet_addresses_are_public(address: str, public: bool) -> None:
    assert is_public_address(address) is public


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "localhost", "[::1]", "0.0.0.0"],
)
def test_server_does_not_connect_to_itself(
    settings: Any, start_listener: Callable[[ConnectionHandler], int], address: str
) -> None:
    settings.IS_SERVER_DEPLOYMENT = True
    lines: list[Any] = []
    port = start_listener(lambda line: lines.append(line) or send_ok(line))
    with pytest.raises(RemoteRequestFailed):
        send_get(f"http://{address}:{port}/")
    assert not lines


def test_laptop_connects_to_its_local_network(
    start_listener: Callable[[ConnectionHandler], int],
) -> None:
    assert send_get(f"http://127.0.0.1:{start_listener(send_ok)}/") == RemoteResponse(
        200, b"{}", "7"
    )


def test_connection_uses_the_checked_address(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.IS_SERVER_DEPLOYMENT = True
    answers = iter([["10.0.0.1", "8.8.8.8"], ["127.0.0.1"]])  # the second time it is rebound
    connected_addresses = []

    def resolve(_host: str, port: int, **_more: object) -> list[Any]:
        address_info = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*address_info, (address, port)) for address in next(answers)]

    def connect(where: tuple[str, int], **_more: object) -> socket.socket:
        connected_addresses.append(where)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(RemoteRequestFailed):
        send_get("https://club.example/")
    assert connected_addresses == [("8.8.8.8", 443)]


def send_slowly(line: Any) -> None:
    line.recv(1000)
    for _n in range(1000):
        line.sendall(b"H")
        time.sleep(0.05)


def send_body_slowly(line: Any) -> None:
    line.recv(1000)
    line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    send_slowly(line)


def keep_silent(line: Any) -> None:
    line.settimeout(5)
    while line.recv(1000):
        pass


@pytest.mark.parametrize("talk", [send_slowly, send_body_slowly, keep_silent])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_slow_server_blocks_thread_no_longer_than_deadline(
    start_listener: Callable[[ConnectionHandler], int], talk: ConnectionHandler, scheme: str
) -> None:
    started_at = time.monotonic()
    with pytest.raises(RemoteRequestFailed):
        send_get(f"{scheme}://127.0.0.1:{start_listener(talk)}/", seconds=0.5)
    assert time.monotonic() - started_at < 3


def test_open_closed_and_forbidden_ports_give_same_error(
    settings: Any, start_listener: Callable[[ConnectionHandler], int]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other_connection:
        closed_port = other_connection.getsockname()[1]
    texts = set()
    for on_a_server in (True, False):
        settings.IS_SERVER_DEPLOYMENT = on_a_server
        for port in (closed_port, start_listener(lambda line: line.sendall(b"SSH-2.0-x\r\n"))):
            with pytest.raises(RemoteRequestFailed) as exc_info:
                send_get(f"https://127.0.0.1:{port}/", seconds=2)
            texts.add(str(exc_info.value))
    assert len(texts) == 1


def create_certificate(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "club.example")])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    certificate_builder = x509.CertificateBuilder().subject_name(name).issuer_name(name)
    certificate_builder = (
        certificate_builder.public_key(key.public_key())
        .serial_number(1)
        .add_extension(names, False)
    )
    certificate_builder = certificate_builder.add_extension(
        x509.BasicConstraints(ca=True, path_length=0), True
    )
    certificate_builder = certificate_builder.not_valid_before(now - timedelta(days=1))
    certificate = certificate_builder.not_valid_after(now + timedelta(days=1)).sign(
        key, hashes.SHA256()
    )
    certificate_file, key_file = folder / "cert.pem", folder / "key.pem"
    certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    no_encryption = serialization.NoEncryption()
    key_file.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, no_encryption))
    return certificate_file, key_file


def test_untrusted_certificate_is_refused(
    start_listener: Callable[[ConnectionHandler], int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pem, private = create_certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, private)

    def send_ok_over_tls(line: Any) -> None:
        with context.wrap_socket(line, server_side=True) as tls_socket:
            send_ok(tls_socket)

    port = start_listener(send_ok_over_tls)
    with pytest.raises(RemoteRequestFailed):
        send_get(f"https://127.0.0.1:{port}/")
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    assert send_get(f"https://127.0.0.1:{port}/").content == b"{}"


@pytest.mark.parametrize(
    ("host", "encoded_host"),
    [
        ("Club.Example", "club.example"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("2001:DB8::1", "2001:db8::1"),
        *(
            (bad, "")
            for bad in ("", ".", "a..b", "a b", "a_b", "-a", "\ud800", "x" * 64, "::g")
        ),
    ],
)
def test_host_name_must_be_valid_in_dns(host: str, encoded_host: str) -> None:
    if encoded_host:
        assert encode_host(host) == encoded_host
    else:
        with pytest.raises(ValueError, match=r"."):
            encode_host(host)
