"""Draws for games without fixed partners, with as few repeated meetings at a table as possible.

Four groups of one player per table move by different steps, so that two players of different
groups meet at most once, and two of one group never. With four tables, the five rounds are
the affine plane of order 4, in which any two of the sixteen players meet exactly once.
"""

from collections.abc import Sequence
from dataclasses import replace

from drives.draw.evening import draw_next_round
from drives.draw.participants import Participants, PlayerId, SeatedRound
from drives.draw.random_stream import RandomStream
from drives.draw.rotation import GROUP_STEPS, can_rotate
from drives.draw.table_search import MAX_SEARCHED_ROUNDS, search_tables

SEARCHED_TABLE_COUNTS = range(2, 9)
"""The numbers of tables for which `search_tables` is used if no other plan is known."""
GroupOffsetsByRound = tuple[tuple[int, ...], ...]
"""For each round, how many tables each of the four groups has moved since the first round."""

FOUR_TABLE_OFFSETS: GroupOffsetsByRound = (
    (0, 0, 0, 0),
    (0, 1, 2, 3),
    (0, 2, 3, 1),
    (0, 3, 1, 2),
)
"""The offsets of the four moving groups in four rounds with four tables.

They are elements of the finite field with four elements, not numbers of tables.
"""
OFFSETS_BY_TABLE_COUNT: dict[int, GroupOffsetsByRound] = {
    6: ((0, 0, 0, 0), (0, 1, 5, 2), (0, 2, 3, 4), (0, 3, 2, 1), (0, 4, 1, 3)),
    8: ((0, 0, 0, 0), (0, 1, 5, 7), (0, 2, 7, 4), (0, 3, 4, 2), (0, 4, 6, 1)),
    9: ((0, 0, 0, 0), (0, 1, 4, 2), (0, 2, 8, 4), (0, 3, 7, 8), (0, 4, 5, 7)),
    12: ((0, 0, 0, 0), (0, 1, 2, 9), (0, 2, 1, 5), (0, 3, 6, 7), (0, 4, 8, 6)),
}
"""The offsets for numbers of tables at which constant steps would repeat a meeting.

The difference between two groups is different in each round. A search found the offsets.
"""


def draw_table_rounds(
    participants: Participants,
    round_count: int,
    secret: bytes,
    played_rounds: Sequence[SeatedRound],
) -> tuple[SeatedRound, ...]:
    """Draw the next rounds so that two players sit together as rarely as possible.

    Without preferences, the first five rounds are planned together, even if the players chose
    their seats of the first round. With 15, 16, or at least 19 players, no two players then
    meet twice. All other rounds are drawn one by one, so that they repeat few meetings.
    """
    plan = plan_table_rounds(participants, secret)
    plans = (
        [plan, _fit_plan_to_first_round(plan, played_rounds[0], secret)]
        if plan and played_rounds
        else [plan]
    )
    drawn_rounds: list[SeatedRound] = []
    for _round in range(round_count):
        earlier_rounds = (*played_rounds, *drawn_rounds)
        round_index = len(earlier_rounds)
        planned_rounds = [
            possible_plan[round_index]
            for possible_plan in plans
            if possible_plan[:round_index] == earlier_rounds and possible_plan[round_index:]
        ]
        if planned_rounds:
            drawn_rounds.append(planned_rounds[0])
        else:
            participants_avoiding_table_repeats = replace(
                participants, should_avoid_table_repeats=True
            )
            drawn_rounds.append(
                draw_next_round(
                    participants_avoiding_table_repeats, secret, played_rounds=earlier_rounds
                )
            )
    return tuple(drawn_rounds)


def plan_table_rounds(participants: Participants, secret: bytes) -> tuple[SeatedRound, ...]:
    """Return five rounds with the smallest known number of repeated meetings at a table.

    Returns () if the draw depends on more than the number of players, for example on
    preferences, or if no such plan is known for the number of players.
    """
    table_count = participants.table_count
    if not participants.has_no_preferences:
        return ()
    players = RandomStream(secret, "tables").shuffle(list(participants.players))
    if table_count in SEARCHED_TABLE_COUNTS and (
        participants.resting_count or table_count < len(GROUP_STEPS)
    ):
        return _search_seated_rounds(players)
    if participants.resting_count:
        return ()
    moving_groups = [
        players[start : start + table_count] for start in range(0, 4 * table_count, table_count)
    ]
    if table_count == len(GROUP_STEPS):
        rounds = [
            _seat_moving_groups(moving_groups, offsets, uses_affine_plane=True)
            for offsets in FOUR_TABLE_OFFSETS
        ]
        return (*rounds, SeatedRound(tuple((a, b, c, d) for a, b, c, d in moving_groups)))
    if table_count in OFFSETS_BY_TABLE_COUNT:
        offsets_by_round = OFFSETS_BY_TABLE_COUNT[table_count]
    elif can_rotate(table_count, MAX_SEARCHED_ROUNDS):
        offsets_by_round = tuple(
            (0, round_index, 2 * round_index, 3 * round_index)
            for round_index in range(MAX_SEARCHED_ROUNDS)
        )
    else:
        return ()
    return tuple(_seat_moving_groups(moving_groups, offsets) for offsets in offsets_by_round)


def _fit_plan_to_first_round(
    planned_rounds: Sequence[SeatedRound], first_round: SeatedRound, secret: bytes
) -> tuple[SeatedRound, ...]:
    """Return the plan with other names in its seats, so that its first round is `first_round`.

    Returns () if the players of `first_round` are not the players of the plan.
    """
    random_stream = RandomStream(secret, "newcomers")
    seated_player_by_planned_player: dict[PlayerId, PlayerId] = {}
    seated_groups = [*random_stream.shuffle(first_round.tables), first_round.resting_players]
    for planned_players, seated_players in zip(
        [*planned_rounds[0].tables, planned_rounds[0].resting_players],
        seated_groups,
        strict=False,
    ):
        seated_player_by_planned_player |= zip(
            planned_players, random_stream.shuffle(seated_players), strict=False
        )
    if seated_player_by_planned_player.keys() != set(seated_player_by_planned_player.values()):
        return ()
    later_rounds = [
        SeatedRound(
            tuple(
                (
                    seated_player_by_planned_player[a],
                    seated_player_by_planned_player[b],
                    seated_player_by_planned_player[c],
                    seated_player_by_planned_player[d],
                )
                for a, b, c, d in round_.tables
            ),
            tuple(
                sorted(
                    (
                        seated_player_by_planned_player[player]
                        for player in round_.resting_players
                    ),
                    key=str,
                )
            ),
        )
        for round_ in planned_rounds[1:]
    ]
    return (first_round, *later_rounds)


def _search_seated_rounds(players: Sequence[PlayerId]) -> tuple[SeatedRound, ...]:
    rounds = []
    for player_indexes in search_tables(len(players)):
        seats = [players[index] for index in player_indexes]
        resting_players = sorted(set(players) - set(seats), key=str)
        tables = tuple(
            (player_1, player_2, player_3, player_4)
            for player_1, player_2, player_3, player_4 in (
                seats[index : index + 4] for index in range(0, len(seats), 4)
            )
        )
        rounds.append(SeatedRound(tables, tuple(resting_players)))
    return tuple(rounds)


def _seat_moving_groups(
    moving_groups: Sequence[Sequence[PlayerId]],
    offsets: Sequence[int],
    *,
    uses_affine_plane: bool = False,
) -> SeatedRound:
    """Seat one round, in which group k has moved by `offsets[k]` since the first round.

    At each table sits the player of group k with the index table - `offsets[k]`, modulo the
    number of tables. If `uses_affine_plane` is true, the index is table XOR `offsets[k]`. XOR
    is the addition of the finite field with four elements.
    """
    table_count = len(moving_groups[0])
    tables = []
    for table_index in range(table_count):
        player_indexes = [
            table_index ^ offset if uses_affine_plane else (table_index - offset) % table_count
            for offset in offsets
        ]
        player_1, player_2, player_3, player_4 = (
            moving_group[index]
            for moving_group, index in zip(moving_groups, player_indexes, strict=True)
        )
        tables.append((player_1, player_2, player_3, player_4))
    return SeatedRound(tuple(tables))
