"""Wait until PostgreSQL and Redis respond, and prepare them for a test run.

If a service does not respond, the script exits with its name. Installed local services are
started if necessary. Databases and queues left by an interrupted test run are deleted.
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
TEST_RUNNER_COUNT = 3  # the number of parallel tests in Makefile and .ci/run
RELEASE_DATABASE_PATTERN = (
    "^test_overplay_brought_up_"  # databases that tests/releases/stored.py creates
)
LOCAL_HOSTS = {"127.0.0.1", "localhost", "::1"}
CLUSTERS_FOLDER = Path("/etc/postgresql")  # Debian's clusters, by version and name


def main() -> None:
    """Wait for the services named in the environment."""
    database_url, redis_url = os.environ["DATABASE_URL"], os.environ["REDIS_URL"]
    _wait_for_service(
        "PostgreSQL", database_url, lambda: _check_postgres(database_url), _start_postgres
    )
    _wait_for_service(
        "Redis", redis_url, lambda: redis.Redis.from_url(redis_url).ping(), _start_redis
    )
    _drop_leftover_databases(database_url)
    # Each test process uses the Redis database that tests/conftest.py numbers for it.
    for database_index in range(TEST_RUNNER_COUNT):
        redis.Redis.from_url(f"{redis_url.rpartition('/')[0]}/{database_index}").flushdb()


def _wait_for_service(
    name: str,
    url: str,
    check_service: Callable[[], object],
    start_service: Callable[[int | None], None],
) -> None:
    deadline, url_parts, was_started = time.monotonic() + TIMEOUT_SECONDS, urlsplit(url), False
    while True:
        try:
            check_service()
        except (psycopg.Error, redis.RedisError) as error:
            if time.monotonic() > deadline:
                sys.exit(
                    f"{name} does not answer at {url_parts.hostname}:{url_parts.port}: "
                    f"start it there, or set PGHOST, PGPORT, REDIS_URL. It said: {error}"
                )
            if not was_started and url_parts.hostname in LOCAL_HOSTS:
                start_service(url_parts.port)
                was_started = True
            time.sleep(0.5)
        else:
            return


def _start_redis(port: int | None) -> None:
    """Start a Redis server without persistence."""
    no_persistence_options = ("--save", "", "--appendonly", "no", "--dir", "/tmp")
    _start_program(
        "redis-server",
        "--port",
        str(port or 6379),
        "--bind",
        "127.0.0.1",
        *no_persistence_options,
    )


def _start_postgres(_port: int | None) -> None:
    """Start all Debian clusters; their ports are in their settings."""
    for cluster in sorted(CLUSTERS_FOLDER.glob("*/*")):
        _start_program(
            "pg_ctlcluster", "--skip-systemctl-redirect", *cluster.parts[-2:], "start"
        )


def _start_program(program_name: str, *arguments: str) -> None:
    if shutil.which(program_name) is None:
        return
    sys.stderr.write(f"{program_name} stood still here and is started.\n")
    no_output = subprocess.DEVNULL
    subprocess.Popen(
        (program_name, *arguments), stdout=no_output, stderr=no_output, start_new_session=True
    )


def _drop_leftover_databases(url: str) -> None:
    server_url, _slash, database_name = url.rpartition("/")
    with psycopg.connect(f"{server_url}/postgres", autocommit=True) as connection:
        leftover_rows = connection.execute(
            "SELECT datname FROM pg_database WHERE datname ~ %s", [RELEASE_DATABASE_PATTERN]
        )
        database_names = [
            f"test_{database_name}_gw{runner_index}"
            for runner_index in range(TEST_RUNNER_COUNT)
        ]
        for identifier in map(
            sql.Identifier,
            database_names + [leftover_name for (leftover_name,) in leftover_rows.fetchall()],
        ):
            connection.execute(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(identifier)
            )


def _check_postgres(url: str) -> None:
    """Connect to the database `postgres`, which every server has."""
    psycopg.connect(f"{url.rpartition('/')[0]}/postgres", connect_timeout=2).close()


if __name__ == "__main__":
    main()
