"""The time limits for corrections of the score, and what a correction may change.

"In the game until the next turn-up, in the rubber until its end": until the game of the hand is
over, any mistake is corrected. A game is over when the trump card of the next deal is turned.
After it, until the rubber is over, corrections may alter the amount of the rubber. Later only
the organiser corrects, with a reason. Two interpretations are ours: a rubber is over at the
next turn-up, as a game is, and a code without rubbers has only the first of these spans.

Source: rules W12.
"""

from enum import StrEnum

from rubbers.rubber.spell_score import ScoredHand, ScoredSpell


class CorrectionSpan(StrEnum):
    """The limits of a correction: who may make it, and to which part of the hand."""

    GAME = "game"
    """Every player at the table may correct anything."""
    RUBBER = "rubber"
    """Every player at the table may correct the amount of the rubber."""
    ORGANISER = "organiser"
    """Only the organiser may correct, with a reason."""


def find_correction_span(
    reckoning: ScoredSpell, number: int, *, turned: bool
) -> CorrectionSpan:
    """Return the limits for a correction of a hand; hands are numbered from 1.

    `turned` means that the trump card of the next deal, which has no hand yet, is face up.
    """
    after = reckoning.hands[number - 1 :]
    if _is_open(after, [bool(scored.game) for scored in after], turned=turned):
        return CorrectionSpan.GAME
    rubbers = bool(reckoning.rubbers or reckoning.unfinished_games)
    if rubbers and _is_open(after, [bool(scored.rubber) for scored in after], turned=turned):
        return CorrectionSpan.RUBBER
    return CorrectionSpan.ORGANISER


def _is_open(after: tuple[ScoredHand, ...], ends: list[bool], *, turned: bool) -> bool:
    """Return whether a game or rubber is still open to corrections.

    It is open until it ends, and after its last hand until the next turn-up.
    """
    if True not in ends:
        return True
    return ends.index(True) == len(after) - 1 and not turned
