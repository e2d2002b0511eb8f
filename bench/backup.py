"""Make and restore backups, kill both and the upgrade at random, and compare the data.

Run manually: `python -m bench.backup --tables 50 --evenings 4 --kills 10 --seed 1` uses SQLite
in a separate folder. `--postgres postgres://user@host:port` creates databases on that server.
All processes, folders and databases are removed afterwards.

It prints each step, and makes no new kill after `--seconds`: it ends even on a busy machine. A
single command may take five minutes.

It exits with 0 if all of these are true. Every backup was equal after its restore. After each
kill the digest is that of the old or of the new rows. The next command then works without help.
"""

import argparse
import json
import lzma
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

ROOT = Path(__file__).resolve().parents[1]
RELEASE_FOLDER = ROOT / "tests" / "releases" / "1.0"
KILL_WINDOW_FACTOR = 1.15  # of a command's duration, within which it is killed
COMMAND_SECONDS = 300  # timeout of one command
STARTED_AT = time.monotonic()


def print_step(step: str) -> None:
    """Print a step immediately."""
    print(f"{time.monotonic() - STARTED_AT:5.0f} s  {step}", file=sys.stderr, flush=True)


def iterate_kills(command_name: str, options: argparse.Namespace) -> Iterator[int]:
    """Yield the number of each kill until there are enough or the time is over."""
    for number in range(options.kills):
        if time.monotonic() - STARTED_AT > options.seconds:
            print_step(f"no more kills of {command_name}: the time is over after {number}")
            break
        print_step(f"{command_name}: kill {number + 1} of {options.kills}")
        yield number


class Installation:
    """An installation: its folder, its database, and its command line."""

    def __init__(self, folder: Path, server: str = "", name: str = "") -> None:
        self.folder, self.server, self.name = folder, server, name
        variables = {
            "DATA_DIR": str(folder),
            "BACKUP_BY_ITSELF": "no",
            "BACKUP_DIR": f"{folder}/kept",
        }
        if server:
            variables["DATABASE_URL"] = f"{server}/{name}"
        self.environ = os.environ | variables

    def run(self, *arguments: str) -> str:
        """Run a command and return its output; exit if it fails."""
        try:
            completed_process = subprocess.run(
                [sys.executable, "manage.py", *arguments],
                cwd=ROOT,
                env=self.environ,
                capture_output=True,
                text=True,
                check=False,
                timeout=COMMAND_SECONDS,
            )
        except subprocess.TimeoutExpired as late_error:
            raise SystemExit(f"{arguments}: not done after {COMMAND_SECONDS} s") from late_error
        if completed_process.returncode:
            raise SystemExit(f"{arguments}: {completed_process.stderr[-500:]}")
        return completed_process.stdout

    def measure(self, *arguments: str) -> float:
        """Run a command and return its duration in seconds."""
        started_at = time.monotonic()
        self.run(*arguments)
        return time.monotonic() - started_at

    def kill(self, seconds: float, *arguments: str) -> None:
        """Start a command, and kill it after some seconds unless it has ended."""
        process = subprocess.Popen(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def digest(self, *table_names: str) -> str:
        """Return the digests of the tables that a restore replaces, or of these tables."""
        digests = json.loads(self.run("digest", "--json"))["tables"]
        tables = {
            name: digest
            for name, digest in digests.items()
            if name in table_names or not table_names
        }
        for unstable_table in ("django_session", "server_worker", "server_job"):
            tables.pop(unstable_table, None)
        return json.dumps(tables, sort_keys=True)

    def change_rows(self) -> None:
        """Change some rows, which makes the old and the new data different."""
        change = "UPDATE clubs_player SET name = name || '.'"
        if self.server:
            with psycopg.connect(f"{self.server}/{self.name}") as connection:
                connection.execute(change)
        else:
            with closing(sqlite3.connect(self.folder / "overplay.sqlite3")) as file:
                file.execute(change)
                file.commit()

    def install_release(self) -> None:
        """Install the database of version 1.0 for an upgrade."""
        if self.server:
            with psycopg.connect(
                f"{self.server}/{self.name}", client_encoding="utf8"
            ) as connection:
                connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
                connection.execute(
                    lzma.decompress((RELEASE_FOLDER / "overplay.sql.xz").read_bytes())
                )
            return
        for old_file in self.folder.glob("overplay.sqlite3*"):
            old_file.unlink()
        archive = (RELEASE_FOLDER / "overplay.sqlite3.xz").read_bytes()
        (self.folder / "overplay.sqlite3").write_bytes(lzma.decompress(archive))


@contextmanager
def create_installation(server: str) -> Iterator[Installation]:
    """Create a separate installation, and delete it at the end of the block."""
    with tempfile.TemporaryDirectory(prefix="overplay-bench-") as folder:
        if not server:
            yield Installation(Path(folder))
            return
        name = f"overplay_bench_{os.getpid()}"
        with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            try:
                yield Installation(Path(folder), server, name)
            finally:
                query = "SELECT datname FROM pg_database WHERE datname LIKE %s"
                for (database_name,) in connection.execute(query, [f"{name}%"]).fetchall():
                    drop_statement = sql.SQL("DROP DATABASE {} WITH (FORCE)")
                    connection.execute(drop_statement.format(sql.Identifier(database_name)))


def kill_restores(
    installation: Installation,
    file: str,
    random_source: random.Random,
    options: argparse.Namespace,
) -> list[str]:
    """Kill restores at random; check that the rows are always the old ones or the new ones."""
    failures = []
    new_digest = installation.digest()
    restore_seconds = installation.measure("restore", file)
    for number in iterate_kills("restore", options):
        installation.change_rows()
        old_digest = installation.digest()
        installation.kill(
            random_source.uniform(0, restore_seconds * KILL_WINDOW_FACTOR),
            "restore",
            file,
            "--stop",
        )
        digest = installation.digest()
        if digest not in (old_digest, new_digest):
            failures.append(f"restore {number}: neither the old nor the new")
        installation.run("restore", file)
        if installation.digest() != new_digest:
            failures.append(f"restore {number}: the next one did not bring it back")
    return failures


def kill_backups(
    installation: Installation,
    random_source: random.Random,
    options: argparse.Namespace,
    backup_seconds: float,
) -> list[str]:
    """Kill backups at random; check that every backup listed as good can be restored."""
    failures = []
    digest_before = installation.digest()
    for number in iterate_kills("backup", options):
        installation.kill(
            random_source.uniform(0, backup_seconds * KILL_WINDOW_FACTOR), "backup"
        )
        if installation.digest() != digest_before:
            failures.append(f"backup {number}: the rows have changed")
    for line in installation.run("backup", "--list").splitlines():
        if "checked by a test restore" in line:
            installation.run("restore", line.split("  ")[0], "--check")
    return failures


def kill_upgrades(
    installation: Installation, random_source: random.Random, options: argparse.Namespace
) -> list[str]:
    """Kill upgrades at random; check that the next one always completes."""
    failures = []
    print_step("upgrade of version 1.0")
    installation.install_release()
    upgrade_seconds = installation.measure("upgrade")
    stored_digest = installation.digest("scoring_result", "clubs_player", "tournaments_entry")
    for number in iterate_kills("upgrade", options):
        installation.install_release()
        installation.kill(
            random_source.uniform(0, upgrade_seconds * KILL_WINDOW_FACTOR), "upgrade"
        )
        installation.run("upgrade")
        if (
            installation.digest("scoring_result", "clubs_player", "tournaments_entry")
            != stored_digest
        ):
            failures.append(f"upgrade {number}: other rows than without a kill")
    return failures


def main() -> None:
    """Measure, kill and compare; print a table and a line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--evenings", type=int, default=2)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", default="", metavar="postgres://user@host:port")
    parser.add_argument("--seconds", type=float, default=900, help="no new kill after these")
    options = parser.parse_args()
    random_source = random.Random(options.seed)
    with create_installation(options.postgres) as installation:
        installation.run("upgrade")
        for evening in range(options.evenings):
            print_step(f"evening {evening + 1} of {options.evenings}")
            arguments = ("--tables", str(options.tables), "--seed", str(evening + 1))
            installation.run("stage", *arguments, "--without-deals")
        rows = json.loads(installation.run("digest", "--json"))["rows"]
        file = str(installation.folder / "here.backup")
        print_step("backup and restore")
        backup_seconds = installation.measure("backup", "--to", file)
        size = Path(file).stat().st_size
        restore_seconds = installation.measure("restore", file)
        failures = kill_backups(installation, random_source, options, backup_seconds)
        failures += kill_restores(installation, file, random_source, options)
        failures += kill_upgrades(installation, random_source, options)
    results = {
        "database": "postgresql" if options.postgres else "sqlite",
        "rows": rows,
        "backup_seconds": round(backup_seconds, 2),
        "backup_bytes": size,
        "restore_seconds": round(restore_seconds, 2),
        "wrong": failures,
    }
    print(json.dumps(results, indent=1))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
