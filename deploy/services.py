"""Wait until PostgreSQL and Redis respond, or exit with the name of the one that does not.

Local services that are not running are started if they are installed. Databases and queues left
by an interrupted test run are deleted.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import redis
from psycopg import sql

TIMEOUT_SECONDS = 20
RUNNERS = 3  # as many as Makefile and .ci/run start
RELEASE_DATABASES = "^test_overplay_brought_up_"  # databases of tests/releases/stored.py
HERE = {"127.0.0.1", "localhost", "::1"}
CLUSTERS = Path("/etc/postgresql")  # Debian's clusters, by version and name


def main() -> None:
    """Check both services named by the environment."""
    database, queue = os.environ["DATABASE_URL"], os.environ["REDIS_URL"]
    _wait("PostgreSQL", database, lambda: _ask_postgres(database), _start_postgres)
    _wait("Redis", queue, lambda: redis.Redis.from_url(queue).ping(), _start_redis)
    _drop_left_overs(database)
    for number in range(
        RUNNERS
    ):  # the Redis databases of the tests, numbered by tests/conftest.py
        redis.Redis.from_url(f"{queue.rpartition('/')[0]}/{number}").flushdb()


def _wait(
    name: str, url: str, ask: Callable[[], object], start: Callable[[int | None], None]
) -> None:
    end, parts, started = time.monotonic() + TIMEOUT_SECONDS, urlsplit(url), False
    while True:
        try:
            ask()
        except (psycopg.Error, redis.RedisError) as error:
            if time.monotonic() > end:
                sys.exit(
                    f"{name} does not answer at {parts.hostname}:{parts.port}: start it there, "
                    f"or set PGHOST, PGPORT, REDIS_URL. It said: {error}"
                )
            if not started and parts.hostname in HERE:
                start(parts.port)
                started = True
            time.sleep(0.5)
        else:
            return


def _start_redis(port: int | None) -> None:
    """Start a Redis without persistence."""
    nothing_kept = ("--save", "", "--appendonly", "no", "--dir", "/tmp")
    _start("redis-server", "--port", str(port or 6379), "--bind", "127.0.0.1", *nothing_kept)


def _start_postgres(_port: int | None) -> None:
    """Start all of Debian's clusters; their ports are in their settings."""
    for cluster in sorted(CLUSTERS.glob("*/*")):
        _start("pg_ctlcluster", "--skip-systemctl-redirect", *cluster.parts[-2:], "start")


def _start(program: str, *words: str) -> None:
    if shutil.which(program) is None:
        return
    sys.stderr.write(f"{program} stood still here and is started.\n")
    quiet = subprocess.DEVNULL
    subprocess.Popen((program, *words), stdout=quiet, stderr=quiet, start_new_session=True)


def _drop_left_overs(url: str) -> None:
    server, _, name = url.rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        kept = connection.execute(
            "SELECT datname FROM pg_database WHERE datname ~ %s", [RELEASE_DATABASES]
        )
        names = [f"test_{name}_gw{number}" for number in range(RUNNERS)]
        for left in map(sql.Identifier, names + [each for (each,) in kept.fetchall()]):
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(left))


def _ask_postgres(url: str) -> None:
    """Connect to the database that every server has; the tests create their own."""
    psycopg.connect(f"{url.rpartition('/')[0]}/postgres", connect_timeout=2).close()


if __name__ == "__main__":
    main()
