"""The installer uses uv if it can be had, else pip; installed packages are left alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FAKE_PYTHON_SCRIPT = """#!/bin/sh
# Replaces an environment's Python: `-m pip …` succeeds if a file allows it.
echo "$*" >> "$CALLS"
case "$*" in
    *"config get"*) [ -f "$MAY/index" ] ;;
    *--no-index*) [ -f "$MAY/there" ] ;;
    *deploy/uv.txt*)
        [ -f "$MAY/uv" ] || exit 1
        while [ "$1" != --target ]; do shift; done
        mkdir -p "$2/bin" && cp "$MAY/uv" "$2/bin/uv" && chmod +x "$2/bin/uv" ;;
    *) [ -f "$MAY/pip" ] ;;
esac
"""
FAKE_UV_SCRIPT = '#!/bin/sh\necho "uv $*" >> "$CALLS"\n'
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell")


def run_installer(folder: Path, **may: str) -> tuple[int, list[str]]:
    """Run the installer with only some sources available; return its exit code and calls."""
    fake_python = folder / "python"
    fake_python.write_text(FAKE_PYTHON_SCRIPT)
    fake_python.chmod(0o755)
    for name, text in may.items():
        (folder / name).write_text(text)
    calls = folder / "calls"
    temporary = folder / "temporary"
    temporary.mkdir()
    env = os.environ | {"CALLS": str(calls), "MAY": str(folder), "TMPDIR": str(temporary)}
    env.pop("PIP_INDEX_URL", None)
    process = subprocess.run(
        ["deploy/install", str(fake_python), "list.txt"], cwd=ROOT, env=env, check=False
    )
    assert list(temporary.iterdir()) == []  # nothing of uv is cached
    return process.returncode, calls.read_text().splitlines()


def test_installed_packages_are_not_reinstalled(tmp_path: Path) -> None:
    code, calls = run_installer(tmp_path, there="", uv=FAKE_UV_SCRIPT, pip="")
    assert (code, len(calls)) == (0, 1)


def test_uv_installs_the_list_with_its_hashes(tmp_path: Path) -> None:
    code, calls = run_installer(tmp_path, uv=FAKE_UV_SCRIPT, pip="")
    assert code == 0
    assert calls[-1].startswith("uv pip install")
    assert "--require-hashes -r list.txt" in calls[-1]


@pytest.mark.parametrize(
    ("may", "text"),
    [
        ({}, "it cannot be had"),
        ({"uv": "#!/bin/sh\nexit 2\n"}, "it fails"),
        ({"uv": FAKE_UV_SCRIPT, "index": ""}, "pip knows an index of someone's own"),
    ],
)
def test_pip_installs_the_list_with_its_hashes_if_uv_fails(
    tmp_path: Path, may: dict[str, str], text: str
) -> None:
    code, calls = run_installer(tmp_path, pip="", **may)
    assert (code, text) == (0, text)
    assert calls[-1].startswith("-m pip install")
    assert "--require-hashes -r list.txt" in calls[-1]


def test_installer_fails_if_pip_also_fails(tmp_path: Path) -> None:
    code, _calls = run_installer(tmp_path)
    assert code != 0
