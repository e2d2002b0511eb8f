"""Column charts: positive values upwards from zero, negative ones downwards."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.drawing.course import Mark
from scoring.drawing.scales import around, written
from server import formatting

HEIGHT = 9.0  # lines of text
FILLED = 0.64
"""The part of its share of the width that a column takes."""
WIDEST = 6.0  # per cent, so that a few columns do not look like blocks
APART = 11.0
"""The least distance of two labels at the foot in per cent; a closer one is left out."""


@dataclass(frozen=True, slots=True)
class DrawnColumn:
    """One column: its place and size in per cent, and its text."""

    at: str
    width: str
    top: str
    height: str
    is_plus: bool
    words: str


@dataclass(frozen=True, slots=True)
class Columns:
    """The whole chart: columns, values at the side and labels at the foot."""

    height: str
    whole: str
    foot: str
    sides: tuple[Mark, ...]
    columns: tuple[DrawnColumn, ...]
    marks: tuple[Mark, ...]


def columns(steps: Sequence[tuple[str, Fraction, str]]) -> Columns | None:
    """Draw values from left to right; each has a label at the foot, a value and a text.

    A label equal to the one before it is left out. Returns None without values.
    """
    if not steps:
        return None
    scale, beside = around(figure for _word, figure, _words in steps)
    levels = formatting.column_format(beside, sign=True)
    share = 100 / len(steps)
    width = min(share * FILLED, WIDEST)
    nothing = scale.down(0)
    drawn = []
    for place, (_word, figure, words) in enumerate(steps):
        reach = scale.down(figure)
        drawn.append(
            DrawnColumn(
                at=written(share * (place + 0.5) - width / 2),
                width=written(width),
                top=written(100 * min(reach, nothing)),
                height=written(max(100 * abs(reach - nothing), 0.6)),
                is_plus=figure > 0,
                words=words,
            )
        )
    return Columns(
        height=written(HEIGHT),
        whole=written(HEIGHT + 2.6),
        foot=written(HEIGHT + 1.6),
        sides=tuple(
            Mark(levels.write(each), written(HEIGHT * scale.down(each))) for each in beside
        ),
        columns=tuple(drawn),
        marks=tuple(_marks([word for word, _figure, _words in steps], share)),
    )


def _marks(words: Sequence[str], share: float) -> list[Mark]:
    found: list[Mark] = []
    before, last = "", -APART
    for place, word in enumerate(words):
        at = share * (place + 0.5)
        if word != before and at - last >= APART:
            found.append(Mark(word, written(at)))
            last = at
        before = word
    return found
