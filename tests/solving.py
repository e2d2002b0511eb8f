"""Best play without a search: tests that are not about the solver only need some number."""

from collections.abc import Sequence
from typing import Any

import pytest

from boards import solver
from boards.whist import Card, Deal, Seat, Side

NEEDS_SOLVER = pytest.mark.skipif(
    not solver.is_available(), reason="needs the solver, which this system has no library for"
)


def load_endplay_format(format_: str) -> Any:
    """Return another program's reader and writer of boards; skip the test without them."""
    return pytest.importorskip(f"endplay.parsers.{format_}", reason="needs endplay")


def count_trumps_as_tricks(deals: Sequence[Deal], **_options: object) -> list[int]:
    """Give each deal the number of N-S's trumps as its tricks, at most 13."""
    return [
        sum(
            card.suit is deal.trumps
            for seat, hand in deal.hands.items()
            if seat.side is Side.NS
            for card in hand
        )
        for deal in deals
    ]


def give_equal_tricks(deals: Sequence[Deal], **_options: object) -> list[dict[Card, int]]:
    """Give every lead of a deal the same tricks."""
    return [
        dict.fromkeys(sorted(deal.hands[deal.leader]), tricks)
        for deal, tricks in zip(deals, count_trumps_as_tricks(deals), strict=True)
    ]


def count_suits_as_tricks(
    deals: Sequence[Deal], **_options: object
) -> list[dict[tuple[Seat, str], int]]:
    """Give each seat its side's number of trumps as tricks, and six without trumps."""
    return [
        {
            (seat, word): sum(
                card.suit == word
                for other_seat, hand in deal.hands.items()
                if other_seat.side is seat.side
                for card in hand
            )
            if word != "NT"
            else 6
            for seat in Seat
            for word in ("NT", "S", "H", "D", "C")
        }
        for deal in deals
    ]


def replace_solver(patch: pytest.MonkeyPatch) -> None:
    """Replace the solver with these quick numbers."""
    patch.setattr("boards.solver.is_available", lambda: True)
    patch.setattr("boards.solver.compute_best_tricks", count_trumps_as_tricks)
    patch.setattr("boards.solver.compute_tricks_by_lead", give_equal_tricks)
    patch.setattr("boards.solver.compute_best_play_tables", count_suits_as_tricks)
