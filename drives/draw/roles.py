"""The draw of the first round by role: firsts and seconds are drawn separately."""

from collections.abc import Mapping, Sequence

from drives.draw.participants import Participants, PlayerId, SeatedRound
from drives.draw.random_stream import RandomStream
from drives.draw.rest_choice import choose_resting_players


def draw_first_round_by_role(
    participants: Participants, roles: Mapping[PlayerId, str], secret: bytes
) -> SeatedRound:
    """Draw the first round: firsts in seats 1 and 2, seconds in 3 and 4.

    Where one role has more players than seats, the lot decides who plays in the other one;
    players without a role fill the remaining seats. One first and one second rest before two of
    a kind.
    """
    firsts, seconds = _split_by_role(
        participants, roles, RandomStream(secret, "first-round", "roles")
    )
    seats = 2 * participants.table_count  # of each role
    resting: list[PlayerId] = []
    for side, salt in ((firsts, 1), (seconds, 2)):
        random_stream = RandomStream(secret, "first-round", "rests", salt)
        rest = _choose_resting_players(participants, side, len(side) - seats, random_stream)
        side[:] = [player for player in side if player not in rest]
        resting += sorted(rest, key=str)
    _balance_roles(firsts, seconds, seats)
    tables = tuple(
        (firsts[at], firsts[at + 1], seconds[at], seconds[at + 1]) for at in range(0, seats, 2)
    )
    return SeatedRound(tables, tuple(resting))


def _split_by_role(
    participants: Participants, roles: Mapping[PlayerId, str], random_stream: RandomStream
) -> tuple[list[PlayerId], list[PlayerId]]:
    """Divide the players into firsts and seconds, in random order and in groups of nearly equal
    size.
    """
    order = [*random_stream.shuffle(participants.players), *participants.playing_house_players]
    firsts = [player for player in order if roles.get(player) == "first"]
    seconds = [player for player in order if roles.get(player) == "second"]
    with_a_role = {*firsts, *seconds}
    for player in order:
        if player not in with_a_role:
            (firsts if len(firsts) <= len(seconds) else seconds).append(player)
    while abs(len(firsts) - len(seconds)) > 1:
        larger_group, smaller_group = (
            (firsts, seconds) if len(firsts) > len(seconds) else (seconds, firsts)
        )
        smaller_group.append(larger_group.pop())
    return firsts, seconds


def _choose_resting_players(
    participants: Participants,
    players: Sequence[PlayerId],
    count: int,
    random_stream: RandomStream,
) -> set[PlayerId]:
    """Choose players of one role to rest: the players with the fewest rests this season first.

    House players never rest.
    """
    ranked_players = [
        player for player in players if player not in participants.playing_house_players
    ]
    rested = [participants.ledger.get(player, 0) for player in ranked_players]
    return {
        ranked_players[at]
        for at in choose_resting_players(
            max(0, count), [0] * len(ranked_players), rested, random_stream
        )
    }


def _balance_roles(
    firsts: list[PlayerId], seconds: list[PlayerId], seats_per_role: int
) -> None:
    """Move a player to the other role if that role is one player short of its seats."""
    for larger_group, smaller_group in ((firsts, seconds), (seconds, firsts)):
        while len(smaller_group) < seats_per_role < len(larger_group):
            smaller_group.append(larger_group.pop())
