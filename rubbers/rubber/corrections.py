"""Decides until when players may correct a hand, and what they may correct.

Source: rules W12, "In the game until the next turn-up, in the rubber until its end". We assume
that a rubber, like a game, is over at the next turn-up. Codes without rubbers do not use
`CorrectionStage.RUBBER`.
"""

from enum import StrEnum

from rubbers.rubber.spell_score import ScoredHand, ScoredSpell


class CorrectionStage(StrEnum):
    """The stage of correcting a hand; it decides who may correct the hand, and what."""

    GAME = "game"
    """Until the game is over, every player at the table may correct anything."""
    RUBBER = "rubber"
    """Until the rubber is over, every player at the table may correct the rubber's points."""
    ORGANISER_ONLY = "organiser"
    """Later, only the organiser may correct the hand, and must give a reason."""


def find_correction_stage(
    scored_spell: ScoredSpell, hand_number: int, *, has_next_turn_up: bool
) -> CorrectionStage:
    """Return the stage of correcting a hand; hands are numbered from 1.

    `has_next_turn_up` is true if the trump of the next deal is already turned up. This deal is
    not in `scored_spell` yet.
    """
    later_hands = scored_spell.hands[hand_number - 1 :]
    if _is_open_to_corrections(
        later_hands,
        [bool(scored_hand.won_game) for scored_hand in later_hands],
        has_next_turn_up=has_next_turn_up,
    ):
        return CorrectionStage.GAME
    has_rubbers = bool(scored_spell.rubbers or scored_spell.unfinished_games)
    if has_rubbers and _is_open_to_corrections(
        later_hands,
        [bool(scored_hand.won_rubber) for scored_hand in later_hands],
        has_next_turn_up=has_next_turn_up,
    ):
        return CorrectionStage.RUBBER
    return CorrectionStage.ORGANISER_ONLY


def _is_open_to_corrections(
    later_hands: tuple[ScoredHand, ...],
    is_final_hand_flags: list[bool],
    *,
    has_next_turn_up: bool,
) -> bool:
    """Return whether `later_hands[0]` can be corrected, because its game or rubber is not over.

    `is_final_hand_flags[i]` is true if the game (or rubber) ended with `later_hands[i]`. It is
    over only at the turn-up of the next deal.
    """
    if True not in is_final_hand_flags:
        return True
    return is_final_hand_flags.index(True) == len(later_hands) - 1 and not has_next_turn_up
