"""Scores that might be: what tables of a rehearsal enter. Any terms of a score have some."""

from drives.draw.chance import Chance
from drives.scores.rules import FURTHEST, Kind, Scoring

TRIES = 200
SPAN = 20
"""How far from nothing figures lie that have no bounds."""


def made_up(terms: Scoring, chance: Chance) -> tuple[list[int], list[int]]:
    """Make up the figures of a sheet, and its extras; both are as the terms allow.

    Most hands are near the middle, as most hands are.
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
    """Where figures lie: as the terms say, else not far from an even share, on their steps."""
    share = (terms.total or 0) // terms.figures
    low = terms.low if terms.low is not None else share - SPAN
    high = terms.high if terms.high is not None else max(share, low) + SPAN
    low = -(-low // terms.step) * terms.step
    return low, min(max(high, low), FURTHEST)


def _middling(steps: int, chance: Chance) -> int:
    """One of some steps, those in the middle oftenest: the mean of two draws."""
    return (chance.one_below(steps + 1) + chance.one_below(steps + 1)) // 2
