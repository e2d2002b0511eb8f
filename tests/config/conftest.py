"""A fixture that runs `manage.py` in a separate process."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def manage_runner() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs manage.py in a separate process and environment."""
    return run_manage


def run_manage(*arguments: str, data: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    values_by_name = {
        name: value for name, value in os.environ.items() if name in ("PATH", "SYSTEMROOT")
    }
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=values_by_name | {"DATA_DIR": str(data)} | environ,
        capture_output=True,
        text=True,
        check=False,
    )
