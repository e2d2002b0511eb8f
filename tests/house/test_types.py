"""Types: mypy in strict mode over the whole program."""

import subprocess
import sys
from pathlib import Path

from tests.rooms import PROGRAM

ROOT = Path(__file__).resolve().parents[2]


def test_code_passes_the_type_checker() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", *PROGRAM, "deploy", "manage.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.stdout + process.stderr == ""
