"""The column like the National Grading Scheme: a percent scale that clubs know, and ours.

Source: the EBU's NGS guide for 2,000 boards, three years and the gain of 2; start 50 is ours.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from seasons.grades.evenings import Play, Unit

START = 50.0
GAIN = 2.0
LEAST, MOST = 300, 2000
DAYS = 1095


@dataclass(slots=True)
class _Tonight:
    """What a unit made tonight, and the grades of those it was compared with."""

    boards: int = 0
    points: int = 0
    compared: int = 0  # how often
    against: float = 0.0  # their grades, each as often as it was compared


def changes(
    boards: Mapping[str, list[Play]],
    grades: Mapping[str, float],
    played: Callable[[str, int], int],
    today: int,
) -> dict[str, float]:
    """Say how an evening changes the column, all from the grades before it.

    `played` counts somebody's boards after a day, tonight's with them.
    """
    found: dict[str, float] = defaultdict(float)
    for unit, tonight in _units(boards.values(), grades).items():
        expected = START + _grade(unit, grades) - tonight.against / tonight.compared
        made = 100 * tonight.points / (2 * tonight.compared)
        for person in unit:
            known = min(MOST, played(person, today - DAYS))
            found[person] += GAIN * tonight.boards / max(known, LEAST) * (made - expected)
    return dict(found)


def _grade(unit: Unit, grades: Mapping[str, float]) -> float:
    return (grades[unit[0]] + grades[unit[1]]) / 2


def _units(boards: Iterable[list[Play]], grades: Mapping[str, float]) -> dict[Unit, _Tonight]:
    found: dict[Unit, _Tonight] = defaultdict(_Tonight)
    for plays in boards:
        for sat in (
            [(play.ns, play.tricks) for play in plays],
            [(play.ew, -play.tricks) for play in plays],
        ):
            order = sorted(tricks for _unit, tricks in sat)
            own = [_grade(unit, grades) for unit, _tricks in sat]
            whole = sum(own)
            for (unit, tricks), grade in zip(sat, own, strict=True):
                tonight = found[unit]
                tonight.boards += 1
                tonight.compared += len(sat) - 1
                tonight.against += whole - grade
                # twice those below, and those level without itself
                below, upto = bisect_left(order, tricks), bisect_right(order, tricks)
                tonight.points += below + upto - 1
    return found
