"""Store the data of a release: `python -m tests.releases.store 1.0`.

Creates the same night and year on SQLite and on PostgreSQL, and writes both databases, their
contents, and the codes and migrations fixed by the release into `tests/releases/<version>/`.
It may be repeated only before the release is published.
"""

import argparse
import json
import lzma
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import tests.conftest as suite  # before Django's settings: the tests' key and data folder
from tests.releases.chance import fix_clock_and_secrets

RANDOM_SEED = "overplay"
DATABASE_NAME = "overplay_release"


def store_release() -> None:
    """Parse the command line, create the night twice, and write the folder."""
    parser = argparse.ArgumentParser(description="Store the databases of a release.")
    parser.add_argument("version", help="the version in server/version.py")
    parser.add_argument("--again", action="store_true", help="replace what is stored already")
    parser.add_argument(
        "--postgres",
        metavar="URL",
        default=os.environ.get("DATABASE_URL", "postgres://postgres@127.0.0.1:5432/overplay"),
        help="a server where databases can be made, or env DATABASE_URL",
    )
    options = parser.parse_args()
    set_up()
    from tests.releases import frozen, stored

    release = stored.Release(options.version)
    check_release(release, should_replace=options.again)
    with tempfile.TemporaryDirectory() as folder:
        new_folder = Path(folder) / options.version
        new_folder.mkdir()
        sqlite_contents = create_sqlite_night(new_folder)
        postgres_contents = create_postgres_night(
            new_folder, options.postgres.rpartition("/")[0]
        )
        if sqlite_contents != postgres_contents:
            sys.exit("SQLite and PostgreSQL give different nights. Compare them first.")
        write_contents(new_folder, sqlite_contents)
        write_json(new_folder / "migrations.json", frozen.digest_migrations())
        write_json(new_folder / "words.json", frozen.list_stored_codes())
        shutil.rmtree(release.folder, ignore_errors=True)
        shutil.copytree(new_folder, release.folder)
    print_line(f"{release.folder} holds {release.size // 1024} kB.")


def set_up() -> None:
    """Start Django as the tests do, with every job run immediately."""
    import django
    from django.conf import settings

    settings.CELERY_TASK_ALWAYS_EAGER = True
    settings.CELERY_TASK_EAGER_PROPAGATES = True
    settings.MEDIA_ROOT = suite.DATA_DIR / "media"
    django.setup()


def create_sqlite_night(folder: Path) -> dict[str, Any]:
    """Create the night on SQLite, pack its file, and return its contents."""
    from django.db import connection

    from tests.databases import build_sqlite_settings, use_database

    path, file = folder / "made.sqlite3", folder / "overplay.sqlite3"
    with use_database(build_sqlite_settings(path)):
        night = create_night_and_year()
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(file)])
    pack_file(file, file.read_bytes())
    for remaining_path in folder.glob("*.sqlite3*"):
        if remaining_path.suffix != ".xz":
            remaining_path.unlink()
    return night


def create_postgres_night(folder: Path, server: str) -> dict[str, Any]:
    """Create the night on PostgreSQL, pack its dump, and return its contents."""
    from config.environment import build_database_settings
    from tests.databases import use_database
    from tests.releases import stored

    with stored.create_postgres_database(server, DATABASE_NAME) as url:
        with use_database(build_database_settings({"DATABASE_URL": url}, folder)):
            night = create_night_and_year()
        pack_file(folder / "overplay.sql", dump_database(url))
    return night


def create_night_and_year() -> dict[str, Any]:
    """Fill an empty database with a night and a year, and return its contents."""
    from django.core.management import call_command
    from django.test import override_settings

    from tests.releases import database_contents, night, year, year_contents

    call_command("migrate", verbosity=0)
    phone_settings = override_settings(PHONE_ADDRESSES=["https://whist.example.org"])
    with phone_settings, fix_clock_and_secrets(night.NIGHT_STARTS_AT, RANDOM_SEED) as clock:
        night.create_night(clock)
        year.create_year(clock)
    with fix_clock_and_secrets(clock.moment):
        return {
            "moment": clock.moment.isoformat(),
            "standings": database_contents.recompute_standings(),
            "goes back": database_contents.list_undoable_acts(),
            "event files": database_contents.export_event_files(),
            "year": year_contents.read_year(),
        }


def write_contents(folder: Path, contents: dict[str, Any]) -> None:
    """Write the contents of a release: its event files, its year and its night."""
    night = dict(contents)
    (folder / "events").mkdir()
    for slug, document in night.pop("event files").items():
        write_json(folder / "events" / f"{slug}.json", document)
    write_json(folder / "year.json", night.pop("year"))
    write_json(folder / "night.json", night)


def dump_database(url: str) -> bytes:
    """Dump a database as SQL for every server that is new enough for the program.

    The first lines of pg_dump are left out: they are about its own server and psql.
    """
    arguments = ["--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=100"]
    process = subprocess.run(["pg_dump", *arguments, url], capture_output=True, check=True)
    _header, first_statement, rest = process.stdout.partition(b"\nCREATE ")
    lines = rest.splitlines(keepends=True)
    return (
        first_statement + b"".join(line for line in lines if not line.startswith(b"\\"))
    ).lstrip()


def check_release(release: Any, *, should_replace: bool) -> None:
    from django.core.management import call_command

    from server.version import VERSION

    if release.version != VERSION:
        sys.exit(f"server/version.py says {VERSION}. Write {release.version} there first.")
    if release.folder.exists() and not should_replace:
        sys.exit(f"{release.version} is stored. Until it is given out, --again replaces it.")
    call_command("makemigrations", check_changes=True, dry_run=True)


def pack_file(path: Path, data: bytes) -> None:
    packed = lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)
    path.with_name(f"{path.name}.xz").write_bytes(packed)


def write_json(path: Path, data: Any) -> None:
    text = json.dumps(data, ensure_ascii=False, indent=1)
    path.write_text(f"{text}\n", encoding="utf-8")


def print_line(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    store_release()
