"""Choose the players who rest: those with the fewest rests; ties are broken at random."""

from collections.abc import Sequence

from drives.draw.random_stream import RandomStream


def choose_resting_players(
    count: int, rested: Sequence[int], ledger: Sequence[int], random_stream: RandomStream
) -> list[int]:
    """Choose the `count` players who rest in a round; players are numbered from 0.

    Tonight's rests count first, so that no player rests again before all have; then the rests
    of the season, and then the lot.
    """
    if not count:
        return []
    order = random_stream.shuffle(range(len(rested)))
    return sorted(order, key=lambda player: (rested[player], ledger[player]))[:count]
