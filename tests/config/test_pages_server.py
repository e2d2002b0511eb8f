"""The server of a club's or federation's machine, started as deploy/ starts it."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT_SECONDS = 60
GRANIAN = Path(sys.executable).with_name("granian")

pytestmark = pytest.mark.skipif(
    not GRANIAN.exists() and shutil.which("granian") is None,
    reason="the server runs on Linux",
)


@pytest.fixture
def server_url(tmp_path: Path) -> Iterator[str]:
    """Serve the pages of an empty data folder with the real server and one process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    path = f"{GRANIAN.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "DATA_DIR": str(tmp_path), "WORKERS": "1"}
    server = subprocess.Popen(
        ["deploy/pages", "127.0.0.1", str(port)], cwd=ROOT, env=environment
    )
    try:
        _wait_for(port, server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        assert server.wait(TIMEOUT_SECONDS) == 0


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + TIMEOUT_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert server.poll() is None, "It ended at its start."
            assert time.monotonic() < ends, "It gives no answer."
            time.sleep(0.1)
        else:
            return


def test_server_responds_refuses_other_hosts_and_stops_cleanly(server_url: str) -> None:
    with urlopen(f"{server_url}/api/schema/", timeout=TIMEOUT_SECONDS) as response:
        assert response.status == 200
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert b"openapi" in response.read()
    foreign_host_request = Request(
        f"{server_url}/api/schema/", headers={"Host": "elsewhere.example"}
    )
    with pytest.raises(HTTPError) as exc_info:
        urlopen(foreign_host_request, timeout=TIMEOUT_SECONDS)
    assert exc_info.value.code == 400
    exc_info.value.close()


@pytest.mark.parametrize("file", ["deploy/Containerfile", "deploy/overplay-web.service"])
def test_both_installations_start_the_same_program(file: str) -> None:
    assert "deploy/pages" in (ROOT / file).read_text(encoding="utf-8")
