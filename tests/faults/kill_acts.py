"""Kill an act at each of its steps, in children of a process without threads.

A step is the moment before a write, before a commit, or after a commit. After a kill, the rows
must be those from before the act, or those of the whole act after its commit.
"""

import os
import secrets
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from random import Random
from unittest.mock import patch

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import connection, connections, transaction
from django.utils import timezone

from server.models import User
from tests.faults.cases import CASES
from tests.faults.write_faults import WriteCounter, list_changed_tables, read_all_rows
from tests.releases.chance import fix_clock_and_secrets

MAX_STEPS = 2000
MIN_STEPS = len(["before a write", "before the commit", "after the commit"])
CHILD_NAME = "killed act"
"""The name that PostgreSQL shows for the connections of children."""
BACKEND_END_SECONDS = 10
PRESERVED_TABLES = {"django_migrations", "django_content_type", "auth_permission"}
Act = Callable[[], object]


@contextmanager
def kill_at_step(step: int) -> Iterator[None]:
    """Kill this process at a step, counted from 1."""
    steps_done = 0

    def pass_step(_number: int = 0) -> None:
        nonlocal steps_done
        steps_done += 1
        if steps_done == step:
            os.kill(os.getpid(), signal.SIGKILL)

    original_commit = connection.commit

    def commit_between_steps() -> None:
        pass_step()
        original_commit()
        pass_step()

    with (
        connection.execute_wrapper(WriteCounter(before_write=pass_step)),
        patch.object(connection, "commit", commit_between_steps),
    ):
        yield


def perform_with_kill(act: Act, step: int, moment: datetime) -> bool:
    """Perform an act in a child that is killed at a step; return False if it had no such step.

    The clock starts at the same moment in each child, and the random numbers are the same.
    """
    connections.close_all()
    child_pid = os.fork()
    if not child_pid:
        _perform_and_exit(act, step, moment)
    _child_pid, status = os.waitpid(child_pid, 0)
    _wait_for_rollback()
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0, f"The act failed with a kill at step {step}."
    return False


def _perform_and_exit(act: Act, step: int, moment: datetime) -> None:
    os.environ["PGAPPNAME"] = CHILD_NAME
    try:
        with (
            fix_clock_and_secrets(moment, seed="1"),
            patch.object(os, "urandom", Random(1).randbytes),  # for uuid4
            patch.object(secrets, "randbelow", Random(1).randrange),
            patch.object(time, "time", moment.timestamp),
            kill_at_step(step),
        ):
            act()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _wait_for_rollback() -> None:
    """Wait until PostgreSQL has ended the transaction of a killed child."""
    deadline = time.monotonic() + BACKEND_END_SECONDS
    while connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity "
                "WHERE application_name = %s AND datname = current_database()",
                [CHILD_NAME],
            )
            if cursor.fetchone() == (0,):
                return
        assert time.monotonic() < deadline, "The connection of a killed child is still open."
        time.sleep(0.005)


def kill_at_every_step(name: str) -> int:
    """Kill an act at each step until its changes are committed; return the number of kills.

    Each try continues with the rows that the previous one left. At the end, the rows after the
    commit are compared with those after the same act without a kill: on SQLite all values, on
    PostgreSQL only their number, since it does not use the keys of a failed act again.
    """
    act = CASES[name]()
    moment, rows_before, copy = timezone.now(), read_all_rows(), copy_database()
    for step in range(1, MAX_STEPS):
        was_killed = perform_with_kill(act, step, moment)
        rows = read_all_rows()
        if list_changed_tables(rows_before, rows):
            break
        assert was_killed, "The act changed nothing."
    assert was_killed, "The process was not killed after the commit."
    assert step >= MIN_STEPS
    User.objects.create(username="next")
    if copy is not None:
        connections.close_all()
        shutil.copyfile(copy, connection.settings_dict["NAME"])
    else:
        empty_database()
        act, moment = CASES[name](), timezone.now()
    assert not perform_with_kill(act, MAX_STEPS, moment)
    complete_rows = read_all_rows()
    changed_tables = [
        table
        for table in rows
        if len(rows[table]) != len(complete_rows[table])
        or (copy is not None and rows[table] != complete_rows[table])
    ]
    assert changed_tables == [], f"{changed_tables} differ from the act without a kill."
    return step


def copy_database() -> Path | None:
    """Copy the SQLite file; return None on PostgreSQL."""
    connections.close_all()
    if connection.vendor != "sqlite":
        return None
    path = Path(connection.settings_dict["NAME"])
    return Path(shutil.copyfile(path, path.with_suffix(".before")))


def empty_database() -> None:
    """Delete all rows of the previous act, and everything cached about them.

    Foreign keys are checked at the end of the transaction, so that the order does not matter.
    PostgreSQL takes a second to truncate all tables.
    """
    tables = set(connection.introspection.django_table_names()) - PRESERVED_TABLES
    with transaction.atomic(), connection.cursor() as cursor:
        for table in sorted(tables):
            cursor.execute(f'DELETE FROM "{table}"')
    ContentType.objects.clear_cache()
    cache.clear()


def main() -> None:
    """Kill the acts named on the command line, and print the number of kills of each."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    if connection.vendor == "sqlite":
        options = connection.settings_dict["OPTIONS"]
        options["init_command"] += "; PRAGMA synchronous=OFF"
    for name in sys.argv[1:]:
        try:
            kill_count = kill_at_every_step(name)
        except AssertionError as error:
            sys.exit(f"{name}: {error}")
        print(f"{kill_count} kills: {name}", flush=True)  # noqa: T201 - the result
        empty_database()
