"""Thousands of Swiss tournaments by chance that must keep the rules, and how long a draw takes.

Run by hand: `python -m bench.swiss` plays 5,000 tournaments of 4 to 60 entries and 3 to 12
rounds; `python -m bench.swiss 300` plays so many, `python -m bench.swiss 5000 16` so many of at
most 16 entries, in minutes instead of an hour. Prints what broke a rule, and the processor
time of a draw against that of pricing all its couples.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

MANY, LARGEST = 5_000, 60
SIZES = (20, 60, 100, 200)


def main() -> None:
    """Play, then time."""
    from tests.tournaments.swiss.tournament import faults_of, played

    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else MANY
    largest = int(sys.argv[2]) if len(sys.argv) > 2 else LARGEST
    faults: Counter[str] = Counter()
    draws = 0
    for number in range(wanted):
        lots = random.Random(number)
        size = lots.randint(4, largest)
        tournament = played(lots, size, min(lots.randint(3, 12), size - 1))
        draws += len(tournament)
        for fault in faults_of(tournament):
            faults[fault.partition(": ")[2]] += 1
    told = dict(faults) or "none"
    print(f"{wanted} tournaments to {largest} entries, {draws} draws, faults: {told}")
    for size in SIZES:
        print(f"{size:4} entries: {_ratio(size)}")


def _ratio(size: int) -> str:
    from tournaments.swiss import Entry, Field, draw
    from tournaments.swiss.objective import priced

    lots = random.Random(size)
    scores = [Fraction(lots.randint(-3000, 3000), 100) for _ in range(size)]
    field = Field(tuple(Entry(place, score) for place, score in enumerate(scores)))
    started = time.process_time()
    for one in field.present:
        for other in field.present:
            if str(one.id) < str(other.id):
                priced(field, one, other)
    plain = time.process_time() - started
    best = min(_timed(draw, field) for _ in range(3))
    return f"{1000 * best:.0f} ms, {best / plain:.1f} times its prices"


def _timed(act: Callable[[Any], object], field: object) -> float:
    started = time.process_time()
    act(field)
    return time.process_time() - started


if __name__ == "__main__":
    main()
