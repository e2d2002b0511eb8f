"""The trumps of a drive's hands: a cycle that goes on from round to round, or the table's."""

from drives.models import Drive
from drives.models.drives import DECLARED, TURNED


def trumps_of(drive: Drive, number: int) -> str:
    """The trumps of a round's hands in turn, a letter each; empty where the table says."""
    cycle = drive.trumps
    if cycle in (TURNED, DECLARED) or not cycle:
        return ""
    first = (number - 1) * drive.hands
    hands = min(drive.hands, 20)  # of a long round the beginning, which goes on alike
    return "".join(cycle[(first + hand) % len(cycle)] for hand in range(hands))
