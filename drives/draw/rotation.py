"""The rotation: the four players of each table move 0, 1, 2 and 3 tables up after each round.

With T tables and a difference d between the steps of two players, the two do not meet twice in
T/gcd(T, d) rounds. The rotation is therefore used for at most as many rounds as the smallest of
these numbers. The director can announce the moves, and they are computed immediately for any
number of players. If some players rest, a returning player takes over the moves of a player who
goes to rest. This is possible if the returning player has not met anyone at the tables to which
those moves still lead.
"""

from collections.abc import Sequence
from itertools import combinations
from math import gcd

from drives.draw.random_stream import RandomStream
from drives.draw.rest_choice import choose_resting_players

GROUP_STEPS = (0, 1, 2, 3)

RoundSeats = tuple[list[int], list[int]]
"""The seats four by four, and the players who rest; players are numbered from 0."""


def can_rotate(table_count: int, round_count: int) -> bool:
    """Return whether the rotation lasts this number of rounds before two players meet again."""
    return all(
        table_count // gcd(table_count, other_step - step) >= round_count
        for step, other_step in combinations(GROUP_STEPS, 2)
    )


def build_rotation(
    moving_groups: Sequence[Sequence[int]],
    round_count: int,
    *,
    season_rest_counts: Sequence[int],
    stationary_count: int,
    random_stream: RandomStream,
) -> list[RoundSeats] | None:
    """Build the rotation for four moving groups of players, each with one player per table.

    The first group stays seated, and its first `stationary_count` players never rest.
    `season_rest_counts` has one number for each player. The players who are in no group rest
    in the first round. Returns None if a rest would make two players meet again, or if a player
    would rest twice.
    """
    table_count = len(moving_groups[0])
    if (
        round_count * (len(season_rest_counts) - 4 * table_count)
        > len(season_rest_counts) - stationary_count
    ):
        return None
    current_groups = _MovingGroups(moving_groups, round_count)
    playing_players = {player for moving_group in moving_groups for player in moving_group}
    resting_players = [
        player for player in range(len(season_rest_counts)) if player not in playing_players
    ]
    stationary_players = set(moving_groups[0][:stationary_count])
    rest_counts = [0] * len(season_rest_counts)
    seated_rounds: list[RoundSeats] = []
    for round_index in range(round_count):
        if round_index and resting_players:
            players_by_rests = choose_resting_players(
                len(season_rest_counts), rest_counts, season_rest_counts, random_stream
            )
            candidates = [
                player
                for player in players_by_rests
                if player not in resting_players and player not in stationary_players
            ]
            resting_players = [
                current_groups.exchange_resting_player(
                    player, candidates, rest_counts, round_index
                )
                for player in resting_players
            ]
            if -1 in resting_players:
                return None
        for player in resting_players:
            rest_counts[player] += 1
        seated_rounds.append((current_groups.seat_round(round_index), list(resting_players)))
    return seated_rounds


class _MovingGroups:
    """Four moving groups; all players of a group make the same moves."""

    def __init__(self, moving_groups: Sequence[Sequence[int]], round_count: int) -> None:
        self.moving_groups = [list(moving_group) for moving_group in moving_groups]
        self.table_count, self.round_count = len(moving_groups[0]), round_count
        self.position_by_player = {
            player: (group_index, index)
            for group_index, players in enumerate(self.moving_groups)
            for index, player in enumerate(players)
        }
        self.met_players_by_player: dict[int, set[int]] = {}

    def seat_round(self, round_index: int) -> list[int]:
        """Return the seats of a round, table by table, and record the meetings."""
        seats = []
        for table_index in range(self.table_count):
            table_players = [
                moving_group[(table_index - step * round_index) % self.table_count]
                for moving_group, step in zip(self.moving_groups, GROUP_STEPS, strict=True)
            ]
            for player in table_players:
                self.met_players_by_player.setdefault(player, set()).update(table_players)
            seats += table_players
        return seats

    def exchange_resting_player(
        self,
        incoming_player: int,
        candidates: list[int],
        rest_counts: Sequence[int],
        round_index: int,
    ) -> int:
        """Let a resting player take over the moves of the first candidate with suitable moves.

        Returns this candidate, who now rests and is removed from `candidates`. Returns -1 if
        no candidate has suitable moves.
        """
        for index, outgoing_player in enumerate(candidates):
            if rest_counts[outgoing_player] > rest_counts[candidates[0]]:
                break
            if not self._list_later_tablemates(
                outgoing_player, round_index
            ) & self.met_players_by_player.get(incoming_player, set()):
                del candidates[index]
                group_index, index_in_group = self.position_by_player.pop(outgoing_player)
                self.moving_groups[group_index][index_in_group] = incoming_player
                self.position_by_player[incoming_player] = (group_index, index_in_group)
                return outgoing_player
        return -1

    def _list_later_tablemates(self, player_number: int, first_round_index: int) -> set[int]:
        """Return whom a player will meet from round `first_round_index` on.

        The player and all others make the planned moves of the rotation.
        """
        own_group_index, index_in_group = self.position_by_player[player_number]
        later_tablemates = set()
        for round_index in range(first_round_index, self.round_count):
            table_index = (
                index_in_group + GROUP_STEPS[own_group_index] * round_index
            ) % self.table_count
            for group_index, step in enumerate(GROUP_STEPS):
                if group_index != own_group_index:
                    later_tablemates.add(
                        self.moving_groups[group_index][
                            (table_index - step * round_index) % self.table_count
                        ]
                    )
        return later_tablemates
