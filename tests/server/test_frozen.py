"""The frozen program: its packages, and its start by a double click."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import manage
from deploy.frozen import build, start


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="of Debian alone")
def test_debian_package_has_program_command_and_menu_entry(tmp_path: Path) -> None:
    program = tmp_path / "overplay"
    (program / "_internal").mkdir(parents=True)
    (program / "overplay").write_text("#!/bin/sh\n")
    package = build.build_deb(program, tmp_path)
    subprocess.run(["dpkg-deb", "-x", str(package), str(tmp_path / "root")], check=True)
    root = tmp_path / "root"
    assert (root / "opt/overplay/overplay").exists()
    assert (root / "usr/bin/overplay").readlink() == Path("/opt/overplay/overplay")
    entry = (root / "usr/share/applications/overplay.desktop").read_text()
    assert "Exec=/opt/overplay/overplay\n" in entry
    assert "Terminal=false\n" in entry
    assert (root / "usr/share/icons/hicolor/256x256/apps/overplay.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("typed", "command"),
    [([], ["serve", "--browser"]), (["doctor"], ["doctor"]), (["--version"], ["--version"])],
)
def test_double_click_starts_server_and_arguments_run_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: list[str], command: list[str]
) -> None:
    run_commands: list[list[str]] = []
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["overplay", *typed])
    monkeypatch.setattr(manage, "main", lambda: run_commands.append(sys.argv[1:]))
    start.main()
    assert run_commands == [command]


def test_program_without_terminal_writes_output_to_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(sys, "argv", ["overplay"])
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    monkeypatch.setattr(manage, "main", lambda: sys.stdout.write("serving\n"))
    start.main()
    sys.stdout.close()
    assert (tmp_path / "data" / "overplay.log").read_text() == "serving\n"
