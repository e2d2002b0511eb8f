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
TABLES, HANDS, KILLS = 80, 16, 8
MISERE = {"contract": "misere", "by": [2], "made": [True]}
OLD, NEW = [-7, 21, -7, -7], [-10, 30, -10, -10]
HOUSE = {"contracts": {"misere": {"made": [10]}}}
CHANGE = f"""
import django
django.setup()
from drives.models import Drive
from drives.services import change_points
drive = Drive.objects.get()
print("ready", flush=True)
change_points(drive=drive, custom=None, house={HOUSE}, by=None)
print("done", flush=True)
"""
"""The program of the child process, which changes the table of the only drive."""


def enter_hands(drive: Drive, hands: int) -> None:
    """Give every table of the first round a made misère in each hand."""
    round_ = Round.objects.get(drive=drive, number=1)
    tables = sorted(set(round_.seats.values_list("table", flat=True)))
    sheets = Sheet.objects.bulk_create(
        Sheet(round=round_, table=table, hand=hand, score=OLD, contract=MISERE)
        for table in tables
        for hand in range(1, hands + 1)
    )
    SheetVersion.objects.bulk_create(
        SheetVersion(sheet=each, score=OLD, contract=MISERE, entered_at=drive.created_at)
        for each in sheets
    )


def read_scores() -> list[Any]:
    """Return everything that the change writes."""
    drive = Drive.objects.get()
    scores = Sheet.objects.order_by("pk").values_list("score", flat=True)
    counts = [SheetVersion.objects.count(), Act.objects.filter(action="drive.points").count()]
    return [drive.score, drive.revision, *counts, *scores]


@contextmanager
def failing_write(number: int) -> Iterator[list[str]]:
    """Fail the write with this number, from 1; yield the list of all writes so far."""
    writes: list[str] = []

    def execute(run: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            writes.append(sql)
            if len(writes) == number:
                raise DatabaseError("the disk is full")
        return run(sql, *arguments)

    with connection.execute_wrapper(execute):
        yield writes


@pytest.mark.django_db
def test_no_single_write_of_a_change_can_fail_halfway() -> None:
    drive = begin_drive(hands=HANDS, size=24)
    enter_hands(drive, HANDS)
    before, number = read_scores(), 0
    while True:
        number += 1
        try:
            with failing_write(number) as writes, transaction.atomic():
                change_points(drive=drive, custom=None, house=HOUSE, by=None)
        except DatabaseError:
            assert read_scores() == before, writes[-1]
        else:
            break
    assert number > len({"drive", "sheets", "versions", "revision", "act"})
    assert read_scores()[4:] == [NEW] * 6 * HANDS


@pytest.mark.slow
def test_a_killed_change_of_1280_hands_has_happened_or_not(
    tmp_path: Path, empty_database_file: Path, django_db_blocker: Any
) -> None:
    whole, broken = tmp_path / "whole.sqlite3", tmp_path / "overplay.sqlite3"
    shutil.copy(empty_database_file, whole)
    with django_db_blocker.unblock(), use_database(build_sqlite_settings(whole)):
        drive = begin_drive(hands=HANDS, size=4 * TABLES)
        enter_hands(drive, HANDS)
        before = read_scores()
    with django_db_blocker.unblock():
        seconds, after = change_in_child(whole, broken)
    assert after[4:] == [NEW] * TABLES * HANDS
    rng, outcomes = random.Random(39), []
    for _kill in range(KILLS):
        moment = rng.uniform(0, seconds * 1.05)
        with django_db_blocker.unblock():
            _seconds, found = change_in_child(whole, broken, moment)
        outcomes.append(found == after)
        assert found in (before, after), moment
    print(f"\n{KILLS} kills within {seconds:.2f} s, changed: {sum(outcomes)}")  # noqa: T201 - the measured kills
    assert not all(outcomes)


def change_in_child(whole: Path, copy: Path, moment: float | None = None) -> tuple[float, Any]:
    """Change the table in a process, killed at a moment; return its seconds and the rows."""
    for old in copy.parent.glob(f"{copy.name}*"):
        old.unlink()
    shutil.copy(whole, copy)
    environ = os.environ | {"DATABASE_URL": f"sqlite:///{copy}", "DATA_DIR": str(copy.parent)}
    with subprocess.Popen(
        [sys.executable, "-c", CHANGE], cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True
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
        return seconds, read_scores()
