"""Plausible random scores for the tables of a rehearsal, under any terms."""

from drives.draw.chance import Chance
from drives.scores.rules import FURTHEST, Kind, Scoring

TRIES = 200
SPAN = 20
"""The maximum distance from 0 of scores that have no bounds."""


def made_up(terms: Scoring, chance: Chance) -> tuple[list[int], list[int]]:
    """Return random scores of a sheet, and its extras; both satisfy the terms.

    Most are near the middle, as those of real hands are.
    """
    hands = [_hand(terms.of_hand, chance) for _hand_of in range(terms.hands)]
    score = [sum(column) for column in zip(*(score for score, _extras in hands), strict=True)]
    extras = [sum(column) for column in zip(*(more for _score, more in hands), strict=True)]
    return score, extras if any(extras) else []


def _hand(terms: Scoring, chance: Chance) -> tuple[list[int], list[int]]:
    score = next(
        found
        for found in (_figures(terms, chance) for _try in range(TRIES))
        if not terms.fault(found)
    )
    extras = [0] * terms.figures
    if terms.extras and chance.one_below(3) == 0:
        extras[chance.one_below(terms.figures)] = terms.extras * (1 + chance.one_below(5))
    return score, extras


def _figures(terms: Scoring, chance: Chance) -> list[int]:
    if terms.kind is Kind.BY_CARDS:
        score = [1 + min(chance.one_below(7), chance.one_below(7)), 0]
        return score if chance.one_below(2) else score[::-1]
    low, high = _bounds(terms)
    steps = (high - low) // terms.step
    found = [low + terms.step * _middling(steps, chance) for _figure in range(terms.figures)]
    if terms.total is not None:
        found[-1] = terms.total - sum(found[:-1])
    return found


def _bounds(terms: Scoring) -> tuple[int, int]:
    """Return the bounds of scores: those of the terms, else near an even share, in steps."""
    share = (terms.total or 0) // terms.figures
    low = terms.low if terms.low is not None else share - SPAN
    high = terms.high if terms.high is not None else max(share, low) + SPAN
    low = -(-low // terms.step) * terms.step
    return low, min(max(high, low), FURTHEST)


def _middling(steps: int, chance: Chance) -> int:
    """Return a random step, most often a middle one: the mean of two draws."""
    return (chance.one_below(steps + 1) + chance.one_below(steps + 1)) // 2
