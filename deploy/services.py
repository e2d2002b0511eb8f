"""Waits until PostgreSQL and Redis answer, or says which one does not and ends in failure.

Databases and queues that a test run left behind when it was broken off are taken away.
"""

import os
import sys
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import psycopg
import redis
from psycopg import sql

PATIENCE = 20  # seconds
RUNNERS = 3  # as Makefile and .ci/run start them


def main() -> None:
    """Ask both services that the environment names."""
    database, queue = os.environ["DATABASE_URL"], os.environ["REDIS_URL"]
    _wait("PostgreSQL", database, lambda: _ask_postgres(database))
    _wait("Redis", queue, lambda: redis.Redis.from_url(queue).ping())
    _drop_left_overs(database)
    for number in range(RUNNERS):  # the tests' own, as tests/conftest.py numbers them
        redis.Redis.from_url(f"{queue.rpartition('/')[0]}/{number}").flushdb()


def _wait(name: str, url: str, ask: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            ask()
        except (psycopg.Error, redis.RedisError) as error:
            if time.monotonic() > end:
                parts = urlsplit(url)
                sys.exit(
                    f"{name} does not answer at {parts.hostname}:{parts.port}: start it there, "
                    f"or set PGHOST, PGPORT, REDIS_URL. It said: {error}"
                )
            time.sleep(0.5)
        else:
            return


def _drop_left_overs(url: str) -> None:
    server, _, name = url.rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        for number in range(RUNNERS):
            left = sql.Identifier(f"test_{name}_gw{number}")
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(left))


def _ask_postgres(url: str) -> None:
    """Connect to the database that every server has; the tests make their own."""
    psycopg.connect(f"{url.rpartition('/')[0]}/postgres", connect_timeout=2).close()


if __name__ == "__main__":
    main()
