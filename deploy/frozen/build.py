"""Build the frozen program: `python -m deploy.frozen.build FOLDER`.

PyInstaller puts Python, the libraries and the program into one folder, which needs no
installation. On Linux the folder is packed as `.tar.gz` and as `.deb`, elsewhere as `.zip`.
Run this in a Python environment that has only requirements.txt and PyInstaller.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from server.version import VERSION

ROOT = Path(__file__).resolve().parents[2]
DESKTOP_ENTRY = """[Desktop Entry]
Type=Application
Name=Overplay
Comment=Duplicate whist scoring
Exec=/opt/overplay/overplay
Icon=overplay
Terminal=false
Categories=Game;CardGame;
"""
DEBIAN_CONTROL = """Package: overplay
Version: {version}
Architecture: {architecture}
Maintainer: The Overplay authors <noreply@invalid>
Depends: libc6
Section: games
Priority: optional
Description: duplicate whist scoring
 Runs an evening of duplicate whist, a whist drive or a rubber night from
 one laptop, with phones at the tables and without internet.
"""


def main() -> None:
    """Build the program and its packages in a folder."""
    if len(sys.argv) != 2:
        raise SystemExit("Name the folder: python -m deploy.frozen.build FOLDER")
    output_folder = Path(sys.argv[1]).resolve()
    output_folder.mkdir(parents=True, exist_ok=True)
    program_folder = freeze_program(output_folder)
    if sys.platform.startswith("linux"):
        archive_name = str(output_folder / f"overplay-{VERSION}-linux")
        shutil.make_archive(archive_name, "gztar", output_folder, program_folder.name)
        build_deb(program_folder, output_folder)
    else:
        system_name = "macos" if sys.platform == "darwin" else "windows"
        shutil.make_archive(
            str(output_folder / f"overplay-{VERSION}-{system_name}"),
            "zip",
            output_folder,
            program_folder.name,
        )


def freeze_program(output_folder: Path) -> Path:
    """Run PyInstaller; return the program's folder, on macOS the app."""
    with tempfile.TemporaryDirectory() as work_folder:
        subprocess.run(
            [
                *(sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"),
                *("--distpath", str(output_folder), "--workpath", work_folder),
                str(ROOT / "deploy" / "frozen" / "overplay.spec"),
            ],
            cwd=ROOT,
            check=True,
        )
    app_folder = output_folder / "Overplay.app"
    return app_folder if app_folder.exists() else output_folder / "overplay"


def build_deb(program_folder: Path, output_folder: Path) -> Path:
    """Pack the program's folder as a Debian package with a desktop entry; return its path."""
    architecture = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    ).stdout.strip()
    package_path = output_folder / f"overplay_{VERSION}_{architecture}.deb"
    with tempfile.TemporaryDirectory() as folder:
        package_root = Path(folder)
        shutil.copytree(program_folder, package_root / "opt" / "overplay", symlinks=True)
        for relative_path, text in (
            (
                "DEBIAN/control",
                DEBIAN_CONTROL.format(version=VERSION, architecture=architecture),
            ),
            ("usr/share/applications/overplay.desktop", DESKTOP_ENTRY),
        ):
            (package_root / relative_path).parent.mkdir(parents=True, exist_ok=True)
            (package_root / relative_path).write_text(text, "utf-8")
        icon_folder = package_root / "usr/share/icons/hicolor/256x256/apps"
        icon_folder.mkdir(parents=True)
        shutil.copy(ROOT / "deploy" / "frozen" / "overplay.png", icon_folder)
        command_folder = package_root / "usr/bin"
        command_folder.mkdir(parents=True)
        (command_folder / "overplay").symlink_to("/opt/overplay/overplay")
        make_package_readable(package_root)
        subprocess.run(
            [
                "dpkg-deb",
                "--root-owner-group",
                "--build",
                "-Zxz",
                str(package_root),
                str(package_path),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    return package_path


def make_package_readable(package_root: Path) -> None:
    """Let every account read the files and open the folders, whatever the umask was."""
    for path in (package_root, *package_root.rglob("*")):
        if not path.is_symlink():
            is_executable = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if is_executable else 0o644)


if __name__ == "__main__":
    main()
