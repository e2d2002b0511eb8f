"""Where the program cannot start it says why in one line, and ends with its own number."""

import subprocess
from collections.abc import Callable
from pathlib import Path


def test_the_program_ends_in_one_line(
    manage: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    (tmp_path / "overplay.sqlite3").write_bytes(b"Dear club, " * 1000)
    done = manage("serve", "--port", "0", data=tmp_path)
    assert done.returncode == 2  # the port is looked at first
    done = manage("serve", "--port", "18341", data=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert "is damaged" in done.stderr
    file = tmp_path / "file"
    file.touch()
    done = manage("serve", data=file / "below")
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    done = manage("serve", data=tmp_path, SITE_URL="no address")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
