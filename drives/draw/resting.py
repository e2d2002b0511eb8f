"""Who rests where the players do not fill the tables: those who rested least, then the lot."""

from collections.abc import Sequence

from drives.draw.chance import Chance


def who_rests(
    count: int, rested: Sequence[int], ledger: Sequence[int], chance: Chance
) -> list[int]:
    """Choose so many players to rest, by their numbers from 0.

    Tonight's rests come first, so that nobody rests again before everybody has; then the rests
    of the season, and then the lot.
    """
    if not count:
        return []
    order = chance.shuffled(range(len(rested)))
    return sorted(order, key=lambda player: (rested[player], ledger[player]))[:count]
