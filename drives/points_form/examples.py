"""Example hands of a points table with their explanation and the four scores."""

from collections.abc import Collection
from typing import NamedTuple

from drives.games.contracts import PointsTable
from drives.games.example_hands import list_example_hands
from drives.games.explaining import explain_hand
from server.formatting import format_signed

NAMES = ("Ann", "Bea", "Cy", "Di")


class ExampleHand(NamedTuple):
    """A hand as explained, and each player's name and score."""

    explanation: str
    scores: tuple[tuple[str, str], ...]


def build_examples(table: PointsTable, changed: Collection[str]) -> list[ExampleHand]:
    """Return example hands of a table; those of changed contracts come first."""
    return [
        ExampleHand(
            " ".join(explain_hand(table, settled, NAMES)),
            tuple(zip(NAMES, map(format_signed, settled.points), strict=True)),
        )
        for settled in list_example_hands(table, changed)
    ]
