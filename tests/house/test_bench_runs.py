"""A short run of every documented measurement ends successfully and in time."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTED_COMMAND = re.compile(r"python -m bench\.(\w+)")
UNSET_VARIABLES = {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "DATA_DIR"}
TIMEOUT_SECONDS = 1200

SHORT_RUN_OPTIONS: dict[str, list[str]] = {
    "archive": ["--results", "600"],
    "backup": ["--tables", "3", "--evenings", "1", "--kills", "1", "--seconds", "60"],
    "chaos": ["--laptop", "--seconds", "15"],
    "check_in": ["--tables", "3", "--seconds", "3"],
    "contracts": ["--tables", "4", "--hands", "4", "--seconds", "8", "--kills", "1"],
    "drive_hall": ["--players", "24", "--seconds", "3"],
    "drives": ["--rounds", "6", "--players", "8,9,16"],
    "entry": [],
    "languages": ["--blocks", "2"],
    "load": ["--laptop", "--seconds", "6", "--followers", "20", "--pace", "hall"],
    "papers": ["--boards", "40"],
    "scoring": [],
    "solver": ["--boards", "10"],
}
SERVICE_RUN_OPTIONS: dict[str, list[str]] = {
    "events": ["--events", "1", "10", "--seconds", "2"],
    "friday": ["--events", "10", "--share", "0.01", "--seconds", "10"],
}
"""Scripts that need PostgreSQL and Redis, and wrk."""
SCRIPTS_WITH_THRESHOLDS = {"chaos", "check_in", "contracts", "drive_hall", "events", "friday"}
"""Scripts that exit with 1 if a limit is exceeded, as on a busy machine, but print all."""
SCRIPTS_TESTED_ELSEWHERE = {"hall", "history_checker", "old_year", "rolling"}
"""tests/hall/test_first_requests.py runs `hall` and checks its numbers. `chaos` runs
`history_checker`. `old_year` and `rolling` install another release from the internet, so they
run before a release (docs/testing.md).
"""


def test_every_documented_benchmark_has_a_short_run() -> None:
    documents = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    names = {
        name
        for path in documents
        for name in DOCUMENTED_COMMAND.findall(path.read_text("utf-8"))
    }
    assert (
        names
        == SHORT_RUN_OPTIONS.keys() | SERVICE_RUN_OPTIONS.keys() | SCRIPTS_TESTED_ELSEWHERE
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT_RUN_OPTIONS)
def test_short_run_of_a_benchmark_succeeds(name: str) -> None:
    run_benchmark(name, SHORT_RUN_OPTIONS[name])


@pytest.mark.slow
@pytest.mark.services
def test_short_runs_with_services_succeed() -> None:
    """Run them one after the other, because they use the same Redis database."""
    if shutil.which("wrk") is None:
        pytest.skip("needs wrk (Debian: wrk)")
    for name, options in SERVICE_RUN_OPTIONS.items():
        run_benchmark(name, options)


def run_benchmark(name: str, options: list[str]) -> None:
    environment = {
        key: value for key, value in os.environ.items() if key not in UNSET_VARIABLES
    }
    process = subprocess.run(
        [sys.executable, "-m", f"bench.{name}", *options],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )
    assert "Traceback" not in process.stderr
    assert process.returncode in ({0, 1} if name in SCRIPTS_WITH_THRESHOLDS else {0}), (
        process.stdout[-1000:] + process.stderr[-1000:]
    )
