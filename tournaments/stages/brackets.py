"""The knock-out: places in the bracket, byes or three-way matches, and where a match leads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Slot = int | None  # a seed from 1, or nobody
Key = tuple[int, int]  # round and match, from 1
Winners = Mapping[Key, Sequence[int]]
"""The seeds that go on from a match, the winner first; two from some three-way matches."""

MAX_ENTRANTS = 256


@dataclass(frozen=True, slots=True)
class Tie:
    """A match of the bracket; None where who plays is not known, or nobody does (a bye).

    `leads_to` are the places of the next round, from 0, of those who go on, the winner's first.
    """

    round: int
    number: int
    one: Slot
    other: Slot
    winner: Slot = None
    bye: bool = False
    third: Slot = None  # in a three-way match
    second: Slot = None  # who goes on beside the winner of a three-way match
    leads_to: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class _Meeting:
    """Who meets in a match, and to which places of the next round those who go on come."""

    seeds: tuple[Slot, ...]
    leads_to: tuple[int, ...]


def places(entrants: int) -> list[Slot]:
    """Lay the seeds out in the order of the bracket, with None where the best have a bye.

    In a full first round the seeds of a match sum to the size and one more, and so on in each
    round if the better always win.
    """
    if not 2 <= entrants <= MAX_ENTRANTS:
        raise ValueError(f"a knock-out is for 2 to {MAX_ENTRANTS} entrants, not {entrants}")
    return [seed if seed <= entrants else None for seed in _order(entrants)]


def _order(entrants: int) -> list[int]:
    """The seeds of a full bracket that holds so many, from top to bottom."""
    order = [1]
    while len(order) < entrants:
        whole = 2 * len(order) + 1
        order = [seed for each in order for seed in (each, whole - each)]
    return order


def three_way_serves(entrants: int) -> bool:
    """Whether three-way matches take the place of byes: where there are byes at all."""
    return entrants & (entrants - 1) != 0


def bracket(
    entrants: int, winners: Winners | None = None, *, three_way: bool = False
) -> list[list[Tie]]:
    """Write the bracket round by round, as far as its winners are known.

    Raises ValueError for a winner who does not play the match that is named.
    """
    known = dict(winners or {})
    row = _first(entrants, three_way=three_way)
    found: list[list[Tie]] = []
    while True:
        number = len(found) + 1
        ties = [_tie((number, at), each, known) for at, each in enumerate(row, start=1)]
        found.append(ties)
        if len(ties) == 1:
            break
        row = _next(ties)
    if known:
        number, match = min(known)
        raise ValueError(f"round {number}, match {match}: there is no such match to be won")
    return found


def _tie(key: Key, meeting: _Meeting, known: dict[Key, Sequence[int]]) -> Tie:
    """A match with those who go on from it, which are taken out of what is `known`."""
    seeds, leads_to = meeting.seeds, meeting.leads_to
    one, other, third = (*seeds, None)[:3]
    number, match = key
    if number == 1 and other is None:
        return Tie(number, match, one, other, one, bye=True, leads_to=leads_to)
    going = tuple(known.pop(key, ()))
    for seed in going:
        if seed not in seeds or None in seeds:
            raise ValueError(f"round {number}, match {match}: {seed} is not in it")
    if going and len(set(going)) != len(leads_to):
        raise ValueError(f"round {number}, match {match}: {len(leads_to)} go on from it")
    winner, second = (*going, None, None)[:2]
    sides = number, match, one, other
    return Tie(*sides, winner, third=third, second=second, leads_to=leads_to)


def _next(ties: Sequence[Tie]) -> list[_Meeting]:
    """The matches of the round after some: each of two neighbouring places."""
    here: dict[int, Slot] = {}
    for tie in ties:
        here |= dict(zip(tie.leads_to, (tie.winner, tie.second), strict=False))
    return [
        _Meeting((here[place], here[place + 1]), (place // 2,))
        for place in range(0, len(here), 2)
    ]


def _first(entrants: int, *, three_way: bool) -> list[_Meeting]:
    """The matches of round 1, from top to bottom."""
    laid = places(entrants)
    if not three_way or not three_way_serves(entrants):
        couples = zip(laid[::2], laid[1::2], strict=True)
        return [_Meeting(couple, (place,)) for place, couple in enumerate(couples)]
    full = len(laid) // 2  # the next lower power of two
    if 2 * entrants <= 3 * full:
        return _one_goes_on(entrants, full // 2)
    return _two_go_on(entrants, full)


def _one_goes_on(entrants: int, winners: int) -> list[_Meeting]:
    """From 2w to 3w entrants: w matches, the lowest of them three-way, one goes on from each.

    The first w seeds are spread over the matches as over a full bracket. Whom they meet is
    folded twice, so the best meet the lowest, and the third is spared the best.
    """
    return [
        _Meeting(
            tuple(
                seed
                for seed in (top, 2 * winners + 1 - top, 3 * winners + 1 - top)
                if seed <= entrants
            ),
            (place,),
        )
        for place, top in enumerate(_order(winners))
    ]


def _two_go_on(entrants: int, size: int) -> list[_Meeting]:
    """More than 1.5 and fewer than 2 times `size`: two go on from each three-way match.

    The best have these, as they would have the byes: who is in the middle goes on too. The
    other of the upper seeds in it is one of the other half, so the two meet again in the
    final at the earliest.
    """
    at = {seed: place for place, seed in enumerate(_order(size))}
    tops = [*range(1, size + 1)]
    found: list[_Meeting] = []
    for top in range(1, 2 * size - entrants + 1):
        # Seeds 2m - 1 and 2m are of different halves, and so are those whom they mirror.
        beside = size + 1 - (top + 1 if top % 2 else top - 1)
        tops.remove(top)
        tops.remove(beside)
        found.append(_Meeting((top, beside, entrants + 1 - top), (at[top], at[beside])))
    lows = range(size + len(tops), size, -1)
    for top, low in zip(tops, lows, strict=True):
        found.append(_Meeting((top, low), (at[top],)))
    return sorted(found, key=lambda each: each.leads_to[0])
