"""Whole whist tournaments: everybody is once partner and twice opponent of everybody else.

For 4n players after 4n-1 rounds, for 4n+1 after as many as there are players. A longer evening
goes on from there; one that is only a few rounds shorter leaves out those rounds.
Source: the designs of `boards.whist.whist_designs`.
"""

from itertools import combinations

from boards.whist.whist_designs import DESIGNS, developed
from drives.draw.chance import Chance

MOST_LEFT_OUT = 4
CHOICES = 300
"""How many choices of the rounds to leave out are drawn; the one that leaves least is taken."""

Rounds = list[list[int]]


def whole_rounds(players: int, rounds: int, chance: Chance) -> Rounds:
    """The first rounds of an evening from whole tournaments, players numbered from 0.

    There may be fewer than asked for, the rest to be drawn, or none.
    """
    if players not in DESIGNS:
        return []
    order = chance.shuffled(range(players))
    whole: dict[int, list[int]] = {}
    for round_, _table, seats, _group in developed(players, DESIGNS[players]):
        whole.setdefault(round_, []).extend(order[seat - 1] for seat in seats)
    one = chance.shuffled(list(whole.values()))
    times, over = divmod(rounds, len(one))
    short = len(one) - over
    part = [] if short > MOST_LEFT_OUT else _without(one, short, chance)
    return [list(seats) for seats in (*one * times, *part)]


def _without(rounds: Rounds, short: int, chance: Chance) -> Rounds:
    """Leave out so many rounds: those whose opponents are as many different pairs as can be."""
    best, least = rounds[:short], 10**9
    for _choice in range(CHOICES):
        left_out = chance.shuffled(rounds)[:short]
        again = _repeats(left_out)
        if again < least:
            best, least = left_out, again
        if not again:
            break
    return [seats for seats in rounds if seats not in best]


def _repeats(rounds: Rounds) -> int:
    """How many pairs are opponents in more than one of some rounds."""
    sides = [_opponents(seats) for seats in rounds]
    return sum(len(one & other) for one, other in combinations(sides, 2))


def _opponents(seats: list[int]) -> set[frozenset[int]]:
    return {
        frozenset((seats[at], seats[at ^ step])) for at in range(len(seats)) for step in (1, 3)
    }
