"""What the rulings in force mean for the results of a session."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scoring.models import Ruling


class OtherDeal(NamedTuple):
    """A ruling by which other cards lie in the tray, from some play of a board on."""

    sitting: int
    deal: int
    is_new: bool  # dealt anew after that play, which is void; else fouled from it on


class RuledPlay(NamedTuple):
    """A ruling in force on a result: where it was made, and its kind."""

    sitting: int
    board: int
    deal: int
    kind: str


class RuledPlays(NamedTuple):
    """Which plays need no result, which have only a void one, and where other cards came in."""

    settled: set[tuple[int, int]]
    renewed: set[tuple[int, int]]
    dealt_anew: set[tuple[int, int]]
    other_deals: dict[int, list[OtherDeal]]


def sort_rulings(
    rulings: Iterable[RuledPlay], latest: Mapping[tuple[int, int], int]
) -> RuledPlays:
    """Sort rulings by effect; `latest` is the last deal of each play that has a result."""
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
