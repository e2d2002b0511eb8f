"""Complete whist tournaments: each two players are partners once and opponents twice.

For 4n players after 4n-1 rounds, for 4n+1 after as many as there are players. A longer evening
continues from there; one that is only a few rounds shorter leaves out those rounds.

Source: the designs of `boards.whist.whist_designs`.
"""

from itertools import combinations

from boards.whist.whist_designs import DESIGNS, develop_design
from drives.draw.random_stream import RandomStream

MAX_LEFT_OUT_ROUNDS = 4
RANDOM_CHOICES = 300
"""The number of random choices of rounds to leave out; the best is taken."""

Rounds = list[list[int]]


def build_tournament_rounds(players: int, rounds: int, random_stream: RandomStream) -> Rounds:
    """Return the first rounds of an evening from complete tournaments, players numbered from 0.

    There may be fewer rounds than requested, or none; the caller draws the others.
    """
    if players not in DESIGNS:
        return []
    order = random_stream.shuffle(range(players))
    rounds_by_number: dict[int, list[int]] = {}
    for round_, _table, seats, _group in develop_design(players, DESIGNS[players]):
        rounds_by_number.setdefault(round_, []).extend(order[seat - 1] for seat in seats)
    tournament = random_stream.shuffle(list(rounds_by_number.values()))
    repetitions, remaining = divmod(rounds, len(tournament))
    surplus = len(tournament) - remaining
    shortened = (
        []
        if surplus > MAX_LEFT_OUT_ROUNDS
        else _leave_out_rounds(tournament, surplus, random_stream)
    )
    return [list(seats) for seats in (*tournament * repetitions, *shortened)]


def _leave_out_rounds(rounds: Rounds, surplus: int, random_stream: RandomStream) -> Rounds:
    """Leave out `short` rounds in which few pairs of opponents occur twice."""
    best_rounds, fewest_repeats = rounds[:surplus], 10**9
    for _choice in range(RANDOM_CHOICES):
        left_out = random_stream.shuffle(rounds)[:surplus]
        repeats = _count_repeated_opponents(left_out)
        if repeats < fewest_repeats:
            best_rounds, fewest_repeats = left_out, repeats
        if not repeats:
            break
    return [seats for seats in rounds if seats not in best_rounds]


def _count_repeated_opponents(rounds: Rounds) -> int:
    """Count the pairs who are opponents in more than one of the rounds."""
    sides = [_list_opponent_pairs(seats) for seats in rounds]
    return sum(len(one & other) for one, other in combinations(sides, 2))


def _list_opponent_pairs(seats: list[int]) -> set[frozenset[int]]:
    return {
        frozenset((seats[at], seats[at ^ step])) for at in range(len(seats)) for step in (1, 3)
    }
