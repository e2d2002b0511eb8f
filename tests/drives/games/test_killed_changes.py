"""A change of a points table computes 1,280 hands again: all of them, or none.

One test kills the process at seeded moments, another fails each single write in turn.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from clubs.models import Act
from drives.models import Drive, Round, Sheet, SheetVersion
from drives.services import change_points
from tests.databases import build_sqlite_settings, use_database
from tests.drives.games.test_hand_services import begin_drive

ROOT = Path(__file__).resolve().parents[3]
TABLES, HAND_COUNT, KILL_COUNT = 80, 16, 8
MISERE = {"contract": "misere", "by": [2], "made": [True]}
OLD_SCORE, NEW_SCORE = [-7, 21, -7, -7], [-10, 30, -10, -10]
HOUSE_RULES = {"contracts": {"misere": {"made": [10]}}}
CHANGE_SCRIPT = f"""
import django
django.setup()
from drives.models import Drive
from drives.services import change_points
drive = Drive.objects.get()
print("ready", flush=True)
change_points(drive=drive, custom=None, house={HOUSE_RULES}, by=None)
print("done", flush=True)
"""
"""The program of the child process, which changes the table of the only drive."""


def enter_hands(drive: Drive, hand_count: int) -> None:
    """Give every table of the first round a made misère in each hand."""
    round_ = Round.objects.get(drive=drive, number=1)
    tables = sorted(set(round_.seats.values_list("table", flat=True)))
    sheets = Sheet.objects.bulk_create(
        Sheet(round=round_, table=table, hand=hand, score=OLD_SCORE, contract=MISERE)
        for table in tables
        for hand in range(1, hand_count + 1)
    )
    SheetVersion.objects.bulk_create(
        SheetVersion(sheet=each, score=OLD_SCORE, contract=MISERE, entered_at=drive.created_at)
        for each in sheets
    )


def read_changed_state() -> list[Any]:
    """Return everything that the change writes."""
    drive = Drive.objects.get()
    scores = Sheet.objects.order_by("pk").values_list("score", flat=True)
    counts = [SheetVersion.objects.count(), Act.objects.filter(action="drive.points").count()]
    return [drive.score, drive.revision, *counts, *scores]


@contextmanager
def fail_nth_write(write_number: int) -> Iterator[list[str]]:
    """Fail the write with this number, from 1; yield the list of all writes so far."""
    writes: list[str] = []

    def execute(run: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            writes.append(sql)
            if len(writes) == write_number:
                raise DatabaseError("the disk is full")
        return run(sql, *arguments)

    with connection.execute_wrapper(execute):
        yield writes


@pytest.mark.django_db
def test_no_single_write_of_a_change_can_fail_halfway() -> None:
    drive = begin_drive(hands=HAND_COUNT, size=24)
    enter_hands(drive, HAND_COUNT)
    state_before, number = read_changed_state(), 0
    while True:
        number += 1
        try:
            with fail_nth_write(number) as writes, transaction.atomic():
                change_points(drive=drive, custom=None, house=HOUSE_RULES, by=None)
        except DatabaseError:
            assert read_changed_state() == state_before, writes[-1]
        else:
            break
    assert number > len({"drive", "sheets", "versions", "revision", "act"})
    assert read_changed_state()[4:] == [NEW_SCORE] * 6 * HAND_COUNT


@pytest.mark.slow
def test_a_killed_change_of_1280_hands_is_complete_or_has_no_effect(
    tmp_path: Path, empty_database_file: Path, django_db_blocker: Any
) -> None:
    whole, working_file = tmp_path / "whole.sqlite3", tmp_path / "overplay.sqlite3"
    shutil.copy(empty_database_file, whole)
    with django_db_blocker.unblock(), use_database(build_sqlite_settings(whole)):
        drive = begin_drive(hands=HAND_COUNT, size=4 * TABLES)
        enter_hands(drive, HAND_COUNT)
        before = read_changed_state()
    with django_db_blocker.unblock():
        seconds, state_after = change_in_child(whole, working_file)
    assert state_after[4:] == [NEW_SCORE] * TABLES * HAND_COUNT
    rng, outcomes = random.Random(39), []
    for _kill in range(KILL_COUNT):
        moment = rng.uniform(0, seconds * 1.05)
        with django_db_blocker.unblock():
            _seconds, found_state = change_in_child(whole, working_file, moment)
        outcomes.append(found_state == state_after)
        assert found_state in (before, state_after), moment
    print(f"\n{KILL_COUNT} kills within {seconds:.2f} s, changed: {sum(outcomes)}")  # noqa: T201 - the measured kills
    assert not all(outcomes)


def change_in_child(whole: Path, copy: Path, moment: float | None = None) -> tuple[float, Any]:
    """Change the table in a process, killed at a moment; return its seconds and the rows."""
    for old in copy.parent.glob(f"{copy.name}*"):
        old.unlink()
    shutil.copy(whole, copy)
    environ = os.environ | {"DATABASE_URL": f"sqlite:///{copy}", "DATA_DIR": str(copy.parent)}
    with subprocess.Popen(
        [sys.executable, "-c", CHANGE_SCRIPT],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        started_at = time.monotonic()
        if moment is not None:
            time.sleep(moment)
            child.send_signal(signal.SIGKILL)
        else:
            assert child.stdout.readline() == "done\n"
        seconds = time.monotonic() - started_at
    with use_database(build_sqlite_settings(copy)):
        return seconds, read_changed_state()
