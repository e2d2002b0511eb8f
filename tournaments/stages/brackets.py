"""The knock-out: places in the bracket, byes, winners, and who goes where after a match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Slot = int | None  # a seed from 1, or nobody
Key = tuple[int, int]  # round and match, from 1

MOST = 256


@dataclass(frozen=True, slots=True)
class Tie:
    """A match of the bracket; None where who plays is not known, or nobody does (a bye)."""

    round: int
    number: int
    one: Slot
    other: Slot
    winner: Slot = None
    bye: bool = False


def places(entrants: int) -> list[Slot]:
    """Lay the seeds out in the order of the bracket, with None where the best have a bye.

    In a full first round the seeds of a match sum to the size and one more, and so on in each
    round if the better always win.
    """
    if not 2 <= entrants <= MOST:
        raise ValueError(f"a knock-out is for 2 to {MOST} entrants, not {entrants}")
    order = [1]
    while len(order) < entrants:
        whole = 2 * len(order) + 1
        order = [seed for each in order for seed in (each, whole - each)]
    return [seed if seed <= entrants else None for seed in order]


def bracket(entrants: int, winners: Mapping[Key, int] | None = None) -> list[list[Tie]]:
    """Write the bracket round by round, as far as its winners are known.

    Raises ValueError for a winner who does not play the match that is named.
    """
    known = dict(winners or {})
    here: list[Slot] = places(entrants)
    byes_in = True
    found: list[list[Tie]] = []
    while len(here) > 1:
        number = len(found) + 1
        ties = []
        for match in range(len(here) // 2):
            one, other = here[2 * match : 2 * match + 2]
            alone = byes_in and other is None
            winner = one if alone else known.pop((number, match + 1), None)
            unknown = not alone and None in (one, other)
            if winner is not None and (unknown or winner not in (one, other)):
                raise ValueError(f"round {number}, match {match + 1}: {winner} is not in it")
            ties.append(Tie(number, match + 1, one, other, winner, alone))
        found.append(ties)
        here, byes_in = [tie.winner for tie in ties], False
    if known:
        number, match = min(known)
        raise ValueError(f"round {number}, match {match}: there is no such match to be won")
    return found


def upset_by(
    entrants: int, winners: Mapping[Key, int], corrected: Key, winner: int
) -> list[Key]:
    """Which later matches a corrected winner unsettles: those that the other went on to play.

    Nothing moves by itself: the director decides on each. An empty list is harmless.
    """
    before = winners.get(corrected)
    if before is None or before == winner:
        return []
    rounds = len(bracket(entrants))
    found = []
    number, match = corrected
    while number < rounds:
        number, match = number + 1, (match + 1) // 2
        if (number, match) not in winners:
            break
        found.append((number, match))
        if winners[number, match] != before:
            break
    return found


def losers(rounds: Sequence[Sequence[Tie]], number: int) -> list[int]:
    """Who lost in a round: they enter the plate, or a Swiss as late joiners."""
    return [
        other
        for tie in rounds[number - 1]
        if tie.winner is not None and not tie.bye
        for other in (tie.one, tie.other)
        if other is not None and other != tie.winner
    ]


def decided(margins: Sequence[int], extra: Sequence[int], *, seed_wins: bool) -> str:
    """Say who wins a match of segments: "one", "other", or "extra" where two boards are added.

    `margins` are the first side's by segment, `extra` those of the boards played after a tie.
    `seed_wins`: the organiser said that the higher seed (the first side) then has it.
    """
    total = sum(margins)
    for margin in extra:
        if total:
            break
        total += margin
    if total:
        return "one" if total > 0 else "other"
    return "one" if seed_wins and extra else "extra"
