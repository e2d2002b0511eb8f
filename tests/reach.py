"""What of the program each test reaches, and which tests that leaves to a release.

The whole suite takes too long for every change. So one run, made by hand, notes of each test
what it reaches: lines of the program, pieces of its pages and of its scripts, questions to a
database. `python -m tests.reach` then chooses what each change is asked, and writes down what
waits for a release (`tests/parts.py`; docs/testing.md, "What each change is asked").
"""

import os
import shutil
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache, wraps
from itertools import takewhile
from math import inf
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from tests import asked, parts
from tests.rooms import PROGRAM

FOLDER = Path(__file__).resolve().parent.parent / ".pytest_cache" / "reach"
CHEAP = 0.02
"""Seconds of a processor up to which a test is asked at each change, whatever it reaches."""
FEWEST = 60
"""How many places a second that nothing else reaches are worth asking a test for."""
SHARES = {
    "tests/browser/test_evening.py": inf,
    "tests/browser/test_key_pictures.py": inf,
    "tests/browser/": 0.2,
    "tests/house/": inf,
    "": 0.13,
}
"""How much of what a part of the suite costs each change may cost; the first that fits counts.

A browser sees what no line tells: how a page looks, what is in its way, where one is on it. So
journeys are chosen among themselves, but for an evening from its beginning to its end, and the
look of the key pages. And the rules of the house hold for each line.
"""
AT_LEAST = 0.012
"""Seconds that any test costs besides its own, for being set up and told of."""
AGAIN = 0.25
"""What it is worth to reach a place once more, by what it was worth the time before."""
OWN_WORDS = 60
"""How many places a test function is worth, for what it asks of those that it reaches."""
SETTINGS = """[run]
data_file = {folder}/coverage
source = {rooms}
omit = */migrations/*
context = ${{REACHED_BY-}}
parallel = true
sigterm = true
"""
FIRST_OF_FILE, LINES_OF_FILE, NEARER = 1 << 32, 1 << 14, 1 << 48
"""Numbers of lines. One that a test of its own room or folder reaches is another place besides:
such a test is about it, and others only pass it by."""


@dataclass(frozen=True, slots=True)
class Reached:
    """What a test cost, in seconds of a processor, and the numbers of the places it reached."""

    cost: float
    places: Any  # of whole numbers, in order, none twice


def begin() -> None:
    """Forget what an earlier run has noted."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)


class Noting:
    """Notes what is reached, in the process that begins it, until its end."""

    def __init__(self) -> None:
        from coverage import Coverage
        from django.template.base import Node
        from playwright.sync_api import BrowserContext, Page

        asked.FOLDER = FOLDER
        settings = FOLDER / "settings.ini"
        settings.write_text(SETTINGS.format(folder=FOLDER, rooms=", ".join(PROGRAM)))
        self.lines = Coverage(config_file=str(settings), data_suffix=True, messages=False)
        self.lines.start()
        os.environ["COVERAGE_PROCESS_START"] = str(settings)  # the programs that a test starts
        _wrapped(Node, "render_annotated", before=_drawn)
        _wrapped(BrowserContext, "new_page", after=_watched)
        _wrapped(BrowserContext, "close", before=lambda context: [*map(_ran, context.pages)])
        _wrapped(Page, "close", before=_ran)
        _wrapped(Page, "goto", before=_ran)

    def begin_test(self, test: str) -> None:
        os.environ["REACHED_BY"] = test
        self.lines.switch_context(test)

    def end(self) -> None:
        self.lines.stop()
        self.lines.save()


def _wrapped(
    kind: type,
    name: str,
    before: Callable[[Any], object] = id,
    after: Callable[[Any], object] = id,
) -> None:
    own = getattr(kind, name)

    @wraps(own)
    def act(self: Any, *how: Any, **more: Any) -> Any:
        before(self)
        found = own(self, *how, **more)
        after(found)
        return found

    setattr(kind, name, act)


def _drawn(node: Any) -> None:
    if node.token is not None:
        asked.note(_place(node.origin.name, node.token.lineno, type(node).__name__))


_profilers: dict[Any, Any] = {}


def _watched(page: Any) -> None:
    session = _profilers[page] = page.context.new_cdp_session(page)
    session.send("Profiler.enable")
    session.send("Profiler.startPreciseCoverage", {"callCount": False, "detailed": True})


def _ran(page: Any) -> None:
    if page in _profilers and not page.is_closed():
        _note_scripts(_profilers[page].send("Profiler.takePreciseCoverage")["result"])


def _note_scripts(scripts: list[dict[str, Any]]) -> None:
    """Note the pieces of our scripts that have run, as the browser tells them."""
    for script in scripts:
        name = script["url"].partition("/static/")[2].partition("?")[0]
        for function in script["functions"] if name else ():
            for span in function["ranges"]:
                if span["count"]:
                    asked.note(_place(name, span["startOffset"], str(span["endOffset"])))


@cache
def _place(name: str, where: int, what: str) -> int:
    return crc32(f"{name}:{where}:{what}".encode())


def read() -> dict[str, Reached]:
    """What the last run has noted, by the names of the tests."""
    cost, found = {}, defaultdict(list)
    for test, each in asked.read(FOLDER).items():
        cost[test] = each.cost
        found[test].append(np.fromiter(each.questions, dtype=np.int64))
    for test, places in _lines():
        if test in cost:
            found[test].append(places)
    every = {test: np.unique(np.concatenate(found[test])) for test in cost}
    known = np.unique(np.concatenate([*every.values(), np.empty(0, dtype=np.int64)]))
    return {
        test: Reached(cost[test], np.searchsorted(known, places))
        for test, places in every.items()
    }


def _lines() -> Iterator[tuple[str, Any]]:
    """Each test with the lines of one file, by the files that `coverage` describes."""
    numbers: dict[str, int] = {}
    home = f"{FOLDER.parents[1]}/"
    asking = (
        "SELECT context.context, file.path, numbits FROM line_bits"
        " JOIN context ON context.id = context_id JOIN file ON file.id = file_id"
    )
    for noted in sorted(FOLDER.glob("coverage.*")):
        with closing(sqlite3.connect(noted)) as database:
            for test, path, bits in database.execute(asking):
                first = FIRST_OF_FILE + LINES_OF_FILE * numbers.setdefault(path, len(numbers))
                of_bytes = np.frombuffer(bits, dtype=np.uint8)
                found = first + np.flatnonzero(np.unpackbits(of_bytes, bitorder="little"))
                for depth in range(1 + _near(test, path.removeprefix(home))):
                    yield test, found + depth * NEARER


def _near(test: str, source: str) -> int:
    """How many folders a test shares with what it reaches: its room, a folder in it."""
    pairs = zip(parts.table_of(test).split("/")[1:-1], source.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def chosen(tests: Mapping[str, Reached], share: float) -> set[str]:
    """What each change is asked: whatever is cheap, and whatever alone reaches many places.

    Of the rest as much as may be had for the `share` of all costs: first what asks most that
    was asked least, of a test function as of a place, for what it costs.
    """
    choice = _Choice(tests)
    for test, each in tests.items():
        if each.cost <= CHEAP:
            choice.take(test)
    choice.fill(choice.new_places, at_least=FEWEST)
    choice.fill(choice.worth, most=share * sum(each.cost for each in tests.values()))
    return choice.taken


class _Choice:
    """What is taken so far, what it costs, and how often it reaches each place."""

    def __init__(self, tests: Mapping[str, Reached]) -> None:
        self.tests, self.taken, self.cost = tests, set[str](), 0.0
        last = max((int(each.places.max(initial=-1)) for each in tests.values()), default=-1)
        self.value = np.ones(last + 1)
        self.rows: Counter[str] = Counter()

    def take(self, test: str) -> None:
        self.taken.add(test)
        self.cost += self.tests[test].cost
        self.value[self.tests[test].places] *= AGAIN
        self.rows[parts.table_of(test)] += 1

    def new_places(self, test: str) -> float:
        each = self.tests[test]
        return float((self.value[each.places] == 1).sum()) / (each.cost + AT_LEAST)

    def worth(self, test: str) -> float:
        each = self.tests[test]
        own = OWN_WORDS * AGAIN ** self.rows[parts.table_of(test)]
        return float(self.value[each.places].sum() + own) / (each.cost + AT_LEAST)

    def fill(
        self, worth: Callable[[str], float], at_least: float = 0, most: float = inf
    ) -> None:
        """Take what is worth most, until none is worth `at_least`, or `most` is spent."""
        waiting = [test for test in self.tests if test not in self.taken]
        for test in asked.best_first(waiting, worth, at_least):
            if self.cost >= most:
                return
            self.take(test)


def main() -> None:
    """Choose by what was noted, write down what waits, and say how much that is."""
    parted: dict[str, dict[str, Reached]] = {part: {} for part in SHARES}
    for test, each in read().items():
        parted[next(part for part in SHARES if test.startswith(part))][test] = each
    waiting = set[str]()
    for part, tests in parted.items():
        now = chosen(tests, SHARES[part])
        waiting |= set(tests) - now
        costs = [round(sum(tests[test].cost for test in some)) for some in (now, tests)]
        print(f"{part or 'others'}: {len(now)} of {len(tests)}, {costs[0]} of {costs[1]} s")  # noqa: T201 - the command's answer
    parts.write(waiting, set().union(*parted.values()))


if __name__ == "__main__":
    main()
