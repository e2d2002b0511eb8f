"""Complete whist tournaments: any two players are partners once and opponents twice.

A tournament has 4n-1 rounds for 4n players, and 4n+1 rounds for 4n+1 players. A longer evening
continues with drawn rounds. A slightly shorter evening omits some rounds of the tournament.

Source: the designs of `boards.whist.whist_designs`.
"""

from itertools import combinations

from boards.whist.whist_designs import DESIGNS_BY_PLAYER_COUNT, iter_design_tables
from drives.draw.random_stream import RandomStream

MAX_OMITTED_ROUNDS = 4
MAX_RANDOM_CHOICES = 300
"""The number of random choices of rounds to leave out, of which the best one is used."""

Rounds = list[list[int]]


def build_tournament_rounds(
    player_count: int, round_count: int, random_stream: RandomStream
) -> Rounds:
    """Return the first rounds of an evening from complete tournaments; players are numbered
    from 0.

    The result may have fewer rounds than requested, or none. The caller draws the other rounds.
    """
    if player_count not in DESIGNS_BY_PLAYER_COUNT:
        return []
    player_by_number = random_stream.shuffle(range(player_count))
    rounds_by_number: dict[int, list[int]] = {}
    for round_number, _table, seats, _group in iter_design_tables(
        player_count, DESIGNS_BY_PLAYER_COUNT[player_count]
    ):
        rounds_by_number.setdefault(round_number, []).extend(
            player_by_number[player_number - 1] for player_number in seats
        )
    tournament_rounds = random_stream.shuffle(list(rounds_by_number.values()))
    repetition_count, remaining_round_count = divmod(round_count, len(tournament_rounds))
    omitted_count = len(tournament_rounds) - remaining_round_count
    shortened_tournament = (
        []
        if omitted_count > MAX_OMITTED_ROUNDS
        else _omit_rounds(tournament_rounds, omitted_count, random_stream)
    )
    return [
        list(seats) for seats in (*tournament_rounds * repetition_count, *shortened_tournament)
    ]


def _omit_rounds(rounds: Rounds, omitted_count: int, random_stream: RandomStream) -> Rounds:
    """Leave out `omitted_count` rounds in which few pairs of opponents occur twice."""
    best_omitted_rounds, lowest_repeat_count = rounds[:omitted_count], 10**9
    for _choice in range(MAX_RANDOM_CHOICES):
        omitted_rounds = random_stream.shuffle(rounds)[:omitted_count]
        repeat_count = _count_repeated_opponents(omitted_rounds)
        if repeat_count < lowest_repeat_count:
            best_omitted_rounds, lowest_repeat_count = omitted_rounds, repeat_count
        if not repeat_count:
            break
    return [round_seats for round_seats in rounds if round_seats not in best_omitted_rounds]


def _count_repeated_opponents(rounds: Rounds) -> int:
    """Count the pairs who are opponents in more than one of the rounds."""
    opponent_pairs_by_round = [_list_opponent_pairs(round_seats) for round_seats in rounds]
    return sum(
        len(pairs & other_pairs)
        for pairs, other_pairs in combinations(opponent_pairs_by_round, 2)
    )


def _list_opponent_pairs(round_seats: list[int]) -> set[frozenset[int]]:
    return {
        frozenset((round_seats[index], round_seats[index ^ step]))
        for index in range(len(round_seats))
        for step in (1, 3)
    }
