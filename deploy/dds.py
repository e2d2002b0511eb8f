"""Renew the solver's libraries in boards/dds: `python -m deploy.dds`.

The package endplay, a dependency of the tests, is the source: its wheels contain DDS for each
system. pip downloads them and compares them with the checksums in tests/requirements.txt.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from boards.dds import FOLDER

LOCK = Path(__file__).resolve().parents[1] / "tests" / "requirements.txt"
SUMS = FOLDER / "SHA256SUMS"
WHEELS = {
    "dds-linux-x86_64.so": "manylinux_2_17_x86_64",
    "dds-linux-aarch64.so": "manylinux_2_17_aarch64",
    "dds-macos-x86_64.dylib": "macosx_10_13_x86_64",
    "dds-macos-arm64.dylib": "macosx_11_0_arm64",
    "dds-windows-x86_64.dll": "win_amd64",
}
"""The platform tag of the wheel that contains each library."""

PYTHON = "3.12"
"""The wheels for every version of Python contain the same library."""


def renew() -> None:
    """Write all libraries and their checksums."""
    for name, tag in WHEELS.items():
        (FOLDER / name).write_bytes(library(tag))
    SUMS.write_text(checksums(), encoding="ascii")


def library(tag: str) -> bytes:
    """Download endplay's wheel for a platform and return the library in it."""
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder) / "requirements.txt"
        lock.write_text(locked(), encoding="ascii")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        pip += ["--only-binary", ":all:", "--require-hashes", "--requirement", str(lock)]
        pip += ["--python-version", PYTHON, "--platform", tag, "--dest", folder]
        subprocess.run(pip, check=True)
        (path,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(path) as wheel:
            (inside,) = [
                name
                for name in wheel.namelist()
                if name.startswith("endplay/_dds/") and name.endswith((".so", ".dylib", ".dll"))
            ]
            return wheel.read(inside)


def locked() -> str:
    """Return the lines of tests/requirements.txt about endplay: version and checksums."""
    lines = LOCK.read_text("ascii").splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("endplay=="))
    end = next(
        at for at, line in enumerate(lines) if at > start and not line.startswith("    --hash")
    )
    return "\n".join(lines[start:end]) + "\n"


def checksums() -> str:
    """Return the lines of SHA256SUMS for the current libraries."""
    files = sorted(FOLDER / name for name in WHEELS)
    lines = (f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}" for each in files)
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    renew()
