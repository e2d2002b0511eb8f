"""What a release is handed out as: `python -m deploy.release FOLDER`.

It writes the whole source, a wheel that pip installs, the bill of materials, and the sums of
all three. Every file is taken from what git tracks, in order of names, with the day of the
release for its time, so that two builds with one Python are equal to the byte.
"""

import base64
import gzip
import hashlib
import io
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from deploy import sbom
from server.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
NAME = f"overplay-{VERSION}"
LEFT_OUT = ("tests/", "bench/", "docs/images/", "deploy/", ".")
"""What the wheel has not: it runs the program, the source has everything."""
PLACE = "overplay/"
INFO = f"{NAME}.dist-info/"
DAY = re.compile(rf"^## {re.escape(VERSION)} \((\d{{4}}-\d\d-\d\d)\)", re.MULTILINE)
PIN = re.compile(r"^([A-Za-z0-9_.-]+(?:\[[^]]*\])?==[^\s;#]+)\s*(?:;\s*([^#]+?))?\s*(?:#|$)")
WHEEL = "Wheel-Version: 1.0\nGenerator: overplay\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
START = "[console_scripts]\noverplay = overplay:main\n"
RUN = '"""`python -m overplay`."""\n\nfrom overplay import main\n\nmain()\n'

Files = Mapping[str, bytes]


def main() -> None:
    """Write the files of a release into a folder."""
    if len(sys.argv) != 2:
        raise SystemExit("Name the folder: python -m deploy.release FOLDER")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in release(tracked(), day()).items():
        (folder / name).write_bytes(content)


def release(files: Files, at: datetime) -> dict[str, bytes]:
    """Make the files that are handed out, by their names."""
    made = {
        f"{NAME}.tar.gz": source(files, at),
        f"{NAME}-py3-none-any.whl": wheel(files, at),
        f"{NAME}.cdx.json": sbom.bill(
            VERSION, sbom.read(ROOT / "requirements-server.txt")
        ).encode(),
    }
    sums = (
        f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in made.items()
    )
    return made | {"SHA256SUMS": "".join(sums).encode()}


def tracked() -> dict[str, bytes]:
    """Every file that git tracks, as it lies here."""
    command = ["git", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    names = sorted(name for name in listed.stdout.split("\0") if name)
    return {name: (ROOT / name).read_bytes() for name in names}


def day() -> datetime:
    """The day of this version in the list of what is new; of one that has none yet, any."""
    found = DAY.search((ROOT / "CHANGELOG.md").read_text("utf-8"))
    return datetime.fromisoformat(found[1] if found else "2026-01-01").replace(tzinfo=UTC)


def source(files: Files, at: datetime) -> bytes:
    """Pack the whole source, with the description that pip reads."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, content in sorted({**files, "PKG-INFO": described().encode()}.items()):
            entry = tarfile.TarInfo(f"{NAME}/{name}")
            entry.size, entry.mtime = len(content), int(at.timestamp())
            entry.mode = 0o755 if content.startswith(b"#!") else 0o644
            tar.addfile(entry, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), 9, mtime=0)


def wheel(files: Files, at: datetime) -> bytes:
    """Pack the program as pip installs it: all rooms in one folder, and a way to start it."""
    inside = {PLACE + name: files[name] for name in files if not name.startswith(LEFT_OUT)}
    inside[f"{PLACE}__init__.py"] = files["deploy/installed.py"]
    inside[f"{PLACE}__main__.py"] = RUN.encode()
    inside[f"{INFO}METADATA"] = described().encode()
    inside[f"{INFO}WHEEL"] = WHEEL.encode()
    inside[f"{INFO}entry_points.txt"] = START.encode()
    inside[f"{INFO}RECORD"] = _record(inside).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(inside.items()):
            entry = zipfile.ZipInfo(name, (at.year, at.month, at.day, 0, 0, 0))
            entry.external_attr = (0o755 if content.startswith(b"#!") else 0o644) << 16
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            archive.writestr(entry, content)
    return packed.getvalue()


def _record(inside: Files) -> str:
    lines = [f"{name},{_sum(content)},{len(content)}" for name, content in inside.items()]
    return "\n".join([*sorted(lines), f"{INFO}RECORD,,", ""])


def _sum(content: bytes) -> str:
    plain = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"sha256={plain.rstrip(b'=').decode()}"


def described() -> str:
    """What pip reads of a package: its name, its version and what it needs."""
    head = [
        *("Metadata-Version: 2.4", "Name: overplay", f"Version: {VERSION}"),
        "Summary: A tournament manager for duplicate whist",
        *("License-Expression: MIT", "Requires-Python: >=3.11", "Provides-Extra: server"),
    ]
    needs = [f"Requires-Dist: {each}" for each in needed("requirements.in")]
    needs += [f"Requires-Dist: {each}" for each in needed("requirements-server.in", "server")]
    return "\n".join([*head, *needs, ""])


def needed(name: str, extra: str = "") -> Iterable[str]:
    """The packages that a list chooses, each with where it is needed."""
    for line in (ROOT / name).read_text("utf-8").splitlines():
        if pin := PIN.match(line):
            only = [f"({pin[2]})"] if pin[2] else []
            only += [f'extra == "{extra}"'] if extra else []
            yield f"{pin[1]}; {' and '.join(only)}" if only else pin[1]


if __name__ == "__main__":
    main()
