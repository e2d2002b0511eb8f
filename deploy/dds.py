"""Update the solver's libraries in boards/dds: `python -m deploy.dds`.

They come from the package endplay, a dependency of the tests, whose wheels contain DDS for each
system. pip downloads the wheels and checks them against tests/requirements.txt.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from boards.dds import LIBRARY_FOLDER

LOCK_FILE = Path(__file__).resolve().parents[1] / "tests" / "requirements.txt"
CHECKSUM_FILE = LIBRARY_FOLDER / "SHA256SUMS"
WHEEL_PLATFORMS = {
    "dds-linux-x86_64.so": "manylinux_2_17_x86_64",
    "dds-linux-aarch64.so": "manylinux_2_17_aarch64",
    "dds-macos-x86_64.dylib": "macosx_10_13_x86_64",
    "dds-macos-arm64.dylib": "macosx_11_0_arm64",
    "dds-windows-x86_64.dll": "win_amd64",
}
"""The platform tag of the wheel that contains each library."""

PYTHON_VERSION = "3.12"
"""Any version of Python, because the wheels for all versions contain the same library."""


def renew_libraries() -> None:
    """Download and write all libraries and their checksums."""
    for name, tag in WHEEL_PLATFORMS.items():
        (LIBRARY_FOLDER / name).write_bytes(download_library(tag))
    CHECKSUM_FILE.write_text(list_checksums(), encoding="ascii")


def download_library(tag: str) -> bytes:
    """Download endplay's wheel for a platform and return the library in it."""
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder) / "requirements.txt"
        lock.write_text(read_locked_lines(), encoding="ascii")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        pip += ["--only-binary", ":all:", "--require-hashes", "--requirement", str(lock)]
        pip += ["--python-version", PYTHON_VERSION, "--platform", tag, "--dest", folder]
        subprocess.run(pip, check=True)
        (path,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(path) as wheel:
            (inside,) = [
                name
                for name in wheel.namelist()
                if name.startswith("endplay/_dds/") and name.endswith((".so", ".dylib", ".dll"))
            ]
            return wheel.read(inside)


def read_locked_lines() -> str:
    """Return the lines of tests/requirements.txt about endplay: version and checksums."""
    lines = LOCK_FILE.read_text("ascii").splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith("endplay=="))
    index = next(
        index
        for index, line in enumerate(lines)
        if index > start and not line.startswith("    --hash")
    )
    return "\n".join(lines[start:index]) + "\n"


def list_checksums() -> str:
    """Return the content of SHA256SUMS for the current libraries."""
    files = sorted(LIBRARY_FOLDER / name for name in WHEEL_PLATFORMS)
    lines = (f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in files)
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    renew_libraries()
