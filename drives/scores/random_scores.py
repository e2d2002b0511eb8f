"""Random scores for the tables of a rehearsal, valid under the drive's rules of scoring."""

from drives.draw.random_stream import RandomStream
from drives.scores.rules import MAX_ABSOLUTE_SCORE, ScoreKind, Scoring

MAX_TRIES = 200
UNBOUNDED_SCORE_DEVIATION = 20
"""How far a score without bounds may be from an equal share of the points."""


def simulate_scores(
    scoring: Scoring, random_stream: RandomStream
) -> tuple[list[int], list[int]]:
    """Draw random scores and extras of a sheet that satisfy the rules of scoring.

    Most scores are near the middle, as in real hands.
    """
    hand_scores = [
        _simulate_hand_scores(scoring.single_hand_scoring, random_stream)
        for _hand in range(scoring.hands_per_round)
    ]
    scores = [
        sum(hand_values)
        for hand_values in zip(*(scores for scores, _extras in hand_scores), strict=True)
    ]
    extra_points = [
        sum(hand_values)
        for hand_values in zip(
            *(hand_extra_points for _score, hand_extra_points in hand_scores), strict=True
        )
    ]
    return scores, extra_points if any(extra_points) else []


def _simulate_hand_scores(
    scoring: Scoring, random_stream: RandomStream
) -> tuple[list[int], list[int]]:
    side_scores = next(
        candidate
        for candidate in (
            _simulate_side_scores(scoring, random_stream) for _try in range(MAX_TRIES)
        )
        if not scoring.find_score_error(candidate)
    )
    extra_points = [0] * scoring.scores_per_sheet
    if scoring.extras_step and random_stream.draw_integer(3) == 0:
        extra_points[random_stream.draw_integer(scoring.scores_per_sheet)] = (
            scoring.extras_step * (1 + random_stream.draw_integer(5))
        )
    return side_scores, extra_points


def _simulate_side_scores(scoring: Scoring, random_stream: RandomStream) -> list[int]:
    if scoring.kind is ScoreKind.BY_CARDS:
        score = [1 + min(random_stream.draw_integer(7), random_stream.draw_integer(7)), 0]
        return score if random_stream.draw_integer(2) else score[::-1]
    min_score, max_score = _compute_score_bounds(scoring)
    max_step = (max_score - min_score) // scoring.step
    scores = [
        min_score + scoring.step * _choose_random_step(max_step, random_stream)
        for _score in range(scoring.scores_per_sheet)
    ]
    if scoring.total is not None:
        scores[-1] = scoring.total - sum(scores[:-1])
    return scores


def _compute_score_bounds(scoring: Scoring) -> tuple[int, int]:
    """Return the lowest and the highest score that the rules allow.

    A missing limit is replaced by a limit near an equal share of the points.
    """
    average_score = (scoring.total or 0) // scoring.scores_per_sheet
    low = (
        scoring.min_score
        if scoring.min_score is not None
        else average_score - UNBOUNDED_SCORE_DEVIATION
    )
    high = (
        scoring.max_score
        if scoring.max_score is not None
        else max(average_score, low) + UNBOUNDED_SCORE_DEVIATION
    )
    low = -(-low // scoring.step) * scoring.step
    return low, min(max(high, low), MAX_ABSOLUTE_SCORE)


def _choose_random_step(max_step: int, random_stream: RandomStream) -> int:
    """Return a random step from 0 to `max_step`, most often in the middle."""
    return (
        random_stream.draw_integer(max_step + 1) + random_stream.draw_integer(max_step + 1)
    ) // 2
