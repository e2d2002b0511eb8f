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
RELEASE = ROOT / "tests" / "releases" / "1.0"
KILL_WINDOW = 1.15  # of a command's duration, within which it is killed
COMMAND_SECONDS = 300  # timeout of one command
STARTED_AT = time.monotonic()


def print_step(step: str) -> None:
    """Print a step immediately."""
    print(f"{time.monotonic() - STARTED_AT:5.0f} s  {step}", file=sys.stderr, flush=True)


def count_kills(what: str, options: argparse.Namespace) -> Iterator[int]:
    """Yield the number of each kill until there are enough or the time is over."""
    for number in range(options.kills):
        if time.monotonic() - STARTED_AT > options.seconds:
            print_step(f"no more kills of {what}: the time is over after {number}")
            break
        print_step(f"{what}: kill {number + 1} of {options.kills}")
        yield number


class Installation:
    """An installation: its folder, its database, and its command line."""

    def __init__(self, folder: Path, server: str = "", name: str = "") -> None:
        self.folder, self.server, self.name = folder, server, name
        own = {
            "DATA_DIR": str(folder),
            "BACKUP_BY_ITSELF": "no",
            "BACKUP_DIR": f"{folder}/kept",
        }
        if server:
            own["DATABASE_URL"] = f"{server}/{name}"
        self.environ = os.environ | own

    def run(self, *words: str) -> str:
        """Run a command and return its output; exit if it fails."""
        try:
            done = subprocess.run(
                [sys.executable, "manage.py", *words],
                cwd=ROOT,
                env=self.environ,
                capture_output=True,
                text=True,
                check=False,
                timeout=COMMAND_SECONDS,
            )
        except subprocess.TimeoutExpired as late:
            raise SystemExit(f"{words}: not done after {COMMAND_SECONDS} s") from late
        if done.returncode:
            raise SystemExit(f"{words}: {done.stderr[-500:]}")
        return done.stdout

    def measure(self, *words: str) -> float:
        """Run a command and return its duration in seconds."""
        began = time.monotonic()
        self.run(*words)
        return time.monotonic() - began

    def kill(self, seconds: float, *words: str) -> None:
        """Start a command, and kill it after some seconds unless it has ended."""
        process = subprocess.Popen(
            [sys.executable, "manage.py", *words],
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

    def digest(self, *only: str) -> str:
        """Return the digests of the tables that a restore replaces, or of these tables."""
        found = json.loads(self.run("digest", "--json"))["tables"]
        tables = {name: it for name, it in found.items() if name in only or not only}
        for passing in ("django_session", "server_worker", "server_job"):
            tables.pop(passing, None)
        return json.dumps(tables, sort_keys=True)

    def change_rows(self) -> None:
        """Change some rows, which makes the old and the new data different."""
        change = "UPDATE clubs_player SET name = name || '.'"
        if self.server:
            with psycopg.connect(f"{self.server}/{self.name}") as line:
                line.execute(change)
        else:
            with closing(sqlite3.connect(self.folder / "overplay.sqlite3")) as file:
                file.execute(change)
                file.commit()

    def install_release(self) -> None:
        """Install the database of version 1.0 for an upgrade."""
        if self.server:
            with psycopg.connect(f"{self.server}/{self.name}", client_encoding="utf8") as line:
                line.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
                line.execute(lzma.decompress((RELEASE / "overplay.sql.xz").read_bytes()))
            return
        for old in self.folder.glob("overplay.sqlite3*"):
            old.unlink()
        packed = (RELEASE / "overplay.sqlite3.xz").read_bytes()
        (self.folder / "overplay.sqlite3").write_bytes(lzma.decompress(packed))


@contextmanager
def create_installation(server: str) -> Iterator[Installation]:
    """Create a separate installation, and delete it at the end of the block."""
    with tempfile.TemporaryDirectory(prefix="overplay-bench-") as folder:
        if not server:
            yield Installation(Path(folder))
            return
        name = f"overplay_bench_{os.getpid()}"
        with psycopg.connect(f"{server}/postgres", autocommit=True) as line:
            line.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            try:
                yield Installation(Path(folder), server, name)
            finally:
                query = "SELECT datname FROM pg_database WHERE datname LIKE %s"
                for (left,) in line.execute(query, [f"{name}%"]).fetchall():
                    drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
                    line.execute(drop.format(sql.Identifier(left)))


def kill_restores(
    here: Installation, file: str, chance: random.Random, options: argparse.Namespace
) -> list[str]:
    """Kill restores at random; check that the rows are always the old ones or the new ones."""
    wrong = []
    new = here.digest()
    took = here.measure("restore", file)
    for number in count_kills("restore", options):
        here.change_rows()
        old = here.digest()
        here.kill(chance.uniform(0, took * KILL_WINDOW), "restore", file, "--stop")
        found = here.digest()
        if found not in (old, new):
            wrong.append(f"restore {number}: neither the old nor the new")
        here.run("restore", file)
        if here.digest() != new:
            wrong.append(f"restore {number}: the next one did not bring it back")
    return wrong


def kill_backups(
    here: Installation, chance: random.Random, options: argparse.Namespace, took: float
) -> list[str]:
    """Kill backups at random; check that every backup listed as good can be restored."""
    wrong = []
    before = here.digest()
    for number in count_kills("backup", options):
        here.kill(chance.uniform(0, took * KILL_WINDOW), "backup")
        if here.digest() != before:
            wrong.append(f"backup {number}: the rows have changed")
    for line in here.run("backup", "--list").splitlines():
        if "restored and compared" in line:
            here.run("restore", line.split("  ")[0], "--check")
    return wrong


def kill_upgrades(
    here: Installation, chance: random.Random, options: argparse.Namespace
) -> list[str]:
    """Kill upgrades at random; check that the next one always completes."""
    wrong = []
    print_step("upgrade of version 1.0")
    here.install_release()
    took = here.measure("upgrade")
    there = here.digest("scoring_result", "clubs_player", "tournaments_entry")
    for number in count_kills("upgrade", options):
        here.install_release()
        here.kill(chance.uniform(0, took * KILL_WINDOW), "upgrade")
        here.run("upgrade")
        if here.digest("scoring_result", "clubs_player", "tournaments_entry") != there:
            wrong.append(f"upgrade {number}: other rows than without a kill")
    return wrong


def main() -> None:
    """Measure, kill and compare; print a table and a line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--evenings", type=int, default=2)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", default="", metavar="postgres://user@host:port")
    parser.add_argument("--seconds", type=float, default=900, help="no new kill after these")
    given = parser.parse_args()
    chance = random.Random(given.seed)
    with create_installation(given.postgres) as here:
        here.run("upgrade")
        for evening in range(given.evenings):
            print_step(f"evening {evening + 1} of {given.evenings}")
            words = ("--tables", str(given.tables), "--seed", str(evening + 1))
            here.run("stage", *words, "--without-deals")
        rows = json.loads(here.run("digest", "--json"))["rows"]
        file = str(here.folder / "here.backup")
        print_step("backup and restore")
        backed = here.measure("backup", "--to", file)
        size = Path(file).stat().st_size
        restored = here.measure("restore", file)
        wrong = kill_backups(here, chance, given, backed)
        wrong += kill_restores(here, file, chance, given)
        wrong += kill_upgrades(here, chance, given)
    found = {
        "database": "postgresql" if given.postgres else "sqlite",
        "rows": rows,
        "backup_seconds": round(backed, 2),
        "backup_bytes": size,
        "restore_seconds": round(restored, 2),
        "wrong": wrong,
    }
    print(json.dumps(found, indent=1))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
