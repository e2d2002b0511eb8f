"""The scoring of one hand: the lines that it adds to the running score, in order.

First come the revokes, then tricks and honours in the order of the terms. As soon as a side has
the game, the hand scores nothing more, and points above the game are lost. The books are silent
on these points, which are our interpretation:

* Penalties apply to the deal as played and to the score before it: tricks are taken from those
  that a side made, and points are subtracted before any are added. So the order in which two
  revokes were recorded makes no difference.
* A call of honours (`called`) is worth the points that the caller lacks: two, at eight of ten.

Guarantee: a side that revoked never wins on that hand, unless the terms allow it. No score is
below 0 or above the game, and only the winner's is the game.

Source: rules W1, W3, W4, W9 and W10.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from django.utils.translation import gettext as _

from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hands import ZERO_COUNT, Hand, Penalty, Revoke, Side, SideCounts
from rubbers.rubber.terms import BothRevokeRule, FirstScored, RubberTerms

BOOK_TRICKS = 6
"""The number of tricks of a side that score nothing."""


class Origin(StrEnum):
    """The origin of a line of a score."""

    REVOKE = "revoke"
    TRICKS = "tricks"
    HONOURS = "honours"
    CALLED = "called"


class ScoreLine(NamedTuple):
    """One change of a side's score; `points` are the points after all limits."""

    side: Side
    origin: Origin
    points: int


class HandScore(NamedTuple):
    """A scored hand: its lines, the score after them, and the side that won the game by it."""

    lines: tuple[ScoreLine, ...]
    score: SideCounts
    winner: Side | None = None


def score_hand(terms: RubberTerms, before: SideCounts, hand: Hand) -> HandScore:
    """Score one hand, given the score before it. Raises UnplayableHand."""
    hand = hand.without_dummies()
    if hand.called is not None:
        _check_called(terms, before.get_side(hand.called), hand.called)
    revoking_sides = {revoke.by for revoke in hand.revokes}
    barred_sides = set() if terms.revokers_may_win else revoking_sides
    hand_score = HandScore((), before)
    for line in _list_due_lines(terms, before, hand):
        hand_score = _add_line(terms, hand_score, line, stops=line.side in barred_sides)
        if hand_score.winner:
            break
    loser = hand_score.winner and hand_score.winner.opponents
    if terms.made_tricks_count and loser in revoking_sides and _is_won_by_penalty(hand_score):
        made_line = ScoreLine(
            loser, Origin.TRICKS, _compute_trick_points(terms, hand.tricks or ZERO_COUNT, loser)
        )
        hand_score = _add_line(terms, hand_score, made_line, stops=True)
    return hand_score


def _check_called(terms: RubberTerms, score: int, caller: Side) -> None:
    if terms.calling_at is None:
        raise UnplayableHand(_("honours can't be called in this code"))
    if score != terms.calling_at:
        message = _("side %(side)s can call only at %(calling)s, not at %(score)s")
        data = {"side": caller, "score": score, "calling": terms.calling_at}
        raise UnplayableHand(message % data)


def _list_due_lines(terms: RubberTerms, before: SideCounts, hand: Hand) -> list[ScoreLine]:
    """List the lines of a hand in order, which count until one side wins."""
    if hand.called is not None:
        return [
            ScoreLine(hand.called, Origin.CALLED, terms.game - before.get_side(hand.called))
        ]
    penalties_by_side = _list_penalties(terms, hand)
    penalties = _iter_penalty_lines(terms, penalties_by_side)
    score_after = _transfer_tricks(terms, hand.tricks or ZERO_COUNT, penalties_by_side)
    tricks = [
        ScoreLine(side, Origin.TRICKS, _compute_trick_points(terms, score_after, side))
        for side in Side
    ]
    honours = [
        ScoreLine(side, Origin.HONOURS, _compute_honour_points(terms, before, hand, side))
        for side in Side
    ]
    if terms.first is FirstScored.TRICKS:
        return [*penalties, *tricks, *honours]
    return [*penalties, *honours, *tricks]


def _add_line(
    terms: RubberTerms, hand_score: HandScore, line: ScoreLine, *, stops: bool
) -> HandScore:
    """Add a line up to the points of the game.

    A side that `stops` cannot win the game and ends one point short of it.
    """
    score = hand_score.score.get_side(line.side)
    after = max(0, min(score + line.points, terms.game - stops))
    if after == score:
        return hand_score
    return HandScore(
        lines=(*hand_score.lines, line._replace(points=after - score)),
        score=hand_score.score.with_side(line.side, after),
        winner=line.side if after == terms.game else hand_score.winner,
    )


def _list_penalties(terms: RubberTerms, hand: Hand) -> list[tuple[Side, Penalty]]:
    """List the sides that pay penalties; check that each necessary choice was made.

    Where revokes cancel, those without a penalty cancel first, then those recorded first.
    """
    if not hand.revokes:
        return []
    for revoke in hand.revokes:
        _check_penalty(terms, revoke)
    spared = 0
    if terms.both_revoke is BothRevokeRule.CANCEL:
        spared = min(len(hand.list_revokes(side)) for side in Side)
    return [
        (side, _get_penalty(terms, revoke))
        for side in Side
        for revoke in sorted(hand.list_revokes(side), key=_is_chosen)[spared:]
    ]


def _is_chosen(revoke: Revoke) -> bool:
    return revoke.penalty is not None


def _check_penalty(terms: RubberTerms, revoke: Revoke) -> None:
    if revoke.penalty is not None and revoke.penalty not in terms.penalties:
        message = _("a revoke costs %(names)s here, not %(name)s")
        data = {"names": ", ".join(terms.penalties), "name": revoke.penalty}
        raise UnplayableHand(message % data)


def _get_penalty(terms: RubberTerms, revoke: Revoke) -> Penalty:
    if revoke.penalty is not None:
        return revoke.penalty
    if len(terms.penalties) > 1:
        message = _("choose the penalty for side %(side)s’s revoke: %(names)s")
        raise UnplayableHand(message % {"side": revoke.by, "names": ", ".join(terms.penalties)})
    return terms.penalties[0]


def _iter_penalty_lines(
    terms: RubberTerms, punished: list[tuple[Side, Penalty]]
) -> Iterator[ScoreLine]:
    points = terms.penalty_points
    for side, penalty in punished:
        if penalty is Penalty.MINUS:
            yield ScoreLine(side, Origin.REVOKE, -points)
    for side, penalty in punished:
        if penalty is Penalty.PLUS:
            yield ScoreLine(side.opponents, Origin.REVOKE, points)


def _transfer_tricks(
    terms: RubberTerms, tricks: SideCounts, punished: list[tuple[Side, Penalty]]
) -> SideCounts:
    """Move tricks between the sides as penalties, at most those that the paying side made."""
    owed = {side: punished.count((side, Penalty.TRICKS)) for side in Side}
    lost = {
        side: min(owed[side] * terms.penalty_tricks, tricks.get_side(side)) for side in Side
    }
    balance = lost[Side.B] - lost[Side.A]
    return SideCounts(tricks.a + balance, tricks.b - balance)


def _compute_trick_points(terms: RubberTerms, tricks: SideCounts, side: Side) -> int:
    return terms.trick * max(0, tricks.get_side(side) - BOOK_TRICKS)


def _compute_honour_points(
    terms: RubberTerms, before: SideCounts, hand: Hand, side: Side
) -> int:
    bar = terms.honours_bar
    if not hand.claimed or (bar is not None and before.get_side(side) >= bar):
        return 0
    return {4: terms.four_honours, 3: terms.three_honours}.get(hand.honours.get_side(side), 0)


def _is_won_by_penalty(hand_score: HandScore) -> bool:
    """Return whether the game was won by the tricks or points of a penalty, not by honours.

    Revokers who made more than six tricks lose by tricks only where the penalty took them.
    """
    return hand_score.lines[-1].origin in (Origin.REVOKE, Origin.TRICKS)
