"""The course of an evening: the score of each entry after each round, as far as it is public.

It is computed only from the lines that count in the standings beside it. So it shows the sums
of whole rounds where these do (scoring.secrecy, rules D2).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm

from scoring.methods import Line, Method
from scoring.reckoning.brought import brought_into
from scoring.reckoning.lines import EventRows, Pool, counted, read
from scoring.reckoning.scores import NOTHING, method_of, public_tally
from tournaments.models import Event

Steps = dict[int, dict[int, Fraction]]
"""The score of each round, by entry and round."""


@dataclass(frozen=True, slots=True)
class CourseSoFar:
    """The rounds of the last session with counting results, and each entry's running scores.

    The first number is the carry-over, each further one is the score after a round.
    """

    rounds: tuple[int, ...]
    figures: Mapping[int, tuple[Fraction, ...]]


EMPTY: dict[int, tuple[Fraction, ...]] = {}


def course_of(
    event: Event, scores: Mapping[int, Fraction], *, all_results: bool = False
) -> CourseSoFar:
    """Return the running scores of the last session that lead to the given final scores.

    They have the public results, or with `all_results` all results, as the director sees them.
    If `scores` are out of date the course is empty until they are computed again.
    """
    rows = read(event)
    whole = counted(rows)
    found = whole if all_results else public_tally(rows, whole) or whole
    last = max((session for session, _section in found.pools), default=0)
    pools = [pool for (session, _section), pool in found.pools.items() if session == last]
    method = method_of(event)
    steps = _steps(method, rows, pools)
    if method.parts is None:
        made = _added(method.score(pool.lines) for pool in pools)
    else:  # a score is the sum of its parts
        made = {entry: sum(own.values(), NOTHING) for entry, own in steps.items()}
    if method.sits_out:
        _add_sat_out(steps, made, method, found.missed[last])
    rounds = tuple(sorted({number for own in steps.values() for number in own}))
    losses = found.losses.get(last, {})
    carried = {
        entry: score + losses.get(entry, NOTHING) - made.get(entry, NOTHING)
        for entry, score in scores.items()
    }
    is_one = len({session for session, _section in found.pools}) < 2
    if is_one and any(carried.values()) and carried != _brought(event, carried):
        return CourseSoFar((), EMPTY)
    figures = {
        entry: _levels(carried[entry], [steps.get(entry, {}).get(n, NOTHING) for n in rounds])
        for entry in scores
    }
    for entry, score in scores.items():
        figures[entry][-1] = score  # with its penalties, and averages in whole tricks
    return CourseSoFar(rounds, {entry: tuple(levels) for entry, levels in figures.items()})


def _levels(first: Fraction, steps: Iterable[Fraction]) -> list[Fraction]:
    """Return the running sums, from before the first round to after the last."""
    return list(accumulate(steps, initial=first))


def _brought(event: Event, entries: Iterable[int]) -> dict[int, Fraction]:
    """Return the carry-over of each entry of a final; zero in other events."""
    brought = brought_into(event)
    return {entry: brought[entry].amount if entry in brought else NOTHING for entry in entries}


def _add_sat_out(
    steps: Steps,
    made: dict[int, Fraction],
    method: Method,
    missed: Mapping[tuple[int, int], Fraction],
) -> None:
    """Add the average for each round in which an entry had no match."""
    for (entry, round_), part in missed.items():
        steps[entry][round_] += method.sits_out * part
        made[entry] = made.get(entry, NOTHING) + method.sits_out * part


def _steps(method: Method, rows: EventRows, pools: Iterable[Pool]) -> Steps:
    """Return the score of each round by entry, its boards compared with all that count."""
    steps: Steps = defaultdict(lambda: defaultdict(Fraction))
    for pool in pools:
        turns = [rows.sittings[sitting].round for sitting, _board in pool.plays]
        if method.parts is None:
            _add_by_prefixes(steps, method, pool.lines, turns)
            continue
        _add_parts(steps, pool.lines, turns, method.parts(pool.lines))
    return steps


def _add_parts(
    steps: Steps,
    lines: Sequence[Line],
    turns: Sequence[int],
    parts: Sequence[tuple[Fraction, Fraction]],
) -> None:
    """Add up the scores of each round's lines, as multiples of a common unit fraction."""
    unit = lcm(*{part.denominator for both in parts for part in both})
    sums: dict[tuple[int, int], int] = defaultdict(int)
    for line, turn, both in zip(lines, turns, parts, strict=True):
        for entries, part in zip((line.ns, line.ew), both, strict=True):
            scaled = part.numerator * (unit // part.denominator)
            for entry in entries:
                sums[entry, turn] += scaled
    for (entry, turn), scaled in sums.items():
        steps[entry][turn] += Fraction(scaled, unit)


def _add_by_prefixes(
    steps: Steps, method: Method, lines: Sequence[Line], turns: Sequence[int]
) -> None:
    """Score all lines up to each round, and add the differences from round to round.

    This is for methods whose scores are not sums over lines.
    """
    before: dict[int, Fraction] = {}
    for turn in sorted(set(turns)):
        known = [line for line, at in zip(lines, turns, strict=True) if at <= turn]
        after = method.score(known)
        for entry, figure in after.items():
            steps[entry][turn] += figure - before.get(entry, NOTHING)
        before = after


def _added(scores: Iterable[Mapping[int, Fraction]]) -> dict[int, Fraction]:
    sums: dict[int, Fraction] = defaultdict(Fraction)
    for each in scores:
        for entry, figure in each.items():
            sums[entry] += figure
    return sums
