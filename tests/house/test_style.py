"""Style: ruff's rules and ruff's layout, as pyproject.toml sets them."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run_ruff(*arguments: str) -> str:
    process = subprocess.run(
        [sys.executable, "-m", "ruff", *arguments, "."],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if process.returncode == 0 else process.stdout + process.stderr


def test_code_passes_the_linter() -> None:
    assert run_ruff("check", "--quiet", "--output-format", "concise") == ""


def test_code_is_formatted() -> None:
    assert run_ruff("format", "--check") == ""
