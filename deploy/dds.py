"""Update the solver's libraries in boards/dds: `python -m deploy.dds`.

The libraries are copied from the wheels of the package endplay, which contain DDS for each
system. pip checks the wheels against tests/requirements.txt.
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
PLATFORM_TAGS_BY_LIBRARY = {
    "dds-linux-x86_64.so": "manylinux_2_17_x86_64",
    "dds-linux-aarch64.so": "manylinux_2_17_aarch64",
    "dds-macos-x86_64.dylib": "macosx_10_13_x86_64",
    "dds-macos-arm64.dylib": "macosx_11_0_arm64",
    "dds-windows-x86_64.dll": "win_amd64",
}
"""The platform tag of the wheel that contains each library."""

PYTHON_VERSION = "3.12"
"""Any version of Python, because the wheels for all versions contain the same library."""


def update_libraries() -> None:
    """Download and write all libraries and their checksums."""
    for library_name, platform_tag in PLATFORM_TAGS_BY_LIBRARY.items():
        (LIBRARY_FOLDER / library_name).write_bytes(download_library(platform_tag))
    CHECKSUM_FILE.write_text(list_checksums(), encoding="ascii")


def download_library(platform_tag: str) -> bytes:
    """Download endplay's wheel for a platform and return the library in it."""
    with tempfile.TemporaryDirectory() as folder:
        requirements_path = Path(folder) / "requirements.txt"
        requirements_path.write_text(read_endplay_requirement(), encoding="ascii")
        pip_command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        pip_command += [
            "--only-binary",
            ":all:",
            "--require-hashes",
            "--requirement",
            str(requirements_path),
        ]
        pip_command += [
            "--python-version",
            PYTHON_VERSION,
            "--platform",
            platform_tag,
            "--dest",
            folder,
        ]
        subprocess.run(pip_command, check=True)
        (wheel_path,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel_path) as wheel:
            (member_name,) = [
                member
                for member in wheel.namelist()
                if member.startswith("endplay/_dds/")
                and member.endswith((".so", ".dylib", ".dll"))
            ]
            return wheel.read(member_name)


def read_endplay_requirement() -> str:
    """Return the lines of tests/requirements.txt with endplay's version and checksums."""
    lines = LOCK_FILE.read_text("ascii").splitlines()
    first_index = next(
        index for index, line in enumerate(lines) if line.startswith("endplay==")
    )
    end_index = next(
        index
        for index, line in enumerate(lines)
        if index > first_index and not line.startswith("    --hash")
    )
    return "\n".join(lines[first_index:end_index]) + "\n"


def list_checksums() -> str:
    """Return the content of SHA256SUMS for the current libraries."""
    library_paths = sorted(
        LIBRARY_FOLDER / library_name for library_name in PLATFORM_TAGS_BY_LIBRARY
    )
    checksum_lines = (
        f"{hashlib.sha256(library_path.read_bytes()).hexdigest()}  {library_path.name}"
        for library_path in library_paths
    )
    return "".join(f"{line}\n" for line in checksum_lines)


if __name__ == "__main__":
    update_libraries()
