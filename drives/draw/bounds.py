"""Lower bounds for the number of coincidences.

A coincidence is another meeting of two players who have already met. Two players who were
partners p times add p(p-1)/2 coincidences of partners. Coincidences of opponents are counted in
the same way. No plan can have fewer coincidences than the bound, so a plan that reaches it is
optimal.
"""

from collections.abc import Sequence


def compute_min_coincidences(meeting_count: int, pair_count: int) -> int:
    """Return the number of coincidences when meetings are distributed evenly over pairs."""
    if not pair_count:
        return 0
    meetings_per_pair, extra_meeting_count = divmod(meeting_count, pair_count)
    return (
        pair_count * (meetings_per_pair * (meetings_per_pair - 1) // 2)
        + extra_meeting_count * meetings_per_pair
    )


def compute_coincidence_bound(meeting_counts: Sequence[int]) -> int:
    """Return the lower bound of coincidences, from each player's number of meetings.

    House players are not counted. Two bounds are computed, one from all pairs together and one
    from each player alone; the greater one is returned.
    """
    player_count = len(meeting_counts)
    return max(
        compute_min_coincidences(
            sum(meeting_counts) // 2, player_count * (player_count - 1) // 2
        ),
        -(
            -sum(
                compute_min_coincidences(meeting_count, player_count - 1)
                for meeting_count in meeting_counts
            )
            // 2
        ),
    )
