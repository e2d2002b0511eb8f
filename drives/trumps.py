"""Computes the trumps of a drive's rounds."""

from drives.models import Drive
from drives.models.drives import TRUMPS_DECLARED, TRUMPS_TURNED_UP


def compute_round_trumps(drive: Drive, round_number: int) -> str:
    """Return one letter for the trumps of each hand of a round; "" if the tables decide."""
    suit_cycle = drive.trumps
    if suit_cycle in (TRUMPS_TURNED_UP, TRUMPS_DECLARED) or not suit_cycle:
        return ""
    first_hand = (round_number - 1) * drive.hands
    hand_count = min(drive.hands, 20)  # the field has 20 characters; further hands repeat them
    return "".join(
        suit_cycle[(first_hand + hand) % len(suit_cycle)] for hand in range(hand_count)
    )
