"""Wait until PostgreSQL and Redis respond; exit with the name of one that does not.

Installed local services are started if necessary. Databases and queues left by an interrupted
test run are deleted.
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
TEST_RUNNERS = 3  # the number of parallel tests in Makefile and .ci/run
RELEASE_DATABASE_PATTERN = (
    "^test_overplay_brought_up_"  # databases that tests/releases/stored.py creates
)
LOCAL_HOSTS = {"127.0.0.1", "localhost", "::1"}
CLUSTERS_FOLDER = Path("/etc/postgresql")  # Debian's clusters, by version and name


def main() -> None:
    """Wait for the services named in the environment."""
    database, queue = os.environ["DATABASE_URL"], os.environ["REDIS_URL"]
    _wait_for_service("PostgreSQL", database, lambda: _test_postgres(database), _start_postgres)
    _wait_for_service("Redis", queue, lambda: redis.Redis.from_url(queue).ping(), _start_redis)
    _drop_leftovers(database)
    for number in range(
        TEST_RUNNERS
    ):  # the Redis databases of the tests, numbered by tests/conftest.py
        redis.Redis.from_url(f"{queue.rpartition('/')[0]}/{number}").flushdb()


def _wait_for_service(
    name: str, url: str, check: Callable[[], object], start: Callable[[int | None], None]
) -> None:
    end, parts, was_started = time.monotonic() + TIMEOUT_SECONDS, urlsplit(url), False
    while True:
        try:
            check()
        except (psycopg.Error, redis.RedisError) as error:
            if time.monotonic() > end:
                sys.exit(
                    f"{name} does not answer at {parts.hostname}:{parts.port}: start it there, "
                    f"or set PGHOST, PGPORT, REDIS_URL. It said: {error}"
                )
            if not was_started and parts.hostname in LOCAL_HOSTS:
                start(parts.port)
                was_started = True
            time.sleep(0.5)
        else:
            return


def _start_redis(port: int | None) -> None:
    """Start a Redis server without persistence."""
    nothing_kept = ("--save", "", "--appendonly", "no", "--dir", "/tmp")
    _start_program(
        "redis-server", "--port", str(port or 6379), "--bind", "127.0.0.1", *nothing_kept
    )


def _start_postgres(_port: int | None) -> None:
    """Start all Debian clusters; their ports are in their settings."""
    for cluster in sorted(CLUSTERS_FOLDER.glob("*/*")):
        _start_program(
            "pg_ctlcluster", "--skip-systemctl-redirect", *cluster.parts[-2:], "start"
        )


def _start_program(program: str, *arguments: str) -> None:
    if shutil.which(program) is None:
        return
    sys.stderr.write(f"{program} stood still here and is started.\n")
    quiet = subprocess.DEVNULL
    subprocess.Popen((program, *arguments), stdout=quiet, stderr=quiet, start_new_session=True)


def _drop_leftovers(url: str) -> None:
    server, _, name = url.rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        leftover_rows = connection.execute(
            "SELECT datname FROM pg_database WHERE datname ~ %s", [RELEASE_DATABASE_PATTERN]
        )
        names = [f"test_{name}_gw{number}" for number in range(TEST_RUNNERS)]
        for database in map(
            sql.Identifier, names + [item for (item,) in leftover_rows.fetchall()]
        ):
            connection.execute(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(database)
            )


def _test_postgres(url: str) -> None:
    """Connect to the database `postgres`, which every server has."""
    psycopg.connect(f"{url.rpartition('/')[0]}/postgres", connect_timeout=2).close()


if __name__ == "__main__":
    main()
