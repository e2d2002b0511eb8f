"""Build the files of a release: `python -m deploy.release FOLDER`.

The files are the source archive, the wheel, the bill of materials and their checksums.
hatchling builds the first two from the current commit. All packed files get the day of the
release as their time, so that two builds are identical.
"""

import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from deploy import sbom
from server.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
RELEASE_DAY_PATTERN = re.compile(
    rf"^## {re.escape(VERSION)} \((\d{{4}}-\d\d-\d\d)\)", re.MULTILINE
)


def main() -> None:
    """Write the files of a release into a folder."""
    if len(sys.argv) != 2:
        raise SystemExit("Name the folder: python -m deploy.release FOLDER")
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    build_packages(folder)
    bill_of_materials_json = sbom.build_bill_of_materials(
        VERSION, sbom.read_lock_file(ROOT / "requirements-server.txt")
    )
    (folder / f"overplay-{VERSION}.cdx.json").write_text(bill_of_materials_json, "utf-8")
    (folder / "SHA256SUMS").write_text(list_checksums(folder), "utf-8")


def build_packages(folder: Path) -> None:
    """Build the source archive and the wheel from the files of the current commit."""
    tar_bytes = subprocess.run(
        ["git", "archive", "--format=tar", "HEAD"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    with tempfile.TemporaryDirectory() as checkout_folder:
        with tarfile.open(fileobj=io.BytesIO(tar_bytes)) as tar_file:
            tar_file.extractall(checkout_folder, filter="data")
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)],
            cwd=checkout_folder,
            env=os.environ | {"SOURCE_DATE_EPOCH": str(int(find_release_day().timestamp()))},
            check=True,
            stdout=subprocess.DEVNULL,
        )


def find_release_day() -> datetime:
    """Return this version's day in the changelog, or a fixed day if it has none yet."""
    day_match = RELEASE_DAY_PATTERN.search((ROOT / "CHANGELOG.md").read_text("utf-8"))
    return datetime.fromisoformat(day_match[1] if day_match else "2026-01-01").replace(
        tzinfo=UTC
    )


def list_checksums(folder: Path) -> str:
    """Return the content of SHA256SUMS for the files of this version in a folder."""
    paths = sorted(folder.glob(f"overplay-{VERSION}*"))
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths
    )


if __name__ == "__main__":
    main()
