"""The column like the National Grading Scheme: a percent scale that clubs know, and ours.

Source: the EBU's NGS guide for 2,000 boards, three years and the gain of 2; start 50 is ours.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping

from seasons.grades.rating.evenings import Facts

START = 50.0
GAIN = 2.0
LEAST, MOST = 300, 2000
DAYS = 1095


def changes(
    facts: Facts, grades: Mapping[str, float], played: Callable[[str, int], int]
) -> dict[str, float]:
    """Say how an evening changes the column, all from the grades before it.

    `played` counts somebody's boards after a day, tonight's with them.
    """
    own = [(grades[one] + grades[other]) / 2 for one, other in facts.units]
    against = [0.0] * len(own)  # the grades of those compared with, each as often as it was
    compared = [0] * len(own)
    for group in facts.groups:
        whole = sum(own[place] for place in group)
        for place in group:
            against[place] += whole - own[place]
            compared[place] += len(group) - 1
    found: dict[str, float] = defaultdict(float)
    for place, (unit, boards) in enumerate(zip(facts.units, facts.boards(), strict=True)):
        expected = START + own[place] - against[place] / compared[place]
        made = 100 * facts.points[place] / (2 * compared[place])
        for person in unit:
            known = min(MOST, played(person, facts.day - DAYS))
            found[person] += GAIN * boards / max(known, LEAST) * (made - expected)
    return dict(found)
