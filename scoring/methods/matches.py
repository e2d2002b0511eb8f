"""Pair against pair by matches: between the pairs that held the same cards."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from boards.whist.seats import Side
from scoring.methods.lines import Line, Stand, Tricks, stands
from scoring.methods.method import Method
from scoring.methods.steps import Step, how_many

HALF = Fraction(1, 2)
NOTHING = Fraction()


class Match(NamedTuple):
    """The deals on which two entries held the same cards: how far the first is ahead."""

    first: int
    second: int
    key: int
    deals: int
    net: Fraction


def matches(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Score each pair one for every match won and a half for every level one.

    A match lies between two pairs that held the same cards, not between two that faced each
    other; a deal that counts as the average at either table is left out of it.
    Guarantee: all scores add to the number of matches.
    Source: Foster, Complete Hoyle, Duplicate Whist.
    """
    scores = {entry: NOTHING for stand in stands(lines) for entry in stand.entries}
    for match in played_matches(lines):
        scores[match.first] += won(match.net)
        scores[match.second] += won(-match.net)
    return scores


def played_matches(lines: Sequence[Line]) -> list[Match]:
    """List every match, the lower number first, with the net tricks of the first pair."""
    nets: dict[tuple[int, int, int], list[Tricks]] = defaultdict(list)
    for one, other in _comparisons(lines):
        net = (one.tricks or 0) - (other.tricks or 0)
        for mine in one.entries:
            for theirs in other.entries:
                if mine < theirs:
                    nets[mine, theirs, one.match].append(net)
                else:
                    nets[theirs, mine, one.match].append(-net)
    return [
        Match(low, high, key, len(found), Fraction(sum(found)))
        for (low, high, key), found in sorted(nets.items())
    ]


def net_tricks(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Add up each entry's net tricks over its matches: the tie-break of match scoring."""
    nets = {entry: NOTHING for stand in stands(lines) for entry in stand.entries}
    for match in played_matches(lines):
        nets[match.first] += match.net
        nets[match.second] -= match.net
    return nets


def explain(lines: Sequence[Line], entry: int) -> Step:
    """Explain an entry's score match by match."""
    return explained(played_matches(lines), entry)


def explained(found: Sequence[Match], entry: int) -> Step:
    """Explain an entry's score from the matches it played."""
    steps = [_told(match, entry) for match in found if entry in (match.first, match.second)]
    amount = sum((step.amount for step in steps), NOTHING)
    words = "{score} of {matches}; a level match counts a half."
    return Step(
        amount, words, {"score": amount, "matches": how_many(len(steps), "match")}, tuple(steps)
    )


def won(net: Fraction) -> Fraction:
    """Return what a match is worth to the side that is so many tricks ahead."""
    if net == 0:
        return HALF
    return Fraction(int(net > 0))


def _comparisons(lines: Sequence[Line]) -> Iterator[tuple[Stand, Stand]]:
    held: dict[tuple[int, Side, int], list[Stand]] = defaultdict(list)
    for stand in stands(lines):
        if stand.tricks is not None:
            held[stand.deal, stand.side, stand.match].append(stand)
    for same_cards in held.values():
        for one, other in combinations(same_cards, 2):
            if not set(one.entries) & set(other.entries):
                yield one, other


def _told(match: Match, entry: int) -> Step:
    net, other = (
        (match.net, match.second) if entry == match.first else (-match.net, match.first)
    )
    worth = won(net)
    words = "Against {other:entry}, {deals} of the same cards: {net:signed}, worth {worth}."
    return Step(
        worth,
        words,
        {"other": other, "deals": how_many(match.deals, "deal"), "net": net, "worth": worth},
    )


METHOD = Method(
    name="matches",
    title="Matches won",
    unit="matches",
    source="Foster, Complete Hoyle, Duplicate Whist",
    guarantee="All scores add to the number of matches.",
    contests=("pairs",),
    score=matches,
    explain=explain,
)
