"""The time limits for corrections of the score, and what a correction may change.

The rule: "In the game until the next turn-up, in the rubber until its end". Any mistake may be
corrected until the game of the hand is over, which is when the trump card of the next deal is
turned. After that, and until the rubber is over, corrections may change the points of the
rubber. Later only the organiser corrects, with a reason. Two interpretations are ours: a rubber
is over at the next turn-up, as a game is; a code without rubbers has only the first of these
spans.

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
    reckoning: ScoredSpell, number: int, *, is_turned_up: bool
) -> CorrectionSpan:
    """Return the limits for a correction of a hand; hands are numbered from 1.

    `turned` means that the trump card of the next deal, which has no hand yet, is face up.
    """
    later_hands = reckoning.hands[number - 1 :]
    if _is_open(
        later_hands, [bool(scored.game) for scored in later_hands], is_turned_up=is_turned_up
    ):
        return CorrectionSpan.GAME
    rubbers = bool(reckoning.rubbers or reckoning.unfinished_games)
    if rubbers and _is_open(
        later_hands, [bool(scored.rubber) for scored in later_hands], is_turned_up=is_turned_up
    ):
        return CorrectionSpan.RUBBER
    return CorrectionSpan.ORGANISER


def _is_open(
    later_hands: tuple[ScoredHand, ...], ends: list[bool], *, is_turned_up: bool
) -> bool:
    """Return whether a game or rubber is still open to corrections.

    It is open until it ends, and after its last hand until the next turn-up.
    """
    if True not in ends:
        return True
    return ends.index(True) == len(later_hands) - 1 and not is_turned_up
