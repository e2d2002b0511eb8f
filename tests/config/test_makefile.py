"""`make` finds a suitable Python and installs missing packages before it runs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAKE = shutil.which("make")

pytestmark = pytest.mark.skipif(MAKE is None, reason="make is a convenience; none is here")


@pytest.mark.parametrize(
    ("minor_versions", "expected_program"),
    [
        ({"python3.14": 14, "python3.12": 12, "python3": 14}, "python3.12"),
        ({"python3.13": 13, "python3.11": 11}, "python3.13"),
        ({"python3.14": 14, "python3": 12}, "python3.14"),
        ({"python3": 10, "python": 11}, "python"),
        ({"python3": 14, "python": 13}, "python3"),
        ({"python3.14": 14, "python3": 10}, "python3.14"),
        ({"python3": 10}, ""),
    ],
)
def test_make_finds_a_recent_enough_python(
    tmp_path: Path, minor_versions: dict[str, int], expected_program: str
) -> None:
    for name, minor in minor_versions.items():
        (tmp_path / name).write_text(
            f"#!{sys.executable}\nimport sys\nsys.version_info = (3, {minor}, 1)\n"
            "exec(sys.argv[2])\n"  # the code that follows `-c`
        )
        (tmp_path / name).chmod(0o755)
    (tmp_path / "sh").symlink_to(str(shutil.which("sh")))
    arguments = [str(MAKE), "--always-make", "--dry-run", ".venv/pyvenv.cfg"]
    environ = {"PATH": str(tmp_path)}
    process = subprocess.run(
        arguments, cwd=ROOT, env=environ, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    match = re.search('test -n "(.*?)"', process.stdout)
    assert match is not None
    assert match[1] == expected_program


INSTALLER = """#!/bin/sh
case "$*" in
  *--no-index*) echo looking; echo warning >&2; exit {there};;
  *uv.txt*|*"config get"*) echo not here >&2; exit 1;;
  *) echo installing;;
esac
"""


@pytest.mark.parametrize("target", ["ready-to-run", "ready-to-test"])
@pytest.mark.parametrize("is_there", [True, False])
def test_make_prints_nothing_about_installed_packages(
    tmp_path: Path, target: str, is_there: bool
) -> None:
    for name in ("Makefile", "requirements.txt", "requirements-server.txt"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("tests/requirements.txt", "deploy/install", "deploy/uv.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "pyvenv.cfg").touch()
    python = tmp_path / ".venv" / "bin" / "python"
    python.write_text(INSTALLER.format(there=0 if is_there else 1))
    python.chmod(0o755)
    process = subprocess.run(
        [str(MAKE), f".venv/{target}"],
        cwd=tmp_path,
        # `make test` marks its child processes by variables, which this call must not inherit.
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = process.stdout.splitlines()
    assert process.stderr == ""
    assert (tmp_path / ".venv" / target).exists()
    if is_there:
        assert lines == []
    else:
        assert lines[0].startswith("Setting up, once:")
        assert lines[1:] == ["installing"]
