"""Test the proxy files with the real proxy in front of pages that echo their headers."""

import getpass
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from server import page_cache
from server.version import VERSION

pytestmark = pytest.mark.slow
DEPLOY_FOLDER = Path(__file__).resolve().parents[2] / "deploy"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
CADDY = shutil.which("caddy")
LOG_FORMATTERS: Any = settings.LOGGING["formatters"]
SECRET_FOLDERS = LOG_FORMATTERS["discreet"]["secret_folders"]
SECRET = "Zs7whoeverreadsthiscanenterscores"
TOKEN = "a-token-that-is-long-enough"
TIMEOUT_SECONDS = 20.0


class PagesHandler(BaseHTTPRequestHandler):
    """A server that returns the headers of the request and one of its own."""

    protocol_version = "HTTP/1.1"
    render_count = 0

    def do_GET(self) -> None:
        PagesHandler.render_count += 1
        content = json.dumps(dict(self.headers) | {"drawn": PagesHandler.render_count}).encode()
        self.send_response(200)
        if "shared" in self.path:
            self.send_header("Cache-Control", page_cache.CACHE_CONTROL)
            self.send_header("Vary", ", ".join(page_cache.VARY_HEADERS))
        self.send_header("X-Request-Id", "a-number")
        self.send_header("Location", self.path)  # many pages redirect
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_arguments: object) -> None:
        """Log nothing."""


@pytest.fixture
def pages() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), PagesHandler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def served_program(
    tmp_path_factory: pytest.TempPathFactory, empty_database_file: Path
) -> Iterator[int]:
    """Start the program as deploy/ does, with an empty database."""
    granian = Path(sys.executable).with_name("granian")
    if not granian.exists():
        pytest.skip("the server runs on Linux")
    folder, port = tmp_path_factory.mktemp("pages"), find_free_port()
    environ = {
        "PATH": f"{granian.parent}{os.pathsep}{os.environ['PATH']}",
        "DATA_DIR": str(folder),
        "ALLOWED_HOSTS": "whist.example.org",
        "METRICS_TOKEN": TOKEN,
        "WORKERS": "1",
    }
    shutil.copy(empty_database_file, folder / "overplay.sqlite3")
    hashed_storages = settings.STORAGES | {
        "staticfiles": {"BACKEND": "server.static_files.HashedFilesStorage"}
    }
    with override_settings(STATIC_ROOT=folder / "static", STORAGES=hashed_storages):
        call_command("collectstatic", interactive=False, verbosity=0)
    pages = ["deploy/pages", "127.0.0.1", str(port)]
    with run_server(pages, port, folder / "said", **environ):
        yield port


def find_free_port() -> int:
    with socket.socket() as connection:
        connection.bind(("127.0.0.1", 0))
        return int(connection.getsockname()[1])


@contextmanager
def run_server(command: Sequence[str], port: int, log: Path, **environ: str) -> Iterator[None]:
    with log.open("wb") as file, ExitStack() as stack:
        process = subprocess.Popen(
            command, stdout=file, stderr=file, env=environ, cwd=DEPLOY_FOLDER.parent
        )
        stack.callback(process.wait, TIMEOUT_SECONDS)
        stack.callback(process.terminate)
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert process.poll() is None, log.read_text("utf-8")
                assert time.monotonic() < deadline, log.read_text("utf-8")
                time.sleep(0.02)
        yield


RequestFunction = Callable[..., tuple[int, dict[str, str]]]


def build_request_function(port: int) -> RequestFunction:
    def request_page(path: str, **heads: str) -> tuple[int, dict[str, str]]:
        http_connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
        http_connection.request("GET", path, headers={"Host": "whist.example.org", **heads})
        response = http_connection.getresponse()
        body = response.read()
        http_connection.close()
        return response.status, json.loads(body) if body.startswith(b"{") else {}

    return request_page


@contextmanager
def run_nginx(
    tmp_path: Path, pages: int, http_port: int = 0
) -> Iterator[tuple[RequestFunction, Path]]:
    """Run nginx with other ports, certificate and folders; `plain` is HTTP's port."""
    port, http_port = find_free_port(), http_port or find_free_port()
    site_configuration = (DEPLOY_FOLDER / "nginx.conf").read_text("utf-8")
    site_configuration = re.sub(r"\n\s*ssl_certificate.*", "", site_configuration).replace(
        " ssl http2", ""
    )
    site_configuration = site_configuration.replace("/var/www/html", str(tmp_path)).replace(
        "/var/log/nginx", str(tmp_path)
    )
    site_configuration = site_configuration.replace(
        "/var/cache/overplay", str(tmp_path / "cache")
    )
    site_configuration = site_configuration.replace(":8000", f":{pages}", 1)
    site_configuration = re.sub(r"\n\s*listen \[::\].*", "", site_configuration)
    site_configuration = site_configuration.replace(
        "listen 80;", f"listen 127.0.0.1:{http_port};"
    )
    site_configuration = site_configuration.replace("listen 443", f"listen 127.0.0.1:{port}")
    (tmp_path / "site.conf").write_text(site_configuration)
    temp_path_directives = "".join(
        f"{kind}_temp_path {tmp_path}/{kind}; "
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; user {getpass.getuser()}; pid {tmp_path}/pid;\n"
        f"error_log {tmp_path}/error.log; events {{}}\n"
        f"http {{ {temp_path_directives} include {tmp_path}/site.conf; }}\n"
    )
    command = [str(NGINX), "-c", str(tmp_path / "nginx.conf"), "-e", str(tmp_path / "e.log")]
    with run_server(command, port, tmp_path / "said"):
        yield build_request_function(port), tmp_path / "overplay.log"


@contextmanager
def run_caddy(tmp_path: Path, pages: int) -> Iterator[tuple[RequestFunction, Path]]:
    """Run Caddy on the file without a certificate and without the admin endpoint."""
    port = find_free_port()
    site = (
        (DEPLOY_FOLDER / "Caddyfile")
        .read_text("utf-8")
        .replace("\n{\n", "\n{\n\tadmin off\n", 1)
    )
    (tmp_path / "Caddyfile").write_text(site)
    command = [str(CADDY), "run", "--config", str(tmp_path / "Caddyfile")]
    environ = {
        "SITE_HOST": f"http://:{port}",
        "PAGES": f"127.0.0.1:{pages}",
        "HOME": str(tmp_path),
    }
    with run_server([*command, "--adapter", "caddyfile"], port, tmp_path / "said", **environ):
        yield build_request_function(port), tmp_path / "said"


RunProxy = Callable[[Path, int], AbstractContextManager[tuple[RequestFunction, Path]]]
PROXIES = [
    pytest.param(run_nginx, marks=pytest.mark.skipif(not NGINX, reason="nginx is not there")),
    pytest.param(run_caddy, marks=pytest.mark.skipif(not CADDY, reason="Caddy is not there")),
]


@pytest.mark.parametrize("proxy", PROXIES)
def test_proxy_forwards_the_client_address_and_logs_no_secret(
    proxy: RunProxy, tmp_path: Path, pages: int
) -> None:
    with proxy(tmp_path, pages) as (request_page, log):
        for folder in SECRET_FOLDERS:
            status, body = request_page(
                f"/{folder}/{SECRET}/", Referer=f"https://here/t/{SECRET}/"
            )
            assert status == 200
        assert body["Host"] == "whist.example.org"
        assert body["X-Forwarded-For"] == "127.0.0.1"
        assert body["X-Forwarded-Proto"] == "http"
        assert request_page("/events/tuesday/?seen=4")[0] == 200
        assert request_page("/metrics")[0] == 404
    log_text = log.read_text("utf-8")
    assert SECRET not in log_text
    for folder in SECRET_FOLDERS:
        assert f"/{folder}/*" in log_text
    assert "/events/tuesday/" in log_text


@pytest.mark.parametrize("proxy", PROXIES)
def test_proxy_logs_no_secret_while_the_pages_are_unavailable(
    proxy: RunProxy, tmp_path: Path
) -> None:
    with proxy(tmp_path, find_free_port()) as (ask, log):
        assert ask(f"/t/{SECRET}/", Referer=f"https://here/t/{SECRET}/")[0] == 502
    assert "/t/*" in log.read_text("utf-8")
    assert not [path for path in tmp_path.glob("*") if contains_words(path, SECRET)]


def contains_words(path: Path, text: str) -> bool:
    return path.is_file() and text in path.read_text("utf-8", "replace")


@pytest.mark.parametrize("proxy", PROXIES)
def test_real_pages_are_served_through_the_proxy(
    proxy: RunProxy, tmp_path: Path, served_program: int
) -> None:
    (tmp_path / "proxy").mkdir()
    with proxy(tmp_path / "proxy", served_program) as (ask, log):
        assert ask("/health/live") == (200, {"state": "ok", "version": VERSION})
        assert ask("/login/")[0] == 200
        assert ask("/manage/")[0] in (302, 404)
        for folder in SECRET_FOLDERS:
            assert ask(f"/{folder}/{SECRET}/", Referer=f"https://here/t/{SECRET}/")[0] < 500
        assert ask("/metrics", Authorization=f"Bearer {TOKEN}")[0] == 404
        assert ask("/api/no-such-thing/")[0] == 404
        assert ask("/", Host="elsewhere.example")[0] == 400
    text = log.read_text("utf-8")
    assert SECRET not in text
    assert "/login/" in text


@pytest.mark.parametrize("proxy", PROXIES)
def test_client_cannot_forge_forwarded_headers(
    proxy: RunProxy, tmp_path: Path, pages: int
) -> None:
    with proxy(tmp_path, pages) as (ask, _log):
        _status, body = ask("/", **{"X-Forwarded-For": "1.2.3.4", "X-Forwarded-Proto": "https"})
    assert body["X-Forwarded-For"] == "127.0.0.1"
    assert body["X-Forwarded-Proto"] == "http"


@pytest.mark.skipif(not NGINX, reason="nginx is not there")
def test_nginx_redirects_plain_http_except_certificate_renewal(
    tmp_path: Path, pages: int
) -> None:
    """At each renewal the certificate authority requests a file on port 80."""
    path = Path("/.well-known/acme-challenge") / "asked"
    free_port, challenge_file = find_free_port(), tmp_path / path.relative_to("/")
    challenge_file.parent.mkdir(parents=True)
    challenge_file.write_text('{"is": "served"}')
    with run_nginx(tmp_path, pages, free_port) as (_request_page, log):
        assert build_request_function(free_port)(str(path)) == (200, {"is": "served"})
        assert build_request_function(free_port)(f"/t/{SECRET}/")[0] == 301
        assert build_request_function(free_port)("/api/events/")[0] == 403
    assert "/t/*" in log.read_text("utf-8")
    assert not contains_words(log, SECRET)


@pytest.mark.skipif(not NGINX, reason="nginx is not there")
def test_nginx_rate_limits_only_the_login_page(tmp_path: Path, pages: int) -> None:
    with run_nginx(tmp_path, pages) as (request_page, _log):
        assert {request_page("/login/")[0] for _ in range(30)} == {200, 429}
        assert {request_page("/events/tuesday/")[0] for _ in range(30)} == {200}


CACHED_URL = "/events/shared/"


@pytest.mark.skipif(not NGINX, reason="nginx is not there")
def test_nginx_caches_a_public_page_for_a_second(tmp_path: Path, pages: int) -> None:
    with run_nginx(tmp_path, pages) as (nginx, _log):
        render_counts = [nginx(CACHED_URL)[1]["drawn"] for _ in range(20)]
        assert len(set(render_counts)) < 5
        time.sleep(2.1)  # nginx counts in whole seconds
        assert nginx(CACHED_URL)[1]["drawn"] > render_counts[-1]


@pytest.mark.skipif(not NGINX, reason="nginx is not there")
@pytest.mark.parametrize(
    ("path", "headers"),
    [
        (CACHED_URL, {"Cookie": "sessionid=x"}),
        (CACHED_URL, {"Authorization": "Bearer x"}),
        ("/events/own/", {}),  # its response forbids caching
        ("/director/shared/", {}),
    ],
)
def test_nginx_does_not_cache_other_responses(
    tmp_path: Path, pages: int, path: str, headers: dict[str, str]
) -> None:
    with run_nginx(tmp_path, pages) as (nginx, _log):
        first_render_count = nginx(CACHED_URL)[1]["drawn"]
        render_counts = [nginx(path, **headers)[1]["drawn"] for _ in range(3)]
        assert render_counts == [
            first_render_count + 1,
            first_render_count + 2,
            first_render_count + 3,
        ]


@pytest.mark.skipif(not NGINX, reason="nginx is not there")
def test_nginx_caches_different_requests_separately(tmp_path: Path, pages: int) -> None:
    with run_nginx(tmp_path, pages) as (nginx, _log):
        render_counts = [
            nginx(path, **heads)[1]["drawn"]
            for path in (CACHED_URL, f"{CACHED_URL}?seen=4")
            for heads in (
                {},
                {"HX-Request": "true"},
                {"Accept-Encoding": "gzip"},
                {"Accept-Language": "nl"},
                {"Accept-Language": "de"},
                {"Cookie": "language=nl"},
            )
        ]
        assert len(set(render_counts)) == len(render_counts)


@pytest.mark.skipif(not NGINX, reason="nginx is not there")
@pytest.mark.parametrize(
    ("cookie", "is_cached"),
    [
        ("language=nl", True),
        ("__Host-language=nl", True),
        ("language=nl; sessionid=x", False),
        ("scheme=dark", False),
    ],
)
def test_nginx_caches_pages_by_chosen_language(
    tmp_path: Path, pages: int, cookie: str, is_cached: bool
) -> None:
    with run_nginx(tmp_path, pages) as (nginx, _log):
        render_counts = {nginx(CACHED_URL, Cookie=cookie)[1]["drawn"] for _ in range(20)}
        assert (len(render_counts) < 5) is is_cached
