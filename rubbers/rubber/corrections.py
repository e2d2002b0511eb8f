"""Decides until when players may correct a hand, and what they may correct.

Source: rules W12, "In the game until the next turn-up, in the rubber until its end". We assume
that a rubber, like a game, is over at the next turn-up. Codes without rubbers do not use
`CorrectionSpan.RUBBER`.
"""

from enum import StrEnum

from rubbers.rubber.spell_score import ScoredHand, ScoredSpell


class CorrectionSpan(StrEnum):
    """The time span in which a hand is, which decides who may correct what."""

    GAME = "game"
    """Until the game is over, every player at the table may correct anything."""
    RUBBER = "rubber"
    """Until the rubber is over, every player at the table may correct the rubber's points."""
    ORGANISER = "organiser"
    """Later, only the organiser may correct the hand, and must give a reason."""


def find_correction_span(
    scored_spell: ScoredSpell, hand_number: int, *, is_turned_up: bool
) -> CorrectionSpan:
    """Return the time span for corrections of a hand; hands are numbered from 1.

    `is_turned_up` is true if the turn-up of the next deal, which has no hand in `scored_spell`
    yet, is already visible.
    """
    later_hands = scored_spell.hands[hand_number - 1 :]
    if _is_open_to_corrections(
        later_hands,
        [bool(scored_hand.game) for scored_hand in later_hands],
        is_turned_up=is_turned_up,
    ):
        return CorrectionSpan.GAME
    has_rubbers = bool(scored_spell.rubbers or scored_spell.unfinished_games)
    if has_rubbers and _is_open_to_corrections(
        later_hands,
        [bool(scored_hand.rubber) for scored_hand in later_hands],
        is_turned_up=is_turned_up,
    ):
        return CorrectionSpan.RUBBER
    return CorrectionSpan.ORGANISER


def _is_open_to_corrections(
    later_hands: tuple[ScoredHand, ...], end_flags: list[bool], *, is_turned_up: bool
) -> bool:
    """Return whether the game or rubber of the first of `later_hands` can still be corrected.

    `end_flags` says for each hand whether the game or rubber ended with it. Corrections are
    possible until the turn-up of the next deal.
    """
    if True not in end_flags:
        return True
    return end_flags.index(True) == len(later_hands) - 1 and not is_turned_up
