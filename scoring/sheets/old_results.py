"""Results printed in whist books, scored again by Overplay's method.

To add an event: copy the totals, averages and plus or minus exactly as printed into
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

OLD_RESULTS_PATH = Path(__file__).parents[1] / "old_results.json"


@dataclass(frozen=True, slots=True)
class PrintedPair:
    """One pair: its printed tricks and plus or minus, and the recomputed plus or minus."""

    name: str
    tricks: int
    printed_plus_minus: int
    computed_plus_minus: Fraction
    is_winner: bool

    @property
    def is_confirmed(self) -> bool:
        """Whether the recomputed plus or minus equals the printed one."""
        return self.printed_plus_minus == self.computed_plus_minus


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
    table_count: int
    deal_count: int
    fields: tuple[PrintedField, ...]

    @property
    def is_confirmed(self) -> bool:
        """Whether every printed average and score agrees with the computed one."""
        return all(
            printed_field.printed_average == printed_field.computed_average
            and all(pair.is_confirmed for pair in printed_field.pairs)
            for printed_field in self.fields
        )


@cache
def read_printed_events() -> tuple[PrintedEvent, ...]:
    """Return the printed events, oldest first.

    A pair scores its tricks less the average of its field (Foster, Complete Hoyle, duplicate
    whist).
    """
    document = json.loads(OLD_RESULTS_PATH.read_text("utf-8"))
    return tuple(
        PrintedEvent(
            slug=event_data["slug"],
            source=event_data["source"],
            table_count=event_data["tables"],
            deal_count=event_data["deals"],
            fields=tuple(
                _build_printed_field(field_data) for field_data in event_data["fields"]
            ),
        )
        for event_data in document["events"]
    )


def _build_printed_field(field_data: dict[str, Any]) -> PrintedField:
    total_by_pair = {
        index: Fraction(tricks)
        for index, (_name, tricks, _score) in enumerate(field_data["pairs"])
    }
    average = compute_field_average(total_by_pair, total_by_pair)
    assert average is not None, "a printed field has pairs"
    best_total = max(total_by_pair.values())
    pairs = [
        PrintedPair(name, tricks, score, tricks - average, is_winner=tricks == best_total)
        for name, tricks, score in field_data["pairs"]
    ]
    sorted_pairs = sorted(pairs, key=lambda pair: -pair.tricks)
    return PrintedField(
        Side(field_data["side"]), field_data["average"], average, tuple(sorted_pairs)
    )
