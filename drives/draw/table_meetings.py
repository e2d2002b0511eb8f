"""Draws for games in which partners in seats mean nothing: no two sit together twice.

Four streams of one player per table move by different steps, so that two players of different
streams meet at most once, and two of one stream never. With four tables the five rounds are the
affine plane of order 4, in which all sixteen players meet exactly once.
"""

from collections.abc import Sequence
from dataclasses import replace

from drives.draw.evening import draw_next
from drives.draw.participants import Participants, PlayerId, SeatedRound
from drives.draw.random_stream import RandomStream
from drives.draw.rotation import STREAM_STEPS, can_rotate
from drives.draw.table_search import ROUNDS, search_tables

SEARCHED_TABLES = range(2, 9)
"""The numbers of tables at which an evening without a known plan is searched."""
Moves = tuple[tuple[int, ...], ...]
"""The moves of the four streams, by round."""

FOUR_TABLES: Moves = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""The moves of the four streams in four rounds, as multiples in the field of four elements."""
IRREGULAR_MOVES: dict[int, Moves] = {
    6: ((0, 0, 0, 0), (0, 1, 5, 2), (0, 2, 3, 4), (0, 3, 2, 1), (0, 4, 1, 3)),
    8: ((0, 0, 0, 0), (0, 1, 5, 7), (0, 2, 7, 4), (0, 3, 4, 2), (0, 4, 6, 1)),
    9: ((0, 0, 0, 0), (0, 1, 4, 2), (0, 2, 8, 4), (0, 3, 7, 8), (0, 4, 5, 7)),
    12: ((0, 0, 0, 0), (0, 1, 2, 9), (0, 2, 1, 5), (0, 3, 6, 7), (0, 4, 8, 6)),
}
"""The moves of the streams by round, where a multiple of their steps would repeat a meeting.

All differences between two streams are different. Found by search.
"""


def draw_table_rounds(
    participants: Participants, rounds: int, secret: bytes, played: Sequence[SeatedRound]
) -> tuple[SeatedRound, ...]:
    """Draw the next rounds so that two players sit together as rarely as possible.

    Without wishes, the first five rounds are planned together, also where players chose their
    seats of the first one: from 19 players on, and with 15 or 16, no two of them meet twice.
    Other rounds are drawn with memory of all meetings.
    """
    plan = plan_table_rounds(participants, secret)
    plans = [plan, _follow_first_round(plan, played[0], secret)] if plan and played else [plan]
    drawn: list[SeatedRound] = []
    for _round in range(rounds):
        so_far = (*played, *drawn)
        place = len(so_far)
        planned = [each[place] for each in plans if each[:place] == so_far and each[place:]]
        if planned:
            drawn.append(planned[0])
        else:
            equally = replace(participants, meets_at_tables=True)
            drawn.append(draw_next(equally, secret, played=so_far))
    return tuple(drawn)


def plan_table_rounds(participants: Participants, secret: bytes) -> tuple[SeatedRound, ...]:
    """Return five rounds in which two players meet again as rarely as is known.

    There is no plan for players with wishes, nor for a large number of which some rest.
    """
    size = participants.table_count
    if not participants.has_no_wishes:
        return ()
    players = RandomStream(secret, "tables").shuffle(list(participants.players))
    if size in SEARCHED_TABLES and (participants.resting_count or size < len(STREAM_STEPS)):
        return _seat_searched_rounds(players)
    if participants.resting_count:
        return ()
    streams = [players[at : at + size] for at in range(0, 4 * size, size)]
    if size == len(STREAM_STEPS):
        rounds = [_seat_streams(streams, moves, is_plane=True) for moves in FOUR_TABLES]
        return (*rounds, SeatedRound(tuple((a, b, c, d) for a, b, c, d in streams)))
    if size in IRREGULAR_MOVES:
        all_moves = IRREGULAR_MOVES[size]
    elif can_rotate(size, ROUNDS):
        all_moves = tuple((0, number, 2 * number, 3 * number) for number in range(ROUNDS))
    else:
        return ()
    return tuple(_seat_streams(streams, moves) for moves in all_moves)


def _follow_first_round(
    plan: Sequence[SeatedRound], first: SeatedRound, secret: bytes
) -> tuple[SeatedRound, ...]:
    """Return the plan with its players renamed, so that it begins with a given first round.

    It is empty if other players took part in that round.
    """
    chance = RandomStream(secret, "newcomers")
    names: dict[PlayerId, PlayerId] = {}
    groups = [*chance.shuffle(first.tables), first.rest]
    for planned, seated in zip([*plan[0].tables, plan[0].rest], groups, strict=False):
        names |= zip(planned, chance.shuffle(seated), strict=False)
    if names.keys() != set(names.values()):
        return ()
    renamed = [
        SeatedRound(
            tuple((names[a], names[b], names[c], names[d]) for a, b, c, d in each.tables),
            tuple(sorted((names[player] for player in each.rest), key=str)),
        )
        for each in plan[1:]
    ]
    return (first, *renamed)


def _seat_searched_rounds(players: Sequence[PlayerId]) -> tuple[SeatedRound, ...]:
    rounds = []
    for row in search_tables(len(players)):
        seats = [players[at] for at in row]
        rest = sorted(set(players) - set(seats), key=str)
        tables = tuple(
            (one, two, three, four)
            for one, two, three, four in (seats[at : at + 4] for at in range(0, len(seats), 4))
        )
        rounds.append(SeatedRound(tables, tuple(rest)))
    return tuple(rounds)


def _seat_streams(
    streams: Sequence[Sequence[PlayerId]], moves: Sequence[int], *, is_plane: bool = False
) -> SeatedRound:
    """Seat each stream after its move; in the plane a move is added as in its field."""
    size = len(streams[0])
    tables = []
    for table in range(size):
        at = [table ^ move if is_plane else (table - move) % size for move in moves]
        one, two, three, four = (stream[n] for stream, n in zip(streams, at, strict=True))
        tables.append((one, two, three, four))
    return SeatedRound(tuple(tables))
