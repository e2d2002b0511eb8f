"""A hand from a book, scored by Pole's code: the example on the page of rubber nights.

Source: The Standard Hoyle (1912), Whist by W. Pole, Example IV: "A and C make 3 by cards and 2
by honors, winning a treble".
"""

from dataclasses import dataclass
from functools import cache

from boards.whist import Play, Rank, Side
from boards.worked_hands import WorkedHand, read_worked_hands
from rubbers.rubber.codes import POLE_CODE
from rubbers.rubber.hand_score import PointsOrigin
from rubbers.rubber.hands import Hand, SideCounts
from rubbers.rubber.hands import Side as RubberSide
from rubbers.rubber.spell_score import score_hands


@dataclass(frozen=True, slots=True)
class ScoredExample:
    """A hand from a book, with its score if it is the first hand of a game."""

    hand: WorkedHand
    tricks: int
    """The tricks of side A (N-S); all other numbers are side A's as well."""
    trick_points: int
    honour_points: int
    score: int
    game_value: int | None


@cache
def build_scored_example() -> ScoredExample:
    """Score Pole's example IV as the first hand of a game; side A is N-S, side B is E-W."""
    hand = read_worked_hands()["pole-4"]
    honours = SideCounts(*(_count_honours(hand.play, side) for side in (Side.NS, Side.EW)))
    tricks = SideCounts(hand.ns_tricks, 13 - hand.ns_tricks)
    scored_hand = score_hands(POLE_CODE.terms, [Hand(tricks=tricks, honours=honours)]).hands[0]
    points_by_origin = {
        line.points_origin: line.points
        for line in scored_hand.score_lines
        if line.side is RubberSide.A
    }
    return ScoredExample(
        hand=hand,
        tricks=tricks.a,
        trick_points=points_by_origin.get(PointsOrigin.TRICKS, 0),
        honour_points=points_by_origin.get(PointsOrigin.HONOURS, 0),
        score=scored_hand.score.a,
        game_value=scored_hand.won_game.value if scored_hand.won_game else None,
    )


def _count_honours(play: Play, side: Side) -> int:
    """Count the honours of one side: ace, king, queen and knave of trumps (rules W3)."""
    trumps = play.deal.trumps
    return sum(
        card.suit is trumps and card.rank >= Rank.JACK
        for seat, cards in play.deal.hands.items()
        if seat.side is side
        for card in cards
    )
