"""Lower bounds for coincidences, by counting.

Two players who were partners p times make p(p-1)/2 coincidences, and likewise as opponents. The
bound is proved by counting; a plan that reaches it is therefore optimal.
"""

from collections.abc import Sequence


def compute_even_coincidences(meetings: int, pairs: int) -> int:
    """Return the number of coincidences when meetings are distributed evenly over pairs."""
    if not pairs:
        return 0
    times, more = divmod(meetings, pairs)
    return pairs * (times * (times - 1) // 2) + more * times


def compute_coincidence_bound(meetings: Sequence[int]) -> int:
    """Return the lower bound of coincidences, from each player's number of meetings.

    House players are not counted. The bound is the greater of a count over all pairs and a
    count player by player.
    """
    players = len(meetings)
    return max(
        compute_even_coincidences(sum(meetings) // 2, players * (players - 1) // 2),
        -(-sum(compute_even_coincidences(each, players - 1) for each in meetings) // 2),
    )
