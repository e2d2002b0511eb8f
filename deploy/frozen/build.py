"""Build the frozen program: `python -m deploy.frozen.build FOLDER`.

PyInstaller puts Python, the libraries and the program into one folder, which needs no
installation. On Linux the folder is packed as `.tar.gz` and as `.deb`, elsewhere as `.zip`.
Run it with an environment that has only requirements.txt and PyInstaller.
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
    target = Path(sys.argv[1]).resolve()
    target.mkdir(parents=True, exist_ok=True)
    program = freeze(target)
    if sys.platform.startswith("linux"):
        name = str(target / f"overplay-{VERSION}-linux")
        shutil.make_archive(name, "gztar", target, program.name)
        build_deb(program, target)
    else:
        system = "macos" if sys.platform == "darwin" else "windows"
        shutil.make_archive(
            str(target / f"overplay-{VERSION}-{system}"), "zip", target, program.name
        )


def freeze(target: Path) -> Path:
    """Run PyInstaller; return the program's folder, on macOS the app."""
    with tempfile.TemporaryDirectory() as work_folder:
        subprocess.run(
            [
                *(sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"),
                *("--distpath", str(target), "--workpath", work_folder),
                str(ROOT / "deploy" / "frozen" / "overplay.spec"),
            ],
            cwd=ROOT,
            check=True,
        )
    app = target / "Overplay.app"
    return app if app.exists() else target / "overplay"


def build_deb(program: Path, target: Path) -> Path:
    """Pack the program's folder as a Debian package with a desktop entry; return its path."""
    architecture = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    ).stdout.strip()
    package = target / f"overplay_{VERSION}_{architecture}.deb"
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(program, root / "opt" / "overplay", symlinks=True)
        for path, text in (
            (
                "DEBIAN/control",
                DEBIAN_CONTROL.format(version=VERSION, architecture=architecture),
            ),
            ("usr/share/applications/overplay.desktop", DESKTOP_ENTRY),
        ):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8")
        icons = root / "usr/share/icons/hicolor/256x256/apps"
        icons.mkdir(parents=True)
        shutil.copy(ROOT / "deploy" / "frozen" / "overplay.png", icons)
        commands = root / "usr/bin"
        commands.mkdir(parents=True)
        (commands / "overplay").symlink_to("/opt/overplay/overplay")
        allow_reading(root)
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "--build", "-Zxz", str(root), str(package)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    return package


def allow_reading(root: Path) -> None:
    """Let every account read the files and open the folders, whatever the umask is."""
    for path in (root, *root.rglob("*")):
        if not path.is_symlink():
            opens = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if opens else 0o644)


if __name__ == "__main__":
    main()
