"""The draw of the first round by role: firsts and seconds are drawn separately."""

from collections.abc import Mapping, Sequence

from drives.draw.participants import Participants, PlayerId, SeatedRound
from drives.draw.random_stream import RandomStream
from drives.draw.rest_choice import choose_resting_players


def draw_first_round_by_role(
    participants: Participants, role_by_player: Mapping[PlayerId, str], secret: bytes
) -> SeatedRound:
    """Draw the first round of a drive in which players have the role "first" or "second".

    Firsts get seats 1 and 2 of each table, seconds seats 3 and 4. Players without a role fill
    the smaller group. If the groups still differ by more than one player, players chosen by lot
    play in the other role. Two firsts rest only if a second rests too, and two seconds only if
    a first rests too.
    """
    first_role_players, second_role_players = _split_by_role(
        participants, role_by_player, RandomStream(secret, "first-round", "roles")
    )
    seats_per_role = 2 * participants.table_count
    resting_players: list[PlayerId] = []
    for role_players, role_number in ((first_role_players, 1), (second_role_players, 2)):
        random_stream = RandomStream(secret, "first-round", "rests", role_number)
        role_resting_players = _choose_resting_players(
            participants, role_players, len(role_players) - seats_per_role, random_stream
        )
        role_players[:] = [
            player for player in role_players if player not in role_resting_players
        ]
        resting_players += sorted(role_resting_players, key=str)
    _balance_roles(first_role_players, second_role_players, seats_per_role)
    tables = tuple(
        (
            first_role_players[index],
            first_role_players[index + 1],
            second_role_players[index],
            second_role_players[index + 1],
        )
        for index in range(0, seats_per_role, 2)
    )
    return SeatedRound(tables, tuple(resting_players))


def _split_by_role(
    participants: Participants,
    role_by_player: Mapping[PlayerId, str],
    random_stream: RandomStream,
) -> tuple[list[PlayerId], list[PlayerId]]:
    """Divide the players into firsts and seconds, in random order and in groups of nearly equal
    size.
    """
    ordered_players = [
        *random_stream.shuffle(participants.players),
        *participants.playing_house_players,
    ]
    first_role_players = [
        player for player in ordered_players if role_by_player.get(player) == "first"
    ]
    second_role_players = [
        player for player in ordered_players if role_by_player.get(player) == "second"
    ]
    players_with_role = {*first_role_players, *second_role_players}
    for player in ordered_players:
        if player not in players_with_role:
            (
                first_role_players
                if len(first_role_players) <= len(second_role_players)
                else second_role_players
            ).append(player)
    while abs(len(first_role_players) - len(second_role_players)) > 1:
        larger_group, smaller_group = (
            (first_role_players, second_role_players)
            if len(first_role_players) > len(second_role_players)
            else (second_role_players, first_role_players)
        )
        smaller_group.append(larger_group.pop())
    return first_role_players, second_role_players


def _choose_resting_players(
    participants: Participants,
    players: Sequence[PlayerId],
    resting_count: int,
    random_stream: RandomStream,
) -> set[PlayerId]:
    """Choose players of one role to rest: the players with the fewest rests this season first.

    House players never rest.
    """
    rest_candidates = [
        player for player in players if player not in participants.playing_house_players
    ]
    season_rest_counts = [
        participants.season_rest_counts.get(player, 0) for player in rest_candidates
    ]
    return {
        rest_candidates[index]
        for index in choose_resting_players(
            max(0, resting_count), [0] * len(rest_candidates), season_rest_counts, random_stream
        )
    }


def _balance_roles(
    first_role_players: list[PlayerId], second_role_players: list[PlayerId], seats_per_role: int
) -> None:
    """Move players from the role with too many players to the role with too few, in place.

    Each role then has `seats_per_role` players, if there are enough players in all.
    """
    for larger_group, smaller_group in (
        (first_role_players, second_role_players),
        (second_role_players, first_role_players),
    ):
        while len(smaller_group) < seats_per_role < len(larger_group):
            smaller_group.append(larger_group.pop())
