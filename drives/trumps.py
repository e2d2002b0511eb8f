"""The trumps of a drive's hands: a cycle over all rounds, or a choice of each table."""

from drives.models import Drive
from drives.models.drives import TRUMPS_DECLARED, TRUMPS_TURNED_UP


def compute_round_trumps(drive: Drive, round_number: int) -> str:
    """Return the trumps of a round's hands, a letter each; "" where each table decides."""
    suit_cycle = drive.trumps
    if suit_cycle in (TRUMPS_TURNED_UP, TRUMPS_DECLARED) or not suit_cycle:
        return ""
    first_hand = (round_number - 1) * drive.hands
    hand_count = min(drive.hands, 20)  # a longer round repeats the cycle
    return "".join(
        suit_cycle[(first_hand + hand) % len(suit_cycle)] for hand in range(hand_count)
    )
