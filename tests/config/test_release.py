"""What is handed out as a release: the same to the byte each time, whole, and able to start."""

import base64
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from django.conf import settings

from config.faces import CutFaces
from deploy import release
from server.version import VERSION
from tests.rooms import ROOMS

pytestmark = [
    pytest.mark.skipif(
        not shutil.which("git") or not (release.ROOT / ".git").exists(),
        reason="what belongs to a release is known to git",
    ),
]


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    return release.release(release.tracked(), release.day())


@pytest.fixture(scope="module")
def wheel(made: dict[str, bytes]) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(made[f"overplay-{VERSION}-py3-none-any.whl"]))


def test_two_builds_are_equal_to_the_byte(made: dict[str, bytes], tmp_path: Path) -> None:
    """The second by a program of its own, on another day and with other rights."""
    code = (
        "import os, sys, time; os.umask(0o077); sys.argv = ['release', sys.argv[1]]; "
        "now = time.time; time.time = lambda: now() + 1e6; "
        "from deploy import release; release.main()"
    )
    environ = {**os.environ, "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-c", code, str(tmp_path / "out")]
    subprocess.run(command, cwd=release.ROOT, env=environ, check=True)
    again = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert again.keys() == made.keys()
    assert [name for name in made if again[name] != made[name]] == []


def test_the_sums_are_those_of_the_files(made: dict[str, bytes]) -> None:
    lines = dict(line.split("  ")[::-1] for line in made["SHA256SUMS"].decode().splitlines())
    assert lines == {
        name: hashlib.sha256(content).hexdigest()
        for name, content in made.items()
        if name != "SHA256SUMS"
    }
    assert len(lines) == 3
    assert json.loads(made[f"overplay-{VERSION}.cdx.json"])["specVersion"] == "1.6"


def test_the_source_has_every_file_that_git_tracks(made: dict[str, bytes]) -> None:
    with tarfile.open(fileobj=io.BytesIO(made[f"overplay-{VERSION}.tar.gz"])) as tar:
        names = {member.name: member for member in tar.getmembers()}
        listed = {f"overplay-{VERSION}/{name}" for name in release.tracked()}
        assert names.keys() == listed | {f"overplay-{VERSION}/PKG-INFO"}
        assert {member.mtime for member in names.values()} == {release.day().timestamp()}
        assert {(each.uid, each.gid, each.uname) for each in names.values()} == {(0, 0, "")}
        file = tar.extractfile(f"overplay-{VERSION}/manage.py")
        assert file is not None
        assert file.read() == (release.ROOT / "manage.py").read_bytes()
        assert names[f"overplay-{VERSION}/deploy/pages"].mode == 0o755


def test_the_wheel_has_all_rooms_no_tests_and_true_sums(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    folders = {name.split("/")[1] for name in names if name.startswith("overplay/")}
    assert folders >= {*ROOMS, "config", "templates", "static", "manage.py"}
    assert not folders & {"tests", "bench", "deploy", ".ci", ".gitignore"}
    record = wheel.read(f"overplay-{VERSION}.dist-info/RECORD").decode().splitlines()
    assert len(record) == len(names)
    for line in record:
        name, digest, size = line.rsplit(",", 2)
        if name.endswith("RECORD"):
            continue
        found = hashlib.sha256(wheel.read(name)).digest()
        plain = base64.urlsafe_b64encode(found).rstrip(b"=").decode()
        assert (digest, int(size)) == (f"sha256={plain}", len(wheel.read(name)))


def test_the_wheel_needs_what_was_chosen(wheel: zipfile.ZipFile) -> None:
    told = wheel.read(f"overplay-{VERSION}.dist-info/METADATA").decode().splitlines()
    needs = [line.removeprefix("Requires-Dist: ") for line in told if "Requires-Dist" in line]
    chosen = [
        line.partition("#")[0].strip()
        for name in ("requirements.in", "requirements-server.in")
        for line in (release.ROOT / name).read_text("utf-8").splitlines()
        if "==" in line.partition("#")[0]
    ]
    assert len(needs) == len(chosen)
    assert any(each.startswith("Django==") and ";" not in each for each in needs)
    assert "granian==2" in " ".join(needs)
    (granian,) = [each for each in needs if each.startswith("granian")]
    assert granian.endswith('(sys_platform == "linux") and extra == "server"')
    assert not [each for each in needs if each.startswith("endplay")]


ASK = """
from django.core.management import call_command
from django.test import Client
call_command("check")
call_command("collectstatic", interactive=False, verbosity=0)
for path in ("/", "/laws/", "/movements/", "/api/schema/", "/login/"):
    assert Client().get(path, headers={"host": "localhost"}).status_code == 200, path
"""


def test_what_pip_has_installed_starts(
    made: dict[str, bytes], tmp_path: Path, ready: Path
) -> None:
    list(CutFaces().list(None))  # for the tests' own pages too
    shutil.copytree(Path(settings.DATA_DIR) / "joined", tmp_path / "overplay" / "joined")
    shutil.copy(ready, tmp_path / "overplay" / "overplay.sqlite3")
    name = f"overplay-{VERSION}-py3-none-any.whl"
    (tmp_path / name).write_bytes(made[name])
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    pip += ["--disable-pip-version-check", "--no-compile", "--target", str(tmp_path / "place")]
    subprocess.run([*pip, str(tmp_path / name)], check=True, capture_output=True)
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PYTHONPATH": str(tmp_path / "place"),
    }

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "overplay", *words],
            cwd=tmp_path, env=environ, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("--version") == f"Overplay {VERSION}\n"
    assert "no issues" in run("shell", "--no-imports", "-c", ASK)
    assert (tmp_path / "overplay" / "secret_key").exists()  # kept in the home folder
    assert not (tmp_path / "place" / "overplay" / "var").exists()
