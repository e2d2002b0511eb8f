"""Measure how long grades take: an evening, a correction, ten years from the first evening on.

    .venv/bin/python -m bench.grade_speed [--years 10]

The clubs are those of `bench.grades`: 14 pairs of 60 people over 24 boards, and 30 pairs of 120
over 28. Each step is what the program does for it, without the database: from the plays; for a
correction from the text of the checkpoint and of what the evenings of the quarter told. Times
are of the processor. It ends with 1 when a limit is broken.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from random import Random
from time import process_time

from bench import grades
from bench.grades import Family, season_of
from seasons.grades import Club, Constants, GradedEvening, facts_of, take_in
from seasons.grades.keeping import club_data, facts_data, read_club, read_facts
from seasons.grades.telling import tell

QUARTER = 13
"""Evenings in a quarter; the one corrected is the first of them."""


@dataclass(frozen=True)
class Limits:
    """Seconds that a club may take."""

    boards: int
    evening: float
    correction: float
    whole: float


CLUBS = (
    (Family("14 pairs"), Limits(24, 0.020, 0.3, 1.5)),
    (Family("30 pairs", pairs=30, people=120), Limits(28, 0.020, 0.3, 8.0)),
)


def whole(evenings: list[GradedEvening], *, telling: bool) -> tuple[Club, float]:
    """Grade all from the first on; with the rows of everybody's evening or without."""
    started = process_time()
    club = Club(Constants())
    for evening in evenings:
        facts = facts_of(evening)
        if facts is not None:
            told = take_in(club, facts)
            if telling:
                tell(club, facts, told)
    return club, process_time() - started


def correction(club: Club, evenings: list[GradedEvening]) -> float:
    """Take a quarter in again, of which one evening's plays are read and the rest is known."""
    checkpoint = json.dumps(club_data(club))
    kept = [json.dumps(facts_data(facts)) for each in evenings if (facts := facts_of(each))]
    started = process_time()
    known = read_club(json.loads(checkpoint))
    facts_of(evenings[0])
    for text in kept:
        facts = read_facts(json.loads(text))
        tell(known, facts, take_in(known, facts))
    json.dumps(club_data(known))
    return process_time() - started


def main() -> int:
    """Print a line a club, and which limits are broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--years", type=int, default=10)
    wanted = parser.parse_args()
    broken = []
    for family, limits in CLUBS:
        grades.BOARDS = limits.boards
        count = 52 * wanted.years
        played = [each for each, _ in season_of(family, count + QUARTER, Random(family.name))]
        _club, bare = whole(played[:count], telling=False)
        club, told = whole(played[:count], telling=True)
        seconds = correction(club, played[count:])
        print(
            f"{family.name}: {1000 * bare / count:.1f} ms an evening, "
            f"{1000 * told / count:.1f} ms with everybody's rows; "
            f"{bare:.2f} s and {told:.2f} s "
            f"for {wanted.years} years; correction of a quarter {seconds:.2f} s",
            flush=True,
        )
        broken += [f"{family.name}: evening"] * (bare / count > limits.evening)
        broken += [f"{family.name}: correction"] * (seconds > limits.correction)
        broken += [f"{family.name}: whole"] * (bare > limits.whole * wanted.years / 10)
    print(*(f"over the limit: {each}" for each in broken), sep="\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
