"""A short run of every measurement that the documents name ends well and within its time."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMED = re.compile(r"python -m bench\.(\w+)")
UNSET = {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "DATA_DIR"}
TIMEOUT_SECONDS = 900

SHORT: dict[str, list[str]] = {
    "archive": ["--results", "600"],
    "backup": ["--tables", "3", "--evenings", "1", "--kills", "1", "--seconds", "60"],
    "chaos": ["--laptop", "--seconds", "15"],
    "drive_hall": ["--players", "24", "--seconds", "3"],
    "drives": ["--nights", "2"],
    "entry": [],
    "hall": [],
    "load": ["--laptop", "--seconds", "4", "--followers", "20", "--pace", "hall"],
    "movements": ["--only", "schedule"],
    "page": [],
    "papers": [],
    "scoring": [],
    "solver": [],
    "year": ["--years", "1"],
}
JUDGED = {"chaos", "drive_hall", "load", "movements"}
"""They exit with 1 if a limit is exceeded, as on a busy machine, but print all figures."""
NEED_SERVICES = {"events", "friday", "rolling"}
"""They need PostgreSQL, Redis, and wrk or a proxy."""


def test_every_measurement_that_a_document_names_has_a_short_run() -> None:
    documents = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    named = {name for path in documents for name in NAMED.findall(path.read_text("utf-8"))}
    assert named <= SHORT.keys() | NEED_SERVICES


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_a_short_run_ends_well(name: str) -> None:
    environment = {key: value for key, value in os.environ.items() if key not in UNSET}
    done = subprocess.run(
        [sys.executable, "-m", f"bench.{name}", *SHORT[name]],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in ({0, 1} if name in JUDGED else {0}), (
        done.stdout[-1000:] + done.stderr[-1000:]
    )
