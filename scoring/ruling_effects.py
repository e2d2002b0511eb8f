"""The effect of rulings in force on the results of a session."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scoring.models import Ruling


class OtherDeal(NamedTuple):
    """A ruling after which a tray contains other cards, from a certain play of a board on."""

    sitting: int
    deal: int
    is_new: bool  # true: a new deal after that void play; false: fouled from that play on


class RuledPlay(NamedTuple):
    """A ruling in force on a result: its play and its kind."""

    sitting: int
    board: int
    deal: int
    kind: str


class RuledPlays(NamedTuple):
    """The plays of a session affected by rulings, grouped by effect."""

    settled_plays: set[tuple[int, int]]
    plays_awaiting_new_deal: set[tuple[int, int]]
    plays_with_new_deal: set[tuple[int, int]]
    other_deals: dict[int, list[OtherDeal]]


def classify_rulings(
    rulings: Iterable[RuledPlay], latest: Mapping[tuple[int, int], int]
) -> RuledPlays:
    """Group rulings by effect; `latest` is the last deal with a result of each play."""
    ruled_plays = RuledPlays(set(), set(), set(), {})
    for sitting, board, deal, kind in rulings:
        is_new = kind == Ruling.Kind.NEW_DEAL
        if kind in (Ruling.Kind.AVERAGE, Ruling.Kind.ADJUSTED):
            ruled_plays.settled_plays.add((sitting, board))
        if is_new or kind == Ruling.Kind.FOULED:
            ruled_plays.other_deals.setdefault(board, []).append(
                OtherDeal(sitting, deal, is_new)
            )
        if is_new:
            ruled_plays.plays_with_new_deal.add((sitting, board))
            if latest.get((sitting, board)) == deal:
                ruled_plays.plays_awaiting_new_deal.add((sitting, board))
    return ruled_plays
