"""Every schedule, its balance, the advice for every field, and the draw: what each takes.

Run by hand: `python -m bench.movements`, some minutes; `--only schedule balance` measures no
more than that, `--json` prints every figure as data. Processor time, the best of three. Before
each turn all that the program keeps is thrown away, so a schedule is built from nothing; advice
is cold in a process of its own in which everything is imported and nothing was asked, and warm
where the same was asked just before. Advice is told as programs get it: every line of the list
with all its words, not only its rank. Beside each stands a bare loop that writes as many rows
of seats. Prints the slowest of each system, and ends with 1 where a goal is missed.
"""

import argparse
import json
import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from server.memory import settle

TIMES = 3
EVENING = 13  # rounds
LARGEST = 400  # sizes that are tried: far above what any system fits
GOALS = {
    "schedule": 20,
    "one winner": 100,
    "balance": 40,
    "advice cold": 100,
    "advice warm": 20,
    "draw of 60": 300,
    "draw of 200": 3_000,
}
"""Milliseconds that none may take."""
FIELDS = {
    "pairs": range(4, 61),
    "pairs, one winner": range(4, 61),
    "players": range(8, 101),
    "teams": range(2, 41),
}
DRAWS = {60: "draw of 60", 200: "draw of 200"}
PLAYED = (0, 1, 5, 11)  # rounds before the draw


@dataclass(frozen=True)
class Figure:
    """What one thing took, and a bare loop over as many rows; in milliseconds."""

    kind: str
    system: str
    what: str
    rows: int
    taken: float
    bare: float

    @property
    def ratio(self) -> float:
        """How many bare loops it is."""
        return self.taken / self.bare


def main() -> None:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=sorted(PARTS), default=list(PARTS))
    parser.add_argument("--json", action="store_true", help="every figure as data")
    wanted = parser.parse_args()
    settle()  # as the program does when it has started
    figures = [figure for part in wanted.only for figure in PARTS[part]()]
    if wanted.json:
        print(json.dumps([asdict(each) for each in figures], indent=1))
    else:
        _print(figures)
    sys.exit(any(each.taken >= GOALS[each.kind] for each in figures))


def _print(figures: list[Figure]) -> None:
    for kind, goal in GOALS.items():
        found = [each for each in figures if each.kind == kind]
        if not found:
            continue
        over = sum(each.taken >= goal for each in found)
        print(f"\n{kind}: goal {goal} ms, {len(found)} measured, {over} over it")
        slowest: dict[str, Figure] = {}
        for each in sorted(found, key=lambda each: -each.taken):
            slowest.setdefault(each.system, each)
        print(f"  {'slowest of each':20}{'':40}{'rows':>6}{'ms':>8}{'bare':>8}{'ratio':>7}")
        for each in slowest.values():
            times = f"{each.taken:8.1f}{each.bare:8.2f}{each.ratio:7.1f}"
            print(f"  {each.system:20}{each.what:40}{each.rows:6}{times}")


# ----------------------------------------------------------------------- schedules


def schedules() -> Iterator[Figure]:
    """Build every schedule that the catalogue has, full, cut by none, and with one missing."""
    for name, options in _every():
        yield _built("schedule", name, options)


def one_winner() -> Iterator[Figure]:
    """Build with one winner what has two: whole, and where it is long as an evening has it."""
    from tournaments.movements import build

    for name, options in _every():
        movement = build(name, **options)
        if movement.winners == 2:
            yield _built("one winner", name, options | {"one_winner": True})
            if movement.rounds > EVENING:
                shorter = options | {"rounds": EVENING, "one_winner": True}
                yield _built("one winner", name, shorter)


def balances() -> Iterator[Figure]:
    """Count the balance of every schedule."""
    from tournaments.movements import balance, build

    for name, options in _every():
        movement = build(name, **options)
        taken = _best(partial(balance, movement))
        yield _figure("balance", name, options, len(movement.meetings), taken)


def _every() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every system with every size that fits it, and each of its own numbers of rounds."""
    from tournaments.movements import CATALOGUE, Unit

    for system in CATALOGUE.values():
        sizes = [n for n in range(1, LARGEST) if system.fits(n)]
        for size in sizes:
            for rounds in system.lengths(size) if system.lengths else [None]:
                length = {} if rounds is None else {"rounds": rounds}
                yield system.name, {str(system.unit): size} | length
                if system.unit is Unit.TABLES and not system.extra:
                    yield system.name, {"pairs": 2 * size - 1} | length
                elif system.unit is Unit.PAIRS and size > 3 and not system.fits(size - 1):
                    yield system.name, {"pairs": size - 1} | length


def _built(kind: str, name: str, options: dict[str, Any]) -> Figure:
    from tournaments.movements import build

    rows = len(build(name, **options).meetings)
    return _figure(kind, name, options, rows, _best(partial(build, name, **options)))


def _figure(kind: str, name: str, options: dict[str, Any], rows: int, taken: float) -> Figure:
    words = ", ".join(f"{key} {value}" for key, value in options.items() if value is not True)
    return Figure(kind, name, words, rows, taken, _best(partial(_bare, rows)))


def _bare(rows: int) -> list[tuple[int, ...]]:
    """Write so many rows of round, table, four seats and a set, and no more."""
    return [(at, at + 1, at + 2, at + 3, at + 2, at + 3, at + 4) for at in range(rows)]


def _best(act: Callable[[], object]) -> float:
    found = []
    for _time in range(TIMES):
        _forget()
        started = time.process_time()
        act()
        found.append(time.process_time() - started)
    return 1000 * max(min(found), 1e-6)


def _forget() -> None:
    """Throw away what the movements keep of earlier questions."""
    for name, module in list(sys.modules.items()):
        if name.startswith("tournaments.movements"):
            for each in list(vars(module).values()):
                if hasattr(each, "cache_clear"):
                    each.cache_clear()


# -------------------------------------------------------------------------- advice


def advice() -> Iterator[Figure]:
    """Ask for every field in a process of its own, and once more in the same."""
    _asked({"pairs": 4})  # everything is imported, before it is forgotten again
    _forget()
    fresh = multiprocessing.get_context("fork")
    for unit, sizes in FIELDS.items():
        for size in sizes:
            wishes = {unit.partition(",")[0]: size}
            if "one winner" in unit:
                wishes["winners"] = 1
            with fresh.Pool(1, maxtasksperchild=1) as pool:
                runs = pool.map(_asked, [wishes] * TIMES, chunksize=1)
            rows = runs[0][2]
            bare = _best(partial(_bare, rows))
            for at, kind in enumerate(("advice cold", "advice warm")):
                taken = min(run[at] for run in runs)
                yield Figure(kind, unit, f"{size} {unit}", rows, taken, bare)


def _asked(wishes: dict[str, int]) -> tuple[float, float, int]:
    """Milliseconds of the first and of the second answer, and the rows that they show."""
    from tournaments.movements import UnplayableMovement, suggest
    from tournaments.movements.advice.answer import suggestion_row

    taken = []
    rows = 0
    for _turn in range(2):
        started = time.process_time()
        try:
            found = suggest(**wishes)
        except UnplayableMovement:
            found = []
        for each in found:
            suggestion_row(each)
        taken.append(1000 * (time.process_time() - started))
        rows = sum(len(part.movement.meetings) for each in found for part in each.parts)
    return taken[0], taken[1], max(rows, 1)


# ---------------------------------------------------------------------------- draw


def draws() -> Iterator[Figure]:
    """Draw the next round after none, one, five and eleven."""
    from tournaments.swiss import draw

    for size, kind in DRAWS.items():
        for odd in (0, 1):
            for rounds in PLAYED:
                field = _after(size - odd, rounds)
                taken = _best(partial(draw, field))
                words = f"{size - odd} entries, {rounds} rounds played"
                couples = size * (size - 1) // 2
                bare = _best(partial(_bare, couples))
                yield Figure(kind, "swiss", words, couples, taken, bare)


def _after(size: int, rounds: int) -> Any:
    """A field after so many rounds that were drawn as the program draws them."""
    from tournaments.swiss import Entry, Field, Round, draw
    from tournaments.swiss.field import Met

    lots = random.Random(size)
    scores = dict.fromkeys(range(1, size + 1), Fraction(0))
    field = Field(tuple(map(Entry, scores)), seed="speed")
    for number in range(1, rounds + 1):
        made = draw(field)
        for each in made.pairings:
            margin = Fraction(lots.randint(-1200, 1200), 100)
            scores[each.ns] += margin
            scores[each.ew] -= margin
        met = tuple(Met(each.ns, each.ew, each.table) for each in made.pairings)
        field = Field(
            tuple(Entry(place, score) for place, score in scores.items()),
            seed="speed",
            round=number + 1,
            history=(*field.history, Round(number, met, made.sit_out)),
        )
    return field


PARTS: dict[str, Callable[[], Iterator[Figure]]] = {
    "schedule": schedules,
    "one-winner": one_winner,
    "balance": balances,
    "advice": advice,
    "draw": draws,
}

if __name__ == "__main__":
    main()
