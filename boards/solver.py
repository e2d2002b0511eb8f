"""Double dummy: what best play by all four makes of a deal; the only door to endplay.

endplay's own import brings matplotlib, half a second and much memory, so it happens inside. It
has no wheel for every Python: where it is missing, everything else works, and a line says so.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from boards.whist import CARDS, Card, Deal, Play, Seat, Side, Suit, WhistError
from boards.whist.notation import hand_text, hands_text
from server.private_apis import set_solver_threads

_Position = tuple[str, Seat, Suit | None]  # the hands as text, who leads, and trumps if any

BATCH = 200
"""The most boards that DDS takes in one call."""

TABLES = 32
"""The most boards whose whole tables are asked for in one call."""

DENOMINATIONS = ("NT", *Suit)
"""What a bridge program knows to be trumps: nothing, or one of the suits."""

Cell = tuple[Seat, str]
"""Whose side takes tricks, and with which trumps."""


class SolverMissing(WhistError):
    """Double dummy is not installed here, or cannot be loaded."""

    code = "solver_missing"


def is_here() -> bool:
    """Whether double dummy is installed."""
    return find_spec("endplay") is not None


def missing() -> str:
    """Return the line that stands where best play would; empty where it can be found."""
    return "" if is_here() else _words()


def best_tricks(deals: Sequence[Deal], *, threads: int | None = None) -> list[int]:
    """Return the tricks N/S make on each deal with best play by all, 0 to 13.

    The dealer's left leads and the turn-up's suit is trumps. `threads` None takes all cores.
    This and the others raise SolverMissing where there is nothing to search with.
    """
    answers = _solve(map(_start, deals), "OptimalOne", threads)
    return [
        _ns_tricks(deal, max(tricks for _, tricks in answer))
        for deal, answer in zip(deals, answers, strict=True)
    ]


def tricks_by_lead(
    deals: Sequence[Deal], *, threads: int | None = None
) -> list[dict[Card, int]]:
    """Return for each deal the tricks N/S make after each opening lead, best play following."""
    answers = _solve(map(_start, deals), "Default", threads)
    return [
        {card: _ns_tricks(deal, tricks) for card, tricks in sorted(answer)}
        for deal, answer in zip(deals, answers, strict=True)
    ]


def tables(deals: Sequence[Deal], *, threads: int | None = None) -> list[dict[Cell, int]]:
    """Return for each deal what every seat's side makes in each suit and without trumps.

    The seat on its left leads, as if it had dealt. Bridge programs read these twenty figures;
    the dealer's in the turn-up's suit is best play of the whist deal.
    """
    with _wanted():
        from endplay.dds.ddtable import calc_all_tables
        from endplay.types import Denom, Player

    set_solver_threads(threads or os.cpu_count() or 1)
    denoms = {word: Denom.find(word) for word in DENOMINATIONS}
    found = []
    waiting = iter(deals)
    while batch := list(islice(waiting, TABLES)):
        solved = calc_all_tables([_endplay_deal(_start(deal)) for deal in batch])
        found += [
            {
                (seat, word): int(solved[place][denom, Player.find(seat.value)])
                for seat in Seat
                for word, denom in denoms.items()
            }
            for place in range(len(batch))
        ]
    return found


def tricks_in_play(play: Play, *, threads: int | None = None) -> list[int]:
    """Return the tricks N/S make in all with best play from each trick of a play on.

    The first is that of the whole deal; then one for the position after each complete trick,
    up to thirteen, where nothing is left to search.
    """
    starts = [place for place in range(0, len(play.cards) + 1, 4) if place < 52]
    reached = [Play(play.deal, play.cards[:place]) for place in starts]
    answers = _solve([_reached(each) for each in reached], "OptimalOne", threads)
    found = []
    for each, answer in zip(reached, answers, strict=True):
        assert each.turn is not None
        leaders = max(tricks for _, tricks in answer)
        left = 13 - len(each.cards) // 4
        ns = leaders if each.turn.side is Side.NS else left - leaders
        found.append(each.won[Side.NS] + ns)
    return [*found, play.won[Side.NS]] if play.is_over else found


def _solve(
    positions: Iterable[_Position], mode: str, threads: int | None
) -> Iterator[list[tuple[Card, int]]]:
    """Yield for each position the leads looked at, and what the leader's side makes."""
    with _wanted():
        from endplay.dds.solve import SolveMode, solve_all_boards

    set_solver_threads(threads or os.cpu_count() or 1)
    waiting = iter(positions)
    while batch := [_endplay_deal(each) for each in islice(waiting, BATCH)]:
        solved = solve_all_boards(batch, SolveMode[mode])
        for number in range(len(batch)):
            yield [(_card(lead), tricks) for lead, tricks in solved[number]]


@contextmanager
def _wanted() -> Iterator[None]:
    """Turn a library that is not there, or that the system cannot load, into our own error."""
    try:
        yield
    except (ImportError, OSError) as problem:
        raise SolverMissing(_words()) from problem


def _words() -> str:
    return _("Best play needs the solver, which this computer does not have.")


def _start(deal: Deal) -> _Position:
    return hands_text(deal), deal.leader, deal.trumps


def _reached(play: Play) -> _Position:
    assert play.turn is not None
    held = " ".join(hand_text(play.hand(seat)) for seat in Seat)
    return f"{Seat.NORTH}:{held}", play.turn, play.deal.trumps


def _endplay_deal(position: _Position) -> Any:
    from endplay.types import Deal as EndplayDeal
    from endplay.types import Denom, Player

    hands, leader, trumps = position
    there = EndplayDeal(hands)
    there.first = Player.find(leader.value)
    there.trump = Denom.find(trumps.value if trumps else "NT")
    return there


def _card(lead: Any) -> Card:
    return CARDS[lead.suit.name[0].upper() + lead.rank.abbr]


def _ns_tricks(deal: Deal, leaders: int) -> int:
    return leaders if deal.leader.side is Side.NS else 13 - leaders
