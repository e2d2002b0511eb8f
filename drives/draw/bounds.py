"""Lower bounds for the number of coincidences.

Two players who were partners p times make p(p-1)/2 coincidences, and likewise as opponents. The
bound is proved by counting; a plan that reaches it is therefore optimal.
"""

from collections.abc import Sequence


def compute_even_coincidences(meetings: int, pairs: int) -> int:
    """Return the number of coincidences when meetings are distributed evenly over pairs."""
    if not pairs:
        return 0
    meetings_per_pair, pairs_with_one_more = divmod(meetings, pairs)
    return (
        pairs * (meetings_per_pair * (meetings_per_pair - 1) // 2)
        + pairs_with_one_more * meetings_per_pair
    )


def compute_coincidence_bound(meetings: Sequence[int]) -> int:
    """Return the lower bound of coincidences, from each player's number of meetings.

    House players are not counted. The bound is the greater of a count over all pairs and a
    count player by player.
    """
    players = len(meetings)
    return max(
        compute_even_coincidences(sum(meetings) // 2, players * (players - 1) // 2),
        -(-sum(compute_even_coincidences(meeting, players - 1) for meeting in meetings) // 2),
    )
