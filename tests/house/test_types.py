"""Types: mypy at its strictest over the whole program."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ("boards", "tournaments", "scoring", "config", "deploy", "manage.py")


def test_every_type_is_right() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", *PROGRAM],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout + done.stderr == ""
