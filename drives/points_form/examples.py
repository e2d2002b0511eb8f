"""Builds example hands that explain a points table on its page."""

from collections.abc import Collection
from typing import NamedTuple

from drives.games.contracts import PointsTable
from drives.games.example_hands import settle_example_hands
from drives.games.explaining import explain_hand
from server.formatting import format_signed

EXAMPLE_NAMES = ("Ann", "Bea", "Cy", "Di")


class ExampleHand(NamedTuple):
    """An explanation of a hand, and the name and score of each of the four players."""

    explanation: str
    scores: tuple[tuple[str, str], ...]


def build_examples(
    points_table: PointsTable, changed_codes: Collection[str]
) -> list[ExampleHand]:
    """Return example hands for a points table; those of changed contracts come first."""
    return [
        ExampleHand(
            " ".join(explain_hand(points_table, settlement, EXAMPLE_NAMES)),
            tuple(zip(EXAMPLE_NAMES, map(format_signed, settlement.points), strict=True)),
        )
        for settlement in settle_example_hands(points_table, changed_codes)
    ]
