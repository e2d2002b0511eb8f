"""If the program cannot start it prints the reason in one line and exits with its own code."""

import subprocess
from collections.abc import Callable
from pathlib import Path


def test_the_program_ends_in_one_line(
    manage: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    (tmp_path / "overplay.sqlite3").write_bytes(b"Dear club, " * 1000)
    done = manage("serve", "--port", "0", data=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)  # the port is checked first
    done = manage("serve", "--port", "18341", data=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert "is damaged" in done.stderr
    file = tmp_path / "file"
    file.touch()
    done = manage("serve", data=file / "below")
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    done = manage("serve", data=tmp_path, SITE_URL="no address")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_a_command_tells_in_one_line_what_is_away(
    manage: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    nobody = "postgres://nobody:hunter2@127.0.0.1:1/overplay"
    done = manage("jobs", data=tmp_path, DATABASE_URL=nobody)
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert done.stderr.startswith("The database doesn't respond: connection")
    assert "hunter2" not in done.stderr
    done = manage("jobs", "--traceback", data=tmp_path, SITE_URL="no address")
    assert "Traceback" in done.stderr
