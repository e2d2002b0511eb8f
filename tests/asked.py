"""Which questions each test asks of a database: one run notes them, the next one chooses.

The run without services asks everything of SQLite. The run with them need not ask PostgreSQL
the same question a hundred times over: it takes, at the least cost, so many tests that each
question is asked `OFTEN` times (docs/testing.md, "The second run").
"""

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, wraps
from heapq import heapify, heappop, heappush
from pathlib import Path
from time import process_time
from typing import Any
from zlib import crc32

FOLDER = Path(__file__).resolve().parent.parent / ".pytest_cache" / "asked"
OFTEN = 2
"""How many tests ask a question of PostgreSQL, where there are so many that ask it."""
AT_LEAST = 0.03
"""Seconds that any test costs with the services, besides what it cost without them."""
WITH_BROWSER = 3
"""What a journey costs, times what it costs in our own process."""
SHORTER = [
    (re.compile(pattern), short)
    for pattern, short in (
        (r"\b\d+\b", "0"),
        (r"(?<= = )NULL\b", "%s"),
        (r"(?:%s, )+%s", "%s"),
        (r"(\([^()]*\))(?:(?:, | OR | AND )\1)+", r"\1"),
        (r"(WHEN \([^()]*\) THEN \S+)(?: \1)+", r"\1"),
    )
]
"""What makes the same question of one value and of many."""
OF_DJANGO = ("SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK TO", "PRAGMA", "BEGIN")
_now: set[int] = set()


@dataclass(frozen=True, slots=True)
class Asked:
    """What a test cost, in seconds of a processor, and the numbers of its questions."""

    cost: float
    questions: frozenset[int]


@cache
def question(sql: str) -> int:
    """The number of a question, whatever its values are and however many stand in a list."""
    for pattern, short in SHORTER:
        sql = pattern.sub(short, sql)
    return crc32(sql.encode())


def note_questions(put: Callable[[Any, str, Any], None] = setattr) -> None:
    """Note from now on what is asked, what of it is refused, and what PostgreSQL alone has.

    SQLite has no word for a lock, and keeps no plan: both are noted where they are asked for.
    """
    from django.db.backends.utils import CursorWrapper
    from django.db.models import QuerySet

    from server.prepared import _Plan

    for name in ("execute", "executemany"):
        put(CursorWrapper, name, _noting(getattr(CursorWrapper, name)))
    for kind, name, told in (
        (QuerySet, "select_for_update", _locked),
        (_Plan, "found_for", _kept),
    ):
        put(kind, name, _noting_besides(getattr(kind, name), told))


def _locked(rows: Any, how: Iterable[str]) -> str:
    return f"locked {sorted(how)}: {rows.model.__name__}"


def _kept(plan: Any, _how: Iterable[str]) -> str:
    """A question that is put into SQL once is told PostgreSQL once as well."""
    return f"kept{' and locked' if plan.locks else ''}: {plan.sql}"


def _noting(own: Callable[..., Any]) -> Callable[..., Any]:
    from django.db import DatabaseError

    @wraps(own)
    def execute(self: Any, sql: Any, *params: Any) -> Any:
        words = str(sql)
        if words.startswith(OF_DJANGO):
            return own(self, sql, *params)
        _now.add(question(words))
        try:
            return own(self, sql, *params)
        except DatabaseError:
            _now.add(question(f"refused: {words}"))
            raise

    return execute


def _noting_besides(
    own: Callable[..., Any], told: Callable[[Any, Iterable[str]], str]
) -> Callable[..., Any]:
    @wraps(own)
    def besides(self: Any, *how: Any, **more: Any) -> Any:
        _now.add(question(told(self, more)))
        return own(self, *how, **more)

    return besides


def begin() -> None:
    """Forget what an earlier run has noted."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)


@contextmanager
def noted(test: str, dear: bool) -> Iterator[None]:
    """Write down what a test asks and costs, when it is over; one with a browser is `dear`."""
    _now.clear()
    began = _processor()
    yield
    cost = (_processor() - began) * (WITH_BROWSER if dear else 1)
    line = json.dumps([test, cost, sorted(_now)])
    with (FOLDER / f"{os.getpid()}.jsonl").open("a") as file:
        file.write(f"{line}\n")


def _processor() -> float:
    """Seconds of a processor so far: our own, and those of programs that have ended."""
    programs = os.times()
    return process_time() + programs.children_user + programs.children_system


def note(place: int) -> None:
    """Note that the test at hand reaches a place, as it asks a question."""
    _now.add(place)


def read(folder: Path | None = None) -> dict[str, Asked]:
    """What the last run has noted, by the names of the tests; nothing where none has noted."""
    files = [file.read_text() for file in sorted((folder or FOLDER).glob("*.jsonl"))]
    lines = [json.loads(line) for text in files for line in text.splitlines()]
    return {test: Asked(cost, frozenset(questions)) for test, cost, questions in lines}


def chosen(tests: Mapping[str, Asked], besides: Iterable[Asked] = ()) -> set[str]:
    """So many of the tests that each question is asked `OFTEN` times, where so many ask it.

    The next is always the one with the most questions that are still to be asked for what it
    costs. What is asked `besides`, by tests that run in any case, need not be asked again.
    """
    lacking = {each: min(OFTEN, times) for each, times in _times(tests.values()).items()}
    for each, times in _times(besides).items():
        lacking[each] = max(0, lacking.get(each, 0) - times)
    found = set()

    def worth(test: str) -> float:
        new = sum(lacking[each] > 0 for each in tests[test].questions)
        return new / (tests[test].cost + AT_LEAST)

    for test in best_first(tests, worth):
        found.add(test)
        for each in tests[test].questions:
            lacking[each] -= lacking[each] > 0
    return found


def best_first(
    tests: Iterable[str], worth: Callable[[str], float], at_least: float = 0
) -> Iterator[str]:
    """Each time the test that is worth most by now, while one is worth more than `at_least`.

    What a test is worth only ever falls, as others are taken, so one that is still worth as
    much as the next one was before is the best of all.
    """
    waiting = [(-worth(test), test) for test in tests]
    heapify(waiting)
    while waiting:
        _, test = heappop(waiting)
        now = worth(test)
        if waiting and -now > waiting[0][0]:
            heappush(waiting, (-now, test))
        elif now > at_least:
            yield test


def _times(tests: Iterable[Asked]) -> Counter[int]:
    return Counter(each for test in tests for each in test.questions)
