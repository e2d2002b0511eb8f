"""Waits until PostgreSQL and Redis answer, or says which one does not and ends in failure."""

import os
import sys
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import psycopg
import redis

PATIENCE = 20  # seconds


def main() -> None:
    """Ask both services that the environment names."""
    database, queue = os.environ["DATABASE_URL"], os.environ["REDIS_URL"]
    _wait("PostgreSQL", database, lambda: _ask_postgres(database))
    _wait("Redis", queue, lambda: redis.Redis.from_url(queue).ping())


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


def _ask_postgres(url: str) -> None:
    """Connect to the database that every server has; the tests make their own."""
    psycopg.connect(f"{url.rpartition('/')[0]}/postgres", connect_timeout=2).close()


if __name__ == "__main__":
    main()
