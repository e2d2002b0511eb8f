"""A printed hand scored by Pole's code, as the example on the page of rubber nights.

Source: The Standard Hoyle (1912), Whist by W. Pole, Example IV: "A and C make 3 by cards and 2
by honors, winning a treble".
"""

from dataclasses import dataclass
from functools import cache

from boards.whist import Play, Rank, Side
from boards.worked_hands import WorkedHand, read_worked_hands
from rubbers.rubber.codes import POLE
from rubbers.rubber.hand_score import Origin
from rubbers.rubber.hands import Hand, SideCounts
from rubbers.rubber.hands import Side as RubberSide
from rubbers.rubber.spell_score import score_hands


@dataclass(frozen=True, slots=True)
class ScoredExample:
    """A printed hand with its score at love: points by tricks and honours, game value."""

    hand: WorkedHand
    tricks: int
    trick_points: int
    honour_points: int
    score: int
    game_value: int | None


@cache
def build_scored_example() -> ScoredExample:
    """Score Pole's example IV from love all; sides A and B are N-S and E-W."""
    hand = read_worked_hands()["pole-4"]
    snapshot = SideCounts(*(_count_honours(hand.play, side) for side in (Side.NS, Side.EW)))
    tricks = SideCounts(hand.ns_tricks, 13 - hand.ns_tricks)
    scored = score_hands(POLE.terms, [Hand(tricks=tricks, honours=snapshot)]).hands[0]
    points = {line.origin: line.points for line in scored.lines if line.side is RubberSide.A}
    return ScoredExample(
        hand=hand,
        tricks=tricks.a,
        trick_points=points.get(Origin.TRICKS, 0),
        honour_points=points.get(Origin.HONOURS, 0),
        score=scored.score.a,
        game_value=scored.game.value if scored.game else None,
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
