"""The choice of players to rest: those with the fewest rests, then by lot."""

from collections.abc import Sequence

from drives.draw.random_stream import RandomStream


def choose_resting_players(
    count: int, rested: Sequence[int], ledger: Sequence[int], chance: RandomStream
) -> list[int]:
    """Choose `count` players to rest, by their numbers from 0.

    Tonight's rests count first, so that no player rests again before all have; then the rests
    of the season, and then the lot.
    """
    if not count:
        return []
    order = chance.shuffle(range(len(rested)))
    return sorted(order, key=lambda player: (rested[player], ledger[player]))[:count]
