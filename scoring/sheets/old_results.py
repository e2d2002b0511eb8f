"""Results printed in whist books, scored again by Overplay's method.

To add one: copy the totals, averages and plus or minus exactly as printed into
`scoring/old_results.json`, and name the book in docs/sources.md.
"""

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from boards.whist import Side
from scoring.methods.tricks import compute_field_average

RESULTS_FILE = Path(__file__).parents[1] / "old_results.json"


@dataclass(frozen=True, slots=True)
class PrintedPair:
    """One pair: its printed tricks and plus or minus, and the recomputed plus or minus."""

    name: str
    tricks: int
    printed: int
    computed: Fraction
    is_winner: bool

    @property
    def is_confirmed(self) -> bool:
        """Whether the recomputed plus or minus equals the printed one."""
        return self.printed == self.computed


@dataclass(frozen=True, slots=True)
class PrintedField:
    """The pairs of one side, best first, with their printed and computed average of tricks."""

    side: Side
    printed_average: int
    computed_average: Fraction
    pairs: tuple[PrintedPair, ...]


@dataclass(frozen=True, slots=True)
class PrintedEvent:
    """An event of one Mitchell movement as printed in a book."""

    slug: str
    source: str
    tables: int
    deals: int
    fields: tuple[PrintedField, ...]

    @property
    def is_confirmed(self) -> bool:
        """Whether every printed average and score agrees with the computed one."""
        return all(
            field.printed_average == field.computed_average
            and all(pair.is_confirmed for pair in field.pairs)
            for field in self.fields
        )


@cache
def read_printed_events() -> tuple[PrintedEvent, ...]:
    """Return the printed events, oldest first.

    A pair scores its tricks less the average of its field (Foster, Complete Hoyle, duplicate
    whist).
    """
    document = json.loads(RESULTS_FILE.read_text("utf-8"))
    return tuple(
        PrintedEvent(
            slug=row["slug"],
            source=row["source"],
            tables=row["tables"],
            deals=row["deals"],
            fields=tuple(_build_printed_field(field) for field in row["fields"]),
        )
        for row in document["events"]
    )


def _build_printed_field(row: dict[str, Any]) -> PrintedField:
    totals = {
        index: Fraction(tricks) for index, (_name, tricks, _score) in enumerate(row["pairs"])
    }
    average = compute_field_average(totals, totals)
    assert average is not None, "a printed field has pairs"
    best = max(totals.values())
    pairs = [
        PrintedPair(name, tricks, score, tricks - average, is_winner=tricks == best)
        for name, tricks, score in row["pairs"]
    ]
    ranked = sorted(pairs, key=lambda pair: -pair.tricks)
    return PrintedField(Side(row["side"]), row["average"], average, tuple(ranked))
