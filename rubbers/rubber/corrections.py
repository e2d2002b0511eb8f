"""Until when a mistake in the score is put right as of right, and what it changes.

"In the game until the next turn-up, in the rubber until its end": while the game of the hand
is not over (it is over when the next deal's trump card is turned) any mistake is put right;
after it, until the rubber is over, what alters the amount of the rubber; later the organiser
is asked and says why. That a rubber is over at the next turn-up, as a game is, and that a code
without rubbers has the first of these spans alone, are readings of ours.
Source: rules W12.
"""

from enum import StrEnum

from rubbers.rubber.reckoning import Reckoning, ScoredHand


class Span(StrEnum):
    """Who may put a hand right, and what of it."""

    GAME = "game"
    """Anybody at the table, anything."""
    RUBBER = "rubber"
    """Anybody at the table, what alters the amount of the rubber."""
    ORGANISER = "organiser"
    """The organiser, with a reason."""


def span(reckoning: Reckoning, number: int, *, turned: bool) -> Span:
    """Tell who may put a hand right, counted from 1.

    `turned` says that the trump card of the next deal, which has no line yet, lies open.
    """
    after = reckoning.hands[number - 1 :]
    if _is_open(after, [bool(scored.game) for scored in after], turned=turned):
        return Span.GAME
    rubbers = bool(reckoning.rubbers or reckoning.running)
    if rubbers and _is_open(after, [bool(scored.rubber) for scored in after], turned=turned):
        return Span.RUBBER
    return Span.ORGANISER


def _is_open(after: tuple[ScoredHand, ...], ends: list[bool], *, turned: bool) -> bool:
    """Tell whether nothing has ended since, or only just, before the next turn-up."""
    if True not in ends:
        return True
    return ends.index(True) == len(after) - 1 and not turned
