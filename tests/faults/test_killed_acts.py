"""An act whose process is killed at any moment is done or not, and the next try succeeds."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.cases import CASES

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "import django; django.setup(); from tests.faults.kill_acts import main; main()"
TWO_TRANSACTIONS_PROGRAM = """
import django; django.setup()
from tests.faults import kill_acts
from tests.faults.test_failed_writes import create_two_users
kill_acts.CASES["two transactions"] = lambda: create_two_users
kill_acts.main()
"""
PROCESS_COUNT = 4
SAMPLE_CASE_NAMES = [
    *("seated: play opened", "open: a penalty", "open: the session closed", "undo: a penalty"),
    *("result", "result: corrected", "result: confirmed", "ruling: withdrawn"),
    *("session: closed with all results", "drive: hand", "drive: next round", "rubber: hand"),
    *("booking: cancelled", "booking: undone", "event: imported"),
]


@pytest.fixture
def url(tmp_path: Path, empty_database_file: Path) -> str:
    """Return the URL of an SQLite file with all tables and no rows."""
    return f"sqlite:///{shutil.copyfile(empty_database_file, tmp_path / 'overplay.sqlite3')}"


@pytest.mark.slow
@pytest.mark.parametrize("process", range(PROCESS_COUNT))
def test_killed_act_is_complete_or_has_no_effect(
    process: int, tmp_path: Path, url: str
) -> None:
    kill_acts_in_child(url, tmp_path, list(CASES)[process::PROCESS_COUNT])


@pytest.mark.slow
def test_kill_between_two_transactions_is_found(tmp_path: Path, url: str) -> None:
    completed_process = run_program(url, tmp_path, TWO_TRANSACTIONS_PROGRAM, "two transactions")
    assert "['server_user'] differ from the act without a kill" in completed_process.stderr


@pytest.mark.services
def test_killed_act_is_complete_or_has_no_effect_on_postgresql(
    transactional_db: None, tmp_path: Path
) -> None:
    from django.db import connection

    database = connection.settings_dict
    login = f"{database['USER']}:{database['PASSWORD']}"
    host_and_port = f"{database['HOST']}:{database['PORT'] or 5432}"
    connection.close()
    kill_acts_in_child(
        f"postgres://{login}@{host_and_port}/{database['NAME']}", tmp_path, SAMPLE_CASE_NAMES
    )


def kill_acts_in_child(url: str, folder: Path, names: list[str]) -> None:
    completed = run_program(url, folder, PROGRAM, *names)
    assert completed.returncode == 0, completed.stderr
    assert len(completed.stdout.splitlines()) == len(names)
    print(completed.stdout)  # noqa: T201 - the numbers of kills


def run_program(
    url: str, folder: Path, program: str, *names: str
) -> subprocess.CompletedProcess[str]:
    """Run a program that shares no memory, threads or queue with this process."""
    environ = os.environ | {"DATABASE_URL": url, "DATA_DIR": str(folder)}
    environ.pop("REDIS_URL", None)
    return subprocess.run(
        [sys.executable, "-c", program, *names],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
