"""If the program cannot start it prints the reason in one line and exits with its own code."""

import subprocess
from collections.abc import Callable
from pathlib import Path


def test_failed_start_prints_one_line_and_sets_the_exit_code(
    manage_runner: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    (tmp_path / "overplay.sqlite3").write_bytes(b"Dear club, " * 1000)
    process = manage_runner("serve", "--port", "0", data=tmp_path)
    # The port is checked first.
    assert (process.returncode, process.stderr.count("\n")) == (
        2,
        1,
    )
    process = manage_runner("serve", "--port", "18341", data=tmp_path)
    assert (process.returncode, process.stderr.count("\n")) == (3, 1)
    assert "is damaged" in process.stderr
    file = tmp_path / "file"
    file.touch()
    process = manage_runner("serve", data=file / "below")
    assert (process.returncode, process.stderr.count("\n")) == (3, 1)
    process = manage_runner("serve", data=tmp_path, SITE_URL="no address")
    assert (process.returncode, process.stderr.count("\n")) == (2, 1)


def test_command_reports_an_unreachable_database_in_one_line(
    manage_runner: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    unreachable_url = "postgres://nobody:hunter2@127.0.0.1:1/overplay"
    process = manage_runner("jobs", data=tmp_path, DATABASE_URL=unreachable_url)
    assert (process.returncode, process.stderr.count("\n")) == (3, 1)
    assert process.stderr.startswith("The database doesn’t respond: connection")
    assert "hunter2" not in process.stderr
    process = manage_runner("jobs", "--traceback", data=tmp_path, SITE_URL="no address")
    assert "Traceback" in process.stderr
