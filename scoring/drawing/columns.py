"""Figures one after another as columns: a plus upwards from nothing, a minus downwards."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.drawing.course import Mark
from scoring.drawing.scales import around, written
from server import formatting

HEIGHT = 9.0  # lines of text
FILLED = 0.64
"""How much of its share of the width a column takes."""
WIDEST = 6.0  # per cent: a few columns are no blocks
APART = 11.0
"""Per cent between two words at the foot; the later of two that are closer is left out."""


@dataclass(frozen=True, slots=True)
class DrawnColumn:
    """One figure: where it begins and how far it reaches, in per cent; its own words."""

    at: str
    width: str
    top: str
    height: str
    is_plus: bool
    words: str


@dataclass(frozen=True, slots=True)
class Columns:
    """All of them, the figures at the side and the words at the foot."""

    height: str
    whole: str
    foot: str
    sides: tuple[Mark, ...]
    columns: tuple[DrawnColumn, ...]
    marks: tuple[Mark, ...]


def columns(steps: Sequence[tuple[str, Fraction, str]]) -> Columns | None:
    """Draw steps from left to right: each the word at its foot, its figure, its own words.

    A word that is like the one before it is not said again. None where there is no step.
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
