"""What of a grade may be said: tricks above the club in 24 boards with a range, or nothing."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from seasons.grades.evenings import Unit
from seasons.grades.running import YEAR, Club

BOARDS = 24
RANGE = 1.2816
"""Standard deviations on each side that hold four of five."""
TENTATIVE, EVOLVING, MATURE = 150, 300, 1000
OWN, PAIR = 0.6, 0.45
"""Parts of s0 that the standard deviation of an own grade, and of a pair's, stays below."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A grade that is shown: of one person, or of two who cannot be told apart."""

    who: tuple[str, ...]
    grade: float
    range: float
    word: str


def shown_grades(club: Club, pairs: Iterable[Unit] = ()) -> list[Shown]:
    """Say what is known: own grades, and of the pairs named those whose people have none."""
    if club.last is None:
        return []
    weights = _weights(club)
    own = [(person,) for person in club.people]
    found = {each.who[0]: each for who in own if (each := _shown(club, who, weights, OWN))}
    both = [
        each
        for pair in pairs
        if not any(person in found for person in pair)
        and all(person in club.people for person in pair)
        and (each := _shown(club, pair, weights, PAIR))
    ]
    return [*found.values(), *both]


def word_for(boards: int) -> str:
    """What a grade of so many boards is called; "" for one that is not shown."""
    if boards < TENTATIVE:
        return ""
    if boards < EVOLVING:
        return "tentative"
    return "evolving" if boards < MATURE else "mature"


def _weights(club: Club) -> list[float]:
    """The weights of the club's mean: boards in the last 365 days."""
    assert club.last is not None
    boards = [club.boards(person, club.last - YEAR) for person in club.people]
    whole = sum(boards)
    return [count / whole for count in boards]


def _shown(club: Club, who: tuple[str, ...], weights: list[float], part: float) -> Shown | None:
    word = word_for(min(club.boards(person) for person in who))
    held = [-weight for weight in weights]
    for person in who:
        held[club.people.index(person)] += 1 / len(who)
    variance = sum(
        a * b * value
        for a, row in zip(held, club.covariance, strict=True)
        if a
        for b, value in zip(held, row, strict=True)
    )
    spread = sqrt(max(variance, 0.0))
    if not word or spread > part * club.constants.s0:
        return None
    grade = sum(a * mean for a, mean in zip(held, club.mean, strict=True))
    return Shown(who, BOARDS * grade, BOARDS * RANGE * spread, word)
