"""The trumps of a drive's hands: a cycle over all rounds, or a choice of each table."""

from drives.models import Drive
from drives.models.drives import TRUMPS_DECLARED, TRUMPS_TURNED_UP


def compute_round_trumps(drive: Drive, number: int) -> str:
    """Return the trumps of a round's hands, a letter each; "" where each table decides."""
    cycle = drive.trumps
    if cycle in (TRUMPS_TURNED_UP, TRUMPS_DECLARED) or not cycle:
        return ""
    first = (number - 1) * drive.hands
    hands = min(drive.hands, 20)  # a longer round repeats the cycle
    return "".join(cycle[(first + hand) % len(cycle)] for hand in range(hands))
