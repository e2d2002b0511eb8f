"""Choose the players who rest: those with the fewest rests, at random among equals."""

from collections.abc import Sequence

from drives.draw.random_stream import RandomStream


def choose_resting_players(
    resting_player_count: int,
    rest_counts: Sequence[int],
    season_rest_counts: Sequence[int],
    random_stream: RandomStream,
) -> list[int]:
    """Choose the `resting_player_count` players who rest in a round.

    Players are numbered from 0. The rests of this evening are compared first, so no player
    rests again before all others have rested. If they are equal, the rests of the season
    decide. If these are equal too, the choice is random.
    """
    if not resting_player_count:
        return []
    shuffled_players = random_stream.shuffle(range(len(rest_counts)))
    return sorted(
        shuffled_players, key=lambda player: (rest_counts[player], season_rest_counts[player])
    )[:resting_player_count]
