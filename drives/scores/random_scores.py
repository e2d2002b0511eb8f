"""Random scores for the tables of a rehearsal, valid under the drive's rules of scoring."""

from drives.draw.random_stream import RandomStream
from drives.scores.rules import MAX_ABSOLUTE_SCORE, ScoreKind, Scoring

MAX_TRIES = 200
UNBOUNDED_SPAN = 20
"""The maximum distance from 0 of scores that have no bounds."""


def draw_scores(terms: Scoring, random_stream: RandomStream) -> tuple[list[int], list[int]]:
    """Draw random scores and extras of a sheet that satisfy the rules of scoring.

    Like those of real hands, most scores are near the middle.
    """
    hands = [_draw_hand(terms.hand_terms, random_stream) for _hand_of in range(terms.hands)]
    score = [sum(column) for column in zip(*(score for score, _extras in hands), strict=True)]
    extras = [
        sum(column)
        for column in zip(*(hand_extras for _score, hand_extras in hands), strict=True)
    ]
    return score, extras if any(extras) else []


def _draw_hand(terms: Scoring, random_stream: RandomStream) -> tuple[list[int], list[int]]:
    score = next(
        candidate
        for candidate in (_draw_side_scores(terms, random_stream) for _try in range(MAX_TRIES))
        if not terms.find_fault(candidate)
    )
    extras = [0] * terms.scores_per_sheet
    if terms.extras and random_stream.draw_one_below(3) == 0:
        extras[random_stream.draw_one_below(terms.scores_per_sheet)] = terms.extras * (
            1 + random_stream.draw_one_below(5)
        )
    return score, extras


def _draw_side_scores(terms: Scoring, random_stream: RandomStream) -> list[int]:
    if terms.kind is ScoreKind.BY_CARDS:
        score = [1 + min(random_stream.draw_one_below(7), random_stream.draw_one_below(7)), 0]
        return score if random_stream.draw_one_below(2) else score[::-1]
    low, high = _compute_bounds(terms)
    steps = (high - low) // terms.step
    scores = [
        low + terms.step * _draw_middle_step(steps, random_stream)
        for _figure in range(terms.scores_per_sheet)
    ]
    if terms.total is not None:
        scores[-1] = terms.total - sum(scores[:-1])
    return scores


def _compute_bounds(terms: Scoring) -> tuple[int, int]:
    """Return the lowest and highest score: those of the rules, else a range around an equal
    share.
    """
    share = (terms.total or 0) // terms.scores_per_sheet
    low = terms.low if terms.low is not None else share - UNBOUNDED_SPAN
    high = terms.high if terms.high is not None else max(share, low) + UNBOUNDED_SPAN
    low = -(-low // terms.step) * terms.step
    return low, min(max(high, low), MAX_ABSOLUTE_SCORE)


def _draw_middle_step(steps: int, random_stream: RandomStream) -> int:
    """Return a random step, most often in the middle: the mean of two draws."""
    return (
        random_stream.draw_one_below(steps + 1) + random_stream.draw_one_below(steps + 1)
    ) // 2
