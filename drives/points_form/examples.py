"""Example hands of a points table with their explanation and the four scores."""

from collections.abc import Collection
from typing import NamedTuple

from drives.games.contracts import PointsTable
from drives.games.example_hands import list_example_hands
from drives.games.explaining import explain_hand
from server.formatting import format_signed

EXAMPLE_NAMES = ("Ann", "Bea", "Cy", "Di")


class ExampleHand(NamedTuple):
    """A hand as explained, and each player's name and score."""

    explanation: str
    scores: tuple[tuple[str, str], ...]


def build_examples(
    points_table: PointsTable, changed_codes: Collection[str]
) -> list[ExampleHand]:
    """Return example hands of a table; those of changed contracts come first."""
    return [
        ExampleHand(
            " ".join(explain_hand(points_table, settlement, EXAMPLE_NAMES)),
            tuple(zip(EXAMPLE_NAMES, map(format_signed, settlement.points), strict=True)),
        )
        for settlement in list_example_hands(points_table, changed_codes)
    ]
