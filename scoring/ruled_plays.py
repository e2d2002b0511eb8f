"""The effect of rulings in force on the results of a session."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scoring.models import Ruling


class OtherDeal(NamedTuple):
    """A ruling by which other cards are in the tray, from some play of a board on."""

    sitting: int
    deal: int
    is_new: bool  # dealt again after that play, which is void; else fouled from it on


class RuledPlay(NamedTuple):
    """A ruling in force on a result: its play and its kind."""

    sitting: int
    board: int
    deal: int
    kind: str


class RuledPlays(NamedTuple):
    """Plays that need no result, plays with only a void one, and rulings with other cards."""

    settled: set[tuple[int, int]]
    renewed: set[tuple[int, int]]
    dealt_anew: set[tuple[int, int]]
    other_deals: dict[int, list[OtherDeal]]


def sort_rulings(
    rulings: Iterable[RuledPlay], latest: Mapping[tuple[int, int], int]
) -> RuledPlays:
    """Group rulings by effect; `latest` is the last deal with a result of each play."""
    found = RuledPlays(set(), set(), set(), {})
    for sitting, board, deal, kind in rulings:
        is_new = kind == Ruling.Kind.NEW_DEAL
        if kind in (Ruling.Kind.AVERAGE, Ruling.Kind.ADJUSTED):
            found.settled.add((sitting, board))
        if is_new or kind == Ruling.Kind.FOULED:
            found.other_deals.setdefault(board, []).append(OtherDeal(sitting, deal, is_new))
        if is_new:
            found.dealt_anew.add((sitting, board))
            if latest.get((sitting, board)) == deal:
                found.renewed.add((sitting, board))
    return found
