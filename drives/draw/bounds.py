"""How few coincidences there can be, by counting alone.

Two players who were partners p times make p(p-1)/2 coincidences, and likewise as opponents. A
bound is proved by counting; that a plan reaches it proves that plan the best there is.
"""

from collections.abc import Sequence


def spread(meetings: int, pairs: int) -> int:
    """The coincidences of meetings that are spread over pairs as evenly as can be."""
    if not pairs:
        return 0
    times, more = divmod(meetings, pairs)
    return pairs * (times * (times - 1) // 2) + more * times


def least_coincidences(meetings: Sequence[int]) -> int:
    """The fewest coincidences, from how many partners (or opponents) each player has in all.

    A player has one partner a round and two opponents, house players left out. It is counted
    over all pairs at once, and player by player; the greater is the bound.
    """
    players = len(meetings)
    return max(
        spread(sum(meetings) // 2, players * (players - 1) // 2),
        -(-sum(spread(each, players - 1) for each in meetings) // 2),
    )
