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
PATIENCE = 60
BESIDE = Path(sys.executable).with_name("granian")

pytestmark = pytest.mark.skipif(
    not BESIDE.exists() and shutil.which("granian") is None,
    reason="the server runs on Linux",
)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Serve the pages of an empty data folder with the real server and one process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    path = f"{BESIDE.parent}{os.pathsep}{os.environ['PATH']}"
    kept = {"PATH": path, "DATA_DIR": str(tmp_path), "WORKERS": "1"}
    server = subprocess.Popen(["deploy/pages", "127.0.0.1", str(port)], cwd=ROOT, env=kept)
    try:
        _wait_for(port, server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        assert server.wait(PATIENCE) == 0


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert server.poll() is None, "It ended at its start."
            assert time.monotonic() < ends, "It gives no answer."
            time.sleep(0.1)
        else:
            return


def test_it_answers_refuses_other_names_and_stops_cleanly(address: str) -> None:
    with urlopen(f"{address}/api/schema/", timeout=PATIENCE) as response:
        assert response.status == 200
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert b"openapi" in response.read()
    elsewhere = Request(f"{address}/api/schema/", headers={"Host": "elsewhere.example"})
    with pytest.raises(HTTPError) as exc_info:
        urlopen(elsewhere, timeout=PATIENCE)
    assert exc_info.value.code == 400
    exc_info.value.close()


@pytest.mark.parametrize("file", ["deploy/Containerfile", "deploy/overplay-web.service"])
def test_both_ways_of_installing_start_the_same(file: str) -> None:
    assert "deploy/pages" in (ROOT / file).read_text(encoding="utf-8")
