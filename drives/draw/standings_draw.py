"""The draw of a round from the standings: ranks 1 to 4 sit at table 1, and so on.

At each table the highest and the lowest rank are partners. Repeated partners are avoided if
possible: the four players take other partners, or a player of lower rank moves up.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from drives.draw.annealing import draw_round
from drives.draw.memory import REPEATED_PARTNER_COST, MeetingCosts
from drives.draw.participants import Participants, PlayerId, SeatedRound, Seats
from drives.draw.random_stream import RandomStream
from drives.draw.rest_choice import choose_resting_players

MAX_RANK_DIFFERENCE = 7
"""The other players of a table are at most this many ranks below its first player."""

MAX_SEARCH_STEPS, MAX_TRIES = 5_000, 60_000

Pair = frozenset[PlayerId]
PartnerCheck = Callable[[PlayerId, PlayerId], bool]
"""A function that returns whether two players may be partners."""


def draw_by_standings(
    participants: Participants,
    ranked_players: Sequence[PlayerId],
    secret: bytes,
    *,
    played_rounds: Sequence[SeatedRound] = (),
) -> SeatedRound:
    """Draw the next round from the present standings, in which the best player is first.

    Players who are not in the standings are placed last. Resting players are chosen as in every
    other draw.
    """
    rank_by_player = {player: index for index, player in enumerate(ranked_players)}
    random_stream = RandomStream(secret, "standing", len(played_rounds) + 1)
    players = participants.players
    rest_counts = [
        participants.missed_round_counts.get(player, 0)
        + sum(player in round_.resting_players for round_ in played_rounds)
        for player in players
    ]
    season_rest_counts = [participants.season_rest_counts.get(player, 0) for player in players]
    resting_players = {
        players[k]
        for k in choose_resting_players(
            participants.resting_count, rest_counts, season_rest_counts, random_stream
        )
    }
    playing_players = sorted(
        [
            *(player for player in players if player not in resting_players),
            *participants.playing_house_players,
        ],
        key=lambda player: rank_by_player.get(player, len(rank_by_player)),
    )
    past_partners = {
        pair
        for round_ in played_rounds
        for table in round_.tables
        for pair in list_partnerships(table)
    }
    past_partners |= participants.pairs_kept_apart
    tables = _fill_tables(
        tuple(playing_players),
        lambda player_1, player_2: frozenset((player_1, player_2)) not in past_partners,
    )
    if tables is None:
        tables = _search_tables(playing_players, past_partners, random_stream)
    return SeatedRound(
        tuple(tables), tuple(player for player in players if player in resting_players)
    )


def list_partnerships(table: Seats) -> tuple[Pair, Pair]:
    """Return the two partnerships of a table."""
    player_1, player_2, player_3, player_4 = table
    return frozenset((player_1, player_3)), frozenset((player_2, player_4))


def _search_tables(
    players: Sequence[PlayerId], past_partners: set[Pair], random_stream: RandomStream
) -> list[Seats]:
    """Search for tables with the fewest repeated partners; sort them by their best players."""
    index_by_player = {player: index for index, player in enumerate(players)}
    meeting_costs = MeetingCosts(len(players))
    for player, other_player in (
        tuple(pair) for pair in past_partners if pair <= index_by_player.keys()
    ):
        meeting_costs.partner_cost[index_by_player[player]][index_by_player[other_player]] = (
            REPEATED_PARTNER_COST
        )
        meeting_costs.partner_cost[index_by_player[other_player]][index_by_player[player]] = (
            REPEATED_PARTNER_COST
        )
    seat_indexes = range(len(players))
    seats, _try_count = draw_round(
        seat_indexes, seat_indexes, meeting_costs, random_stream, MAX_TRIES
    )
    tables = sorted(
        (seats[start : start + 4] for start in range(0, len(seats), 4)),
        key=lambda player_indexes: sum(sorted(player_indexes)[:2]),
    )
    table_players = [[players[index] for index in player_indexes] for player_indexes in tables]
    return [
        (player_1, player_2, player_3, player_4)
        for player_1, player_2, player_3, player_4 in table_players
    ]


def _fill_tables(
    players: tuple[PlayerId, ...], can_be_partners: PartnerCheck
) -> list[Seats] | None:
    """Fill one table after the other, with backtracking.

    Returns None if this is impossible or needs too many steps.
    """
    tables: list[Seats] = []
    choices_by_table: list[Iterator[tuple[Seats, tuple[PlayerId, ...]]]] = [
        _iter_possible_tables(players, can_be_partners)
    ]
    for _step in range(MAX_SEARCH_STEPS):
        table_choice = next(choices_by_table[-1], None)
        if table_choice is None:
            choices_by_table.pop()
            if not choices_by_table:
                break
            tables = tables[: len(choices_by_table) - 1]
            continue
        table, remaining_players = table_choice
        tables = [*tables[: len(choices_by_table) - 1], table]
        if not remaining_players:
            return tables
        choices_by_table.append(_iter_possible_tables(remaining_players, can_be_partners))
    return None


def _iter_possible_tables(
    players: tuple[PlayerId, ...], can_be_partners: PartnerCheck
) -> Iterator[tuple[Seats, tuple[PlayerId, ...]]]:
    """Yield the possible tables of the first player, each with the players who remain.

    Tables with the nearest ranks come first.
    """
    first_player = players[0]
    for chosen_indexes in combinations(range(1, min(len(players), 1 + MAX_RANK_DIFFERENCE)), 3):
        table_players = [first_player, *(players[index] for index in chosen_indexes)]
        remaining_players = tuple(
            player
            for index, player in enumerate(players)
            if index and index not in chosen_indexes
        )
        for table in _list_table_seatings(table_players, can_be_partners):
            if all(can_be_partners(*pair) for pair in list_partnerships(table)):
                yield table, remaining_players


def _list_table_seatings(
    players: Sequence[PlayerId], can_be_partners: PartnerCheck
) -> list[Seats]:
    """Return the three ways to pair four players, those with fewest repeated partners first."""
    player_1, player_2, player_3, player_4 = players
    possible_seatings: list[Seats] = [
        (player_1, player_2, player_4, player_3),
        (player_1, player_2, player_3, player_4),
        (player_1, player_3, player_2, player_4),
    ]
    return sorted(
        possible_seatings,
        key=lambda partnering: sum(
            not can_be_partners(*pair) for pair in list_partnerships(partnering)
        ),
    )
