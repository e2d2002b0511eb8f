"""Scores one hand. Source: rules W1, W3, W4, W9 and W10.

Revokes are scored first, then tricks and honours in the order of the terms, until a side has
won the game. We assume that points are subtracted before any are added, so that the order in
which two revokes were recorded makes no difference.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from django.utils.translation import gettext as _

from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hands import ZERO_COUNTS, Hand, Penalty, Revoke, Side, SideCounts
from rubbers.rubber.terms import BothSidesRevokeRule, FirstScoredItem, RubberTerms

BOOK_TRICKS = 6
"""The first six tricks of a side do not score."""


class PointsOrigin(StrEnum):
    """The reason for a change of a side's score.

    `CALLED_HONOURS` means that the side called its honours.
    """

    REVOKE = "revoke"
    TRICKS = "tricks"
    HONOURS = "honours"
    CALLED_HONOURS = "called"


class ScoreLine(NamedTuple):
    """One change of a side's score.

    In a `HandScore`, `points` is the change after the score is limited to 0 and to the points
    that win the game.
    """

    side: Side
    points_origin: PointsOrigin
    points: int


class HandScore(NamedTuple):
    """A scored hand: the changes of the score, the new score, and the winner of the game."""

    score_lines: tuple[ScoreLine, ...]
    score: SideCounts
    winner: Side | None = None


def score_hand(terms: RubberTerms, score_before: SideCounts, hand: Hand) -> HandScore:
    """Score one hand; `score_before` is the score of the game so far. Raises UnplayableHand.

    No score becomes negative or exceeds the points of the game. A side that revoked cannot win
    the game with this hand, unless the terms allow it.
    """
    hand = hand.without_dummy_revokes()
    if hand.calling_side is not None:
        _check_honours_call(terms, score_before.get_count(hand.calling_side), hand.calling_side)
    revoking_sides = {revoke.by for revoke in hand.revokes}
    sides_barred_from_winning = set() if terms.can_revokers_win else revoking_sides
    hand_score = HandScore((), score_before)
    for score_line in _list_score_lines(terms, score_before, hand):
        hand_score = _add_score_line(
            terms,
            hand_score,
            score_line,
            can_win=score_line.side not in sides_barred_from_winning,
        )
        if hand_score.winner:
            break
    loser = hand_score.winner and hand_score.winner.opponents
    if (
        terms.should_score_made_tricks
        and loser in revoking_sides
        and _is_won_by_penalty(hand_score)
    ):
        trick_points_line = ScoreLine(
            loser,
            PointsOrigin.TRICKS,
            _compute_trick_points(terms, hand.tricks or ZERO_COUNTS, loser),
        )
        hand_score = _add_score_line(terms, hand_score, trick_points_line, can_win=False)
    return hand_score


def _check_honours_call(
    terms: RubberTerms, calling_side_score: int, calling_side: Side
) -> None:
    if terms.honours_calling_score is None:
        raise UnplayableHand(_("honours can’t be called in this code"))
    if calling_side_score != terms.honours_calling_score:
        message = _("side %(side)s can call only at %(calling)s, not at %(score)s")
        message_values = {
            "side": calling_side,
            "score": calling_side_score,
            "calling": terms.honours_calling_score,
        }
        raise UnplayableHand(message % message_values)


def _list_score_lines(
    terms: RubberTerms, score_before: SideCounts, hand: Hand
) -> list[ScoreLine]:
    """Return the changes of the score in the order in which they count.

    After a change with which a side wins the game, no further change counts.
    """
    if hand.calling_side is not None:
        return [
            ScoreLine(
                hand.calling_side,
                PointsOrigin.CALLED_HONOURS,
                terms.points_per_game - score_before.get_count(hand.calling_side),
            )
        ]
    side_penalties = _list_penalties(terms, hand)
    penalty_lines = _iter_penalty_lines(terms, side_penalties)
    tricks_after_penalties = _transfer_tricks(terms, hand.tricks or ZERO_COUNTS, side_penalties)
    trick_lines = [
        ScoreLine(
            side,
            PointsOrigin.TRICKS,
            _compute_trick_points(terms, tricks_after_penalties, side),
        )
        for side in Side
    ]
    honour_lines = [
        ScoreLine(
            side, PointsOrigin.HONOURS, _compute_honour_points(terms, score_before, hand, side)
        )
        for side in Side
    ]
    if terms.first_scored_item is FirstScoredItem.TRICKS:
        return [*penalty_lines, *trick_lines, *honour_lines]
    return [*penalty_lines, *honour_lines, *trick_lines]


def _add_score_line(
    terms: RubberTerms, hand_score: HandScore, score_line: ScoreLine, *, can_win: bool
) -> HandScore:
    """Add a line to the score, but no points beyond those that win the game.

    If `can_win` is false, the side gets at most one point less than it needs to win.
    """
    score = hand_score.score.get_count(score_line.side)
    new_score = max(0, min(score + score_line.points, terms.points_per_game - (not can_win)))
    if new_score == score:
        return hand_score
    return HandScore(
        score_lines=(*hand_score.score_lines, score_line._replace(points=new_score - score)),
        score=hand_score.score.with_count(score_line.side, new_score),
        winner=score_line.side if new_score == terms.points_per_game else hand_score.winner,
    )


def _list_penalties(terms: RubberTerms, hand: Hand) -> list[tuple[Side, Penalty]]:
    """Return (side, penalty) for each penalty; raise UnplayableHand if a choice is missing.

    If revokes of both sides cancel out, those without a chosen penalty are cancelled first,
    then those that were recorded first.
    """
    if not hand.revokes:
        return []
    for revoke in hand.revokes:
        _check_penalty(terms, revoke)
    cancelled_revoke_count = 0
    if terms.both_sides_revoke_rule is BothSidesRevokeRule.CANCEL:
        cancelled_revoke_count = min(len(hand.list_revokes(side)) for side in Side)
    return [
        (side, _get_penalty(terms, revoke))
        for side in Side
        for revoke in sorted(hand.list_revokes(side), key=_has_chosen_penalty)[
            cancelled_revoke_count:
        ]
    ]


def _has_chosen_penalty(revoke: Revoke) -> bool:
    return revoke.penalty is not None


def _check_penalty(terms: RubberTerms, revoke: Revoke) -> None:
    if revoke.penalty is not None and revoke.penalty not in terms.penalties:
        message = _("a revoke costs %(names)s here, not %(name)s")
        message_values = {"names": ", ".join(terms.penalties), "name": revoke.penalty}
        raise UnplayableHand(message % message_values)


def _get_penalty(terms: RubberTerms, revoke: Revoke) -> Penalty:
    if revoke.penalty is not None:
        return revoke.penalty
    if len(terms.penalties) > 1:
        message = _("choose the penalty for side %(side)s’s revoke: %(names)s")
        raise UnplayableHand(message % {"side": revoke.by, "names": ", ".join(terms.penalties)})
    return terms.penalties[0]


def _iter_penalty_lines(
    terms: RubberTerms, side_penalties: list[tuple[Side, Penalty]]
) -> Iterator[ScoreLine]:
    points = terms.penalty_points
    for side, penalty in side_penalties:
        if penalty is Penalty.LOST_POINTS:
            yield ScoreLine(side, PointsOrigin.REVOKE, -points)
    for side, penalty in side_penalties:
        if penalty is Penalty.OPPONENT_POINTS:
            yield ScoreLine(side.opponents, PointsOrigin.REVOKE, points)


def _transfer_tricks(
    terms: RubberTerms, tricks: SideCounts, side_penalties: list[tuple[Side, Penalty]]
) -> SideCounts:
    """Move penalty tricks to the other side, but not more than the revoking side has won."""
    penalty_count_by_side = {
        side: side_penalties.count((side, Penalty.TRICKS)) for side in Side
    }
    lost_tricks_by_side = {
        side: min(penalty_count_by_side[side] * terms.penalty_tricks, tricks.get_count(side))
        for side in Side
    }
    tricks_moved_to_a = lost_tricks_by_side[Side.B] - lost_tricks_by_side[Side.A]
    return SideCounts(tricks.a + tricks_moved_to_a, tricks.b - tricks_moved_to_a)


def _compute_trick_points(terms: RubberTerms, tricks: SideCounts, side: Side) -> int:
    return terms.points_per_trick * max(0, tricks.get_count(side) - BOOK_TRICKS)


def _compute_honour_points(
    terms: RubberTerms, score_before: SideCounts, hand: Hand, side: Side
) -> int:
    honours_bar = terms.honours_bar
    if not hand.are_honours_claimed or (
        honours_bar is not None and score_before.get_count(side) >= honours_bar
    ):
        return 0
    return {4: terms.four_honours, 3: terms.three_honours}.get(hand.honours.get_count(side), 0)


def _is_won_by_penalty(hand_score: HandScore) -> bool:
    """Return whether a penalty, and not honours, decided a game that a revoking side lost.

    Points for tricks count as a penalty, for this reason: the result matters only if the
    revoking side won more than six tricks. Its opponents then won at most six. They can only
    score tricks that a penalty moved to them.
    """
    return hand_score.score_lines[-1].points_origin in (
        PointsOrigin.REVOKE,
        PointsOrigin.TRICKS,
    )
