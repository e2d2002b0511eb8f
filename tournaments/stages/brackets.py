"""Knock-out brackets: the places of seeds, byes or three-way matches, and the next matches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Slot = int | None  # a seed from 1, or none
Key = tuple[int, int]  # round and match, from 1
Winners = Mapping[Key, Sequence[int]]
"""The seeds that advance from each match, the winner first; two from some three-way matches."""

MAX_ENTRANTS = 256


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of the bracket; a side is None if it is not known yet, or absent (a bye).

    `leads_to` has the positions in the next round, from 0, of those who advance, the winner's
    first.
    """

    round: int
    number: int
    one: Slot
    other: Slot
    winner: Slot = None
    bye: bool = False
    third: Slot = None  # in a three-way match
    second: Slot = None  # the other one that advances from a three-way match
    leads_to: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class _MatchSeeds:
    """The seeds of a match, and the next round's positions to which its winners advance."""

    seeds: tuple[Slot, ...]
    leads_to: tuple[int, ...]


def order_seeds(entrants: int) -> list[Slot]:
    """Return the seeds in the order of the bracket, with None where the best have a bye.

    In a full first round the seeds of each match sum to the bracket's size plus one. This also
    holds in later rounds if the better seed always wins.
    """
    if not 2 <= entrants <= MAX_ENTRANTS:
        raise ValueError(f"a knock-out is for 2 to {MAX_ENTRANTS} entrants, not {entrants}")
    return [seed if seed <= entrants else None for seed in _order_full_bracket(entrants)]


def _order_full_bracket(entrants: int) -> list[int]:
    """Return the seeds of the smallest full bracket for the entrants, from top to bottom."""
    order = [1]
    while len(order) < entrants:
        seed_sum = 2 * len(order) + 1
        order = [
            seed for seed_number in order for seed in (seed_number, seed_sum - seed_number)
        ]
    return order


def can_replace_byes(entrants: int) -> bool:
    """Return whether there are any byes that three-way matches can replace."""
    return entrants & (entrants - 1) != 0


def build_bracket(
    entrants: int, winners: Winners | None = None, *, three_way: bool = False
) -> list[list[BracketMatch]]:
    """Return the bracket round by round, as far as its winners are known.

    Raises ValueError for a winner who does not play the given match.
    """
    known_winners = dict(winners or {})
    row = _build_first_round(entrants, three_way=three_way)
    rounds: list[list[BracketMatch]] = []
    while True:
        number = len(rounds) + 1
        ties = [
            _build_match((number, index), seeds, known_winners)
            for index, seeds in enumerate(row, start=1)
        ]
        rounds.append(ties)
        if len(ties) == 1:
            break
        row = _build_next_round(ties)
    if known_winners:
        number, match = min(known_winners)
        raise ValueError(f"round {number}, match {match}: there is no such match to be won")
    return rounds


def _build_match(
    key: Key, meeting: _MatchSeeds, known_winners: dict[Key, Sequence[int]]
) -> BracketMatch:
    """Return a match with the sides that advance from it, which are removed from
    `known_winners`.
    """
    seeds, leads_to = meeting.seeds, meeting.leads_to
    one, other, third = (*seeds, None)[:3]
    number, match = key
    if number == 1 and other is None:
        return BracketMatch(number, match, one, other, one, bye=True, leads_to=leads_to)
    advancing = tuple(known_winners.pop(key, ()))
    for seed in advancing:
        if seed not in seeds or None in seeds:
            raise ValueError(f"round {number}, match {match}: {seed} is not in it")
    if advancing and len(set(advancing)) != len(leads_to):
        raise ValueError(f"round {number}, match {match}: {len(leads_to)} go on from it")
    winner, second = (*advancing, None, None)[:2]
    sides = number, match, one, other
    return BracketMatch(*sides, winner, third=third, second=second, leads_to=leads_to)


def _build_next_round(ties: Sequence[BracketMatch]) -> list[_MatchSeeds]:
    """Return the matches of the next round, each between two neighbouring positions."""
    seed_by_position: dict[int, Slot] = {}
    for tie in ties:
        seed_by_position |= dict(zip(tie.leads_to, (tie.winner, tie.second), strict=False))
    return [
        _MatchSeeds((seed_by_position[place], seed_by_position[place + 1]), (place // 2,))
        for place in range(0, len(seed_by_position), 2)
    ]


def _build_first_round(entrants: int, *, three_way: bool) -> list[_MatchSeeds]:
    """Return the matches of round 1, from top to bottom."""
    laid = order_seeds(entrants)
    if not three_way or not can_replace_byes(entrants):
        couples = zip(laid[::2], laid[1::2], strict=True)
        return [_MatchSeeds(couple, (place,)) for place, couple in enumerate(couples)]
    full = len(laid) // 2  # the next lower power of two
    if 2 * entrants <= 3 * full:
        return _build_one_winner_matches(entrants, full // 2)
    return _build_two_winner_matches(entrants, full)


def _build_one_winner_matches(entrants: int, winners: int) -> list[_MatchSeeds]:
    """Return w matches for 2w to 3w entrants, from each of which one advances.

    The lowest matches are three-way. The first w seeds are spread over the matches as over a
    full bracket. Their opponents are folded twice, so that the best meet the lowest, and the
    third side does not meet the best.
    """
    return [
        _MatchSeeds(
            tuple(
                seed
                for seed in (top, 2 * winners + 1 - top, 3 * winners + 1 - top)
                if seed <= entrants
            ),
            (place,),
        )
        for place, top in enumerate(_order_full_bracket(winners))
    ]


def _build_two_winner_matches(entrants: int, size: int) -> list[_MatchSeeds]:
    """Return matches for more than 1.5 and fewer than 2 times `size` entrants.

    Two advance from each three-way match. The best seeds play these, as they would have the
    byes: the middle seed of the three advances too. The other upper seed in it is from the
    other half, so the two meet again in the final at the earliest.
    """
    position_by_seed = {seed: place for place, seed in enumerate(_order_full_bracket(size))}
    tops = [*range(1, size + 1)]
    matches: list[_MatchSeeds] = []
    for top in range(1, 2 * size - entrants + 1):
        # Seeds 2m - 1 and 2m are in different halves, and so are their mirror seeds.
        third_seed = size + 1 - (top + 1 if top % 2 else top - 1)
        tops.remove(top)
        tops.remove(third_seed)
        matches.append(
            _MatchSeeds(
                (top, third_seed, entrants + 1 - top),
                (position_by_seed[top], position_by_seed[third_seed]),
            )
        )
    lows = range(size + len(tops), size, -1)
    for top, low in zip(tops, lows, strict=True):
        matches.append(_MatchSeeds((top, low), (position_by_seed[top],)))
    return sorted(matches, key=lambda seeds: seeds.leads_to[0])
