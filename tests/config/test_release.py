"""The files of a release are built from the commit, are reproducible, and start."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from deploy import release
from server.version import VERSION
from tests.rooms import ROOMS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not shutil.which("git") or not (release.ROOT / ".git").exists(),
        reason="a release is built from a commit",
    ),
]
WHEEL = f"overplay-{VERSION}-py3-none-any.whl"
SOURCE_ARCHIVE_NAME = f"overplay-{VERSION}.tar.gz"


def build_release(folder: Path, **environ: str) -> dict[str, bytes]:
    """Build a release in a process of its own and return its files."""
    subprocess.run(
        [sys.executable, "-m", "deploy.release", str(folder)],
        cwd=release.ROOT,
        env=os.environ | environ,
        check=True,
    )
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def release_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    build_release(folder)
    return folder


@pytest.fixture(scope="module")
def wheel(release_folder: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(release_folder / WHEEL)


def test_two_builds_are_identical(release_folder: Path, tmp_path: Path) -> None:
    first_contents_by_name = {path.name: path.read_bytes() for path in release_folder.iterdir()}
    second_build = build_release(tmp_path / "again", TZ="Asia/Tokyo", PYTHONHASHSEED="7")
    assert (
        second_build.keys()
        == first_contents_by_name.keys()
        == {SOURCE_ARCHIVE_NAME, WHEEL, "SHA256SUMS", *second_build}
    )
    assert [
        name
        for name in first_contents_by_name
        if second_build[name] != first_contents_by_name[name]
    ] == []


def test_checksums_match_the_files(release_folder: Path) -> None:
    lines = (release_folder / "SHA256SUMS").read_text("utf-8").splitlines()
    assert {name: digest for digest, name in (line.split("  ") for line in lines)} == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in release_folder.iterdir()
        if path.name != "SHA256SUMS"
    }
    bill_of_materials = json.loads(
        (release_folder / f"overplay-{VERSION}.cdx.json").read_text("utf-8")
    )
    assert (len(lines), bill_of_materials["specVersion"]) == (3, "1.6")


def list_committed_files() -> set[str]:
    process = subprocess.run(
        ["git", "ls-tree", "-rz", "--name-only", "HEAD"],
        cwd=release.ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return {name for name in process.stdout.split("\0") if name}


def test_source_archive_has_every_file_of_the_commit(release_folder: Path) -> None:
    with tarfile.open(release_folder / SOURCE_ARCHIVE_NAME) as tar:
        members = {member.name.partition("/")[2]: member for member in tar.getmembers()}
    assert members.keys() == list_committed_files() | {"PKG-INFO"}
    assert {member.mtime for member in members.values()} == {
        release.find_release_day().timestamp()
    }
    assert members["deploy/pages"].mode & 0o111


def test_wheel_has_every_file_of_the_program_and_no_tests(wheel: zipfile.ZipFile) -> None:
    program_folders = {*ROOMS, "config", "locale", "printing", "static", "templates"}
    program_files = {
        f"overplay/{name}"
        for name in list_committed_files()
        if name.split("/")[0] in program_folders
    }
    names = {name for name in wheel.namelist() if name.startswith("overplay/")}
    assert program_files <= names
    others = {name.split("/")[1] for name in names - program_files}
    assert others == {"__init__.py", "docs", "manage.py"}
    assert any(name.startswith("overplay/boards/dds/dds-") for name in names)


def test_wheel_needs_the_dependencies_of_pyproject(wheel: zipfile.ZipFile) -> None:
    project = tomllib.loads((release.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = wheel.read(f"overplay-{VERSION}.dist-info/METADATA").decode().splitlines()
    requirements = [
        line.removeprefix("Requires-Dist: ") for line in lines if "Requires-Dist" in line
    ]
    base_requirements = [
        requirement for requirement in requirements if "extra ==" not in requirement
    ]
    assert len(base_requirements) == len(project["dependencies"])
    assert len(requirements) - len(base_requirements) == len(
        project["optional-dependencies"]["server"]
    )


START_SCRIPT = """
from django.core.management import call_command
from django.test import Client
call_command("check")
call_command("collectstatic", interactive=False, verbosity=0)
for path in ("/", "/laws/", "/movements/", "/api/schema/", "/login/"):
    page = Client().get(path, headers={"host": "localhost"})
    assert page.status_code == 200, path
assert b"<code>overplay changepassword NAME</code>" in page.content
"""


def test_installed_wheel_starts(
    release_folder: Path, tmp_path: Path, empty_database_file: Path
) -> None:
    (tmp_path / "overplay").mkdir()
    shutil.copy(empty_database_file, tmp_path / "overplay" / "overplay.sqlite3")
    venv.create(tmp_path / "venv")
    folder = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python"]
    pip += [str(folder / "python"), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(release_folder / WHEEL)], check=True, capture_output=True)
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "USERPROFILE": str(tmp_path),
        # The wheel uses the libraries of the test environment.
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if "site-packages" in path),
    }

    def run_overplay(*arguments: str) -> str:
        process = subprocess.run(
            [str(folder / "overplay"), *arguments],
            cwd=tmp_path, env=environ, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert process.returncode == 0, process.stderr
        return process.stdout

    assert run_overplay("--version") == f"Overplay {VERSION}\n"
    assert "no issues" in run_overplay("shell", "--no-imports", "-c", START_SCRIPT)
    assert (tmp_path / "overplay" / "secret_key").exists()  # data is in the home folder
    assert not list((tmp_path / "venv").rglob("var"))
