"""The Python that `make run` takes: one that has everything, else one that is new enough."""

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
    ("installed", "taken"),
    [
        ({"python3.14": 14, "python3.12": 12, "python3": 14}, "python3.12"),
        ({"python3.13": 13, "python3.11": 11}, "python3.13"),
        ({"python3.14": 14, "python3": 12}, "python3"),
        ({"python3": 10, "python": 11}, "python"),
        ({"python3.14": 14, "python3": 14}, "python3"),
        ({"python3.14": 14, "python3": 10}, "python3.14"),
        ({"python3": 10}, ""),
    ],
)
def test_make_takes_a_python_with_a_wheel_of_everything(
    tmp_path: Path, installed: dict[str, int], taken: str
) -> None:
    for name, minor in installed.items():
        (tmp_path / name).write_text(
            f"#!{sys.executable}\nimport sys\nsys.version_info = (3, {minor}, 1)\n"
            "exec(sys.argv[2])\n"  # after -c
        )
        (tmp_path / name).chmod(0o755)
    (tmp_path / "sh").symlink_to(str(shutil.which("sh")))
    words = [str(MAKE), "--always-make", "--dry-run", ".venv/pyvenv.cfg"]
    environ = {"PATH": str(tmp_path)}
    done = subprocess.run(
        words, cwd=ROOT, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = re.search('test -n "(.*?)"', done.stdout)
    assert found is not None
    assert found[1] == taken
