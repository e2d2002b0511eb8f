"""Double dummy: what best play by all four makes of a deal; the only door to endplay.

endplay's own import brings matplotlib, half a second and much memory, so it happens inside.
"""

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from boards.whist import CARDS, Card, Deal, Side
from boards.whist.notation import hands_text

BATCH = 200
"""The most boards that DDS takes in one call."""


def best_tricks(deals: Sequence[Deal], *, threads: int | None = None) -> list[int]:
    """Return the tricks N/S make on each deal with best play by all, 0 to 13.

    The dealer's left leads and the turn-up's suit is trumps. `threads` None takes all cores.
    """
    answers = _solve(deals, "OptimalOne", threads)
    return [
        _ns_tricks(deal, max(tricks for _, tricks in answer))
        for deal, answer in zip(deals, answers, strict=True)
    ]


def tricks_by_lead(
    deals: Sequence[Deal], *, threads: int | None = None
) -> list[dict[Card, int]]:
    """Return for each deal the tricks N/S make after each opening lead, best play following."""
    answers = _solve(deals, "Default", threads)
    return [
        {card: _ns_tricks(deal, tricks) for card, tricks in sorted(answer)}
        for deal, answer in zip(deals, answers, strict=True)
    ]


def _solve(
    deals: Sequence[Deal], mode: str, threads: int | None
) -> Iterator[list[tuple[Card, int]]]:
    """Yield for each deal the leads looked at and the tricks that the leader's side makes."""
    from endplay import _dds
    from endplay.dds.solve import SolveMode, solve_all_boards

    _dds.SetMaxThreads(threads or os.cpu_count() or 1)
    waiting = iter(deals)
    while batch := [_endplay_deal(deal) for deal in islice(waiting, BATCH)]:
        solved = solve_all_boards(batch, SolveMode[mode])
        for number in range(len(batch)):
            yield [(_card(lead), tricks) for lead, tricks in solved[number]]


def _endplay_deal(deal: Deal) -> Any:
    from endplay.types import Deal as EndplayDeal
    from endplay.types import Denom, Player

    there = EndplayDeal(hands_text(deal))
    there.first = Player.find(deal.leader.value)
    there.trump = Denom.find(deal.trumps.value)
    return there


def _card(lead: Any) -> Card:
    return CARDS[lead.suit.name[0].upper() + lead.rank.abbr]


def _ns_tricks(deal: Deal, leaders: int) -> int:
    return leaders if deal.leader.side is Side.NS else 13 - leaders
