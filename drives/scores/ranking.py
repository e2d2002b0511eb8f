"""The ranking: by total, then by the house's tie-breaks in order, then shared ranks."""

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _

from drives.draw.participants import PlayerId
from drives.errors import UnreadableDrive
from drives.scores.sheets import Tally

TieBreak = Callable[[Tally, Sequence[int]], Fraction]
"""A further measure of a tally, greater is better; the argument has all round numbers."""


class RankedPlayer(NamedTuple):
    """A player in the ranking: points, rank, whether the rank is shared, and rests."""

    number: PlayerId
    points: Fraction
    rank: int
    tied: bool
    rests: int


def sum_first_half(tally: Tally, rounds: Sequence[int]) -> Fraction:
    """Return the points of the first half of the rounds; if odd, of the shorter half."""
    return _sum_points(tally, rounds[: len(rounds) // 2], {1})


def sum_last_half(tally: Tally, rounds: Sequence[int]) -> Fraction:
    """Return the points of the last half of the rounds."""
    later = {*tally.cards, *tally.points_for_rests.by_part} - {1}
    return _sum_points(tally, rounds[len(rounds) // 2 :], later)


def find_best_round(tally: Tally, _rounds: Sequence[int]) -> Fraction:
    """Return the highest score in one round."""
    return max(tally.by_round.values(), default=Fraction(0))


def count_rounds_won(tally: Tally, _rounds: Sequence[int]) -> Fraction:
    """Return the number of rounds won."""
    return tally.rounds_won


def count_contracts_made(tally: Tally, _rounds: Sequence[int]) -> Fraction:
    """Return the number of contracts that the player bid and made."""
    return Fraction(tally.hands.made)


def find_best_hand(tally: Tally, _rounds: Sequence[int]) -> Fraction:
    """Return the highest points in one hand."""
    return Fraction(tally.hands.best)


def count_fewest_lost(tally: Tally, _rounds: Sequence[int]) -> Fraction:
    """Return a number that is greater for fewer lost contracts."""
    return Fraction(-tally.hands.lost)


def _sum_points(tally: Tally, rounds: Sequence[int], parts: Collection[int]) -> Fraction:
    """Sum the scores in rounds and on parts of the card, and the points for rests in them."""
    by_round, by_part = tally.points_for_rests
    scores = [points.get(number) for points in (tally.by_round, by_round) for number in rounds]
    scores += [points.get(part) for points in (tally.cards, by_part) for part in parts]
    return sum((score for score in scores if score is not None), Fraction(0))


TIE_BREAKS: dict[str, TieBreak] = {
    "rounds-won": count_rounds_won,
    "best-round": find_best_round,
    "last-half": sum_last_half,
    "first-half": sum_first_half,
    "contracts-made": count_contracts_made,
    "best-hand": find_best_hand,
    "fewest-lost": count_fewest_lost,
}


def find_tie_break(code: str) -> TieBreak:
    """Find a tie-break by its code; raise UnreadableDrive with the known codes."""
    if code not in TIE_BREAKS:
        message = _("Tie-break “%(code)s” not found. Choose from %(codes)s.")
        raise UnreadableDrive(message % {"code": code, "codes": ", ".join(TIE_BREAKS)})
    return TIE_BREAKS[code]


def rank_players(
    tallies: Mapping[PlayerId, Tally], ties: Sequence[str] = (), rounds: Sequence[int] = ()
) -> list[RankedPlayer]:
    """Rank players by their totals. Tied players share the best of their ranks, in number
    order.

    `ties` are the codes of the house's tie-breaks, in order.
    """
    breaks = [find_tie_break(code) for code in ties]
    merit = {
        player: (tally.total, *(break_(tally, rounds) for break_ in breaks))
        for player, tally in tallies.items()
    }
    order = sorted(merit, key=lambda player: (isinstance(player, str), player))
    order.sort(key=merit.__getitem__, reverse=True)
    ranked_players: list[RankedPlayer] = []
    for _merit, group in groupby(order, key=merit.__getitem__):
        tied_players = list(group)
        first = len(ranked_players) + 1
        ranked_players += [
            RankedPlayer(
                number,
                tallies[number].total,
                first,
                len(tied_players) > 1,
                tallies[number].rests,
            )
            for number in tied_players
        ]
    return ranked_players
