"""Ranks players by total, then by the club's tie-breaks; equal players share a rank."""

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _

from drives.draw.participants import PlayerId
from drives.errors import UnreadableDrive
from drives.scores.sheets import Tally

TieBreak = Callable[[Tally, Sequence[int]], Fraction]
"""A function that returns a number by which tied players are ranked; greater is better.

Its arguments are a player's tally and the numbers of all rounds.
"""


class RankedPlayer(NamedTuple):
    """A player in the ranking: points, rank, whether the rank is shared, and rests."""

    number: PlayerId
    points: Fraction
    rank: int
    is_tied: bool
    rest_count: int


def sum_first_half(tally: Tally, round_numbers: Sequence[int]) -> Fraction:
    """Return the points of the first half of the rounds.

    If the number of rounds is odd, the middle round does not count.
    """
    return _sum_points(tally, round_numbers[: len(round_numbers) // 2], {1})


def sum_last_half(tally: Tally, round_numbers: Sequence[int]) -> Fraction:
    """Return the points of the last half of the rounds."""
    later_card_parts = {*tally.points_by_card_part, *tally.points_for_rests.points_by_part} - {
        1
    }
    return _sum_points(tally, round_numbers[len(round_numbers) // 2 :], later_card_parts)


def find_best_round_score(tally: Tally, _round_numbers: Sequence[int]) -> Fraction:
    """Return the highest score in one round."""
    return max(tally.points_by_round.values(), default=Fraction(0))


def count_rounds_won(tally: Tally, _round_numbers: Sequence[int]) -> Fraction:
    """Return the number of rounds won."""
    return tally.rounds_won


def count_contracts_made(tally: Tally, _round_numbers: Sequence[int]) -> Fraction:
    """Return the number of contracts that the player bid and made."""
    return Fraction(tally.hands.made_contract_count)


def find_best_hand(tally: Tally, _round_numbers: Sequence[int]) -> Fraction:
    """Return the highest points in one hand."""
    return Fraction(tally.hands.best_points)


def negate_lost_contracts(tally: Tally, _round_numbers: Sequence[int]) -> Fraction:
    """Return a number that is greater for fewer lost contracts."""
    return Fraction(-tally.hands.lost_contract_count)


def _sum_points(
    tally: Tally, round_numbers: Sequence[int], card_parts: Collection[int]
) -> Fraction:
    """Sum the scores and the points for rests, in the given rounds and card parts."""
    rest_points_by_round, rest_points_by_part = tally.points_for_rests
    scores = [
        points_by_round.get(round_number)
        for points_by_round in (tally.points_by_round, rest_points_by_round)
        for round_number in round_numbers
    ]
    scores += [
        points_by_part.get(card_part)
        for points_by_part in (tally.points_by_card_part, rest_points_by_part)
        for card_part in card_parts
    ]
    return sum((score for score in scores if score is not None), Fraction(0))


TIE_BREAKS: dict[str, TieBreak] = {
    "rounds-won": count_rounds_won,
    "best-round": find_best_round_score,
    "last-half": sum_last_half,
    "first-half": sum_first_half,
    "contracts-made": count_contracts_made,
    "best-hand": find_best_hand,
    "fewest-lost": negate_lost_contracts,
}


def find_tie_break(code: str) -> TieBreak:
    """Find a tie-break by its code; raise UnreadableDrive with the known codes."""
    if code not in TIE_BREAKS:
        message = _("Tie-break “%(code)s” not found. Choose from %(codes)s.")
        raise UnreadableDrive(message % {"code": code, "codes": ", ".join(TIE_BREAKS)})
    return TIE_BREAKS[code]


def rank_players(
    tally_by_player: Mapping[PlayerId, Tally],
    tie_break_codes: Sequence[str] = (),
    round_numbers: Sequence[int] = (),
) -> list[RankedPlayer]:
    """Rank players by total, then by the club's tie-breaks, in the order of their codes.

    Tied players share the best of their ranks, and are listed by number.
    """
    tie_breaks = [find_tie_break(code) for code in tie_break_codes]
    sort_key_by_player = {
        player: (tally.total, *(tie_break(tally, round_numbers) for tie_break in tie_breaks))
        for player, tally in tally_by_player.items()
    }
    sorted_players = sorted(
        sort_key_by_player, key=lambda player: (isinstance(player, str), player)
    )
    sorted_players.sort(key=sort_key_by_player.__getitem__, reverse=True)
    ranked_players: list[RankedPlayer] = []
    for _sort_key, tied_group in groupby(sorted_players, key=sort_key_by_player.__getitem__):
        tied_players = list(tied_group)
        first_rank = len(ranked_players) + 1
        ranked_players += [
            RankedPlayer(
                player,
                tally_by_player[player].total,
                first_rank,
                len(tied_players) > 1,
                tally_by_player[player].rest_count,
            )
            for player in tied_players
        ]
    return ranked_players
