"""The ranking: by total, then by the house's tie-breaks in order, then shared ranks."""

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _

from drives.draw.company import Player
from drives.errors import UnreadableDrive
from drives.scores.sheets import Tally

TieBreak = Callable[[Tally, Sequence[int]], Fraction]
"""A further measure of a tally, greater is better; the argument has all round numbers."""


class RankedPlayer(NamedTuple):
    """A player in the ranking: points, rank, whether the rank is shared, and rests."""

    number: Player
    points: Fraction
    rank: int
    tied: bool
    rests: int


def first_half(tally: Tally, rounds: Sequence[int]) -> Fraction:
    """Return the points of the first half of the rounds; if odd, of the shorter half."""
    return _counted(tally, rounds[: len(rounds) // 2], {1})


def last_half(tally: Tally, rounds: Sequence[int]) -> Fraction:
    """Return the points of the last half of the rounds."""
    later = {*tally.cards, *tally.rested.by_part} - {1}
    return _counted(tally, rounds[len(rounds) // 2 :], later)


def best_round(tally: Tally, _rounds: Sequence[int]) -> Fraction:
    """Return the highest score in one round."""
    return max(tally.by_round.values(), default=Fraction(0))


def rounds_won(tally: Tally, _rounds: Sequence[int]) -> Fraction:
    """Return the number of rounds won."""
    return tally.rounds_won


def _counted(tally: Tally, rounds: Sequence[int], parts: Collection[int]) -> Fraction:
    """Sum the scores in rounds and on parts of the card, and the points for rests in them."""
    by_round, by_part = tally.rested
    each = [found.get(number) for found in (tally.by_round, by_round) for number in rounds]
    each += [found.get(part) for found in (tally.cards, by_part) for part in parts]
    return sum((made for made in each if made is not None), Fraction(0))


TIE_BREAKS: dict[str, TieBreak] = {
    "rounds-won": rounds_won,
    "best-round": best_round,
    "last-half": last_half,
    "first-half": first_half,
}


def tie_break(code: str) -> TieBreak:
    """Find a tie-break by its code; raise UnreadableDrive with the known codes."""
    if code not in TIE_BREAKS:
        words = _("There is no tie-break “%(code)s”; there are %(codes)s.")
        raise UnreadableDrive(words % {"code": code, "codes": ", ".join(TIE_BREAKS)})
    return TIE_BREAKS[code]


def rank(
    tallies: Mapping[Player, Tally], ties: Sequence[str] = (), rounds: Sequence[int] = ()
) -> list[RankedPlayer]:
    """Rank players by their totals; equals share the best of their ranks, in number order.

    `ties` are the codes of the house's tie-breaks, in order.
    """
    breaks = [tie_break(code) for code in ties]
    merit = {
        player: (tally.total, *(each(tally, rounds) for each in breaks))
        for player, tally in tallies.items()
    }
    order = sorted(merit, key=lambda player: (isinstance(player, str), player))
    order.sort(key=merit.__getitem__, reverse=True)
    placed: list[RankedPlayer] = []
    for _merit, group in groupby(order, key=merit.__getitem__):
        equal = list(group)
        first = len(placed) + 1
        placed += [
            RankedPlayer(who, tallies[who].total, first, len(equal) > 1, tallies[who].rests)
            for who in equal
        ]
    return placed
