"""The chart of one entry's score over the boards, with areas above and below the average."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from scoring.drawing.course import UNITS, Mark
from scoring.drawing.scales import Scale, around, written
from server import formatting

HEIGHT = 9.0  # lines of text


@dataclass(frozen=True, slots=True)
class Area:
    """The line, the two areas between it and zero, and the places of the rounds."""

    height: str
    whole: str
    foot: str
    sides: tuple[Mark, ...]
    rounds: tuple[Mark, ...]
    line: str
    above: str
    below: str
    end: str  # the place of the line's end from the top, in per cent of the height


Point = tuple[float, float]
"""The horizontal place, and the value."""


def area(steps: Sequence[tuple[str, int, Fraction]]) -> Area | None:
    """Draw steps from zero; each has the name of its round, its boards and its points.

    Returns None without steps.
    """
    if not steps:
        return None
    whole = sum(boards for _round, boards, _figure in steps)
    path: list[tuple[Fraction, Fraction]] = [(Fraction(), Fraction())]
    for _round, boards, figure in steps:
        along, level = path[-1]
        path.append((along + Fraction(boards, whole), level + figure))
    scale, beside = around(level for _along, level in path)
    levels = formatting.column_format(beside, sign=True)
    points = [(float(along), float(level)) for along, level in path]
    crossed = with_crossings(points)
    return Area(
        height=written(HEIGHT),
        whole=written(HEIGHT + 2.6),
        foot=written(HEIGHT + 1.6),
        sides=tuple(
            Mark(levels.write(each), written(HEIGHT * scale.down(each))) for each in beside
        ),
        rounds=tuple(_rounds(steps, whole)),
        line=_written(points, scale),
        above=_written([(x, max(y, 0.0)) for x, y in crossed], scale, closed=True),
        below=_written([(x, min(y, 0.0)) for x, y in crossed], scale, closed=True),
        end=written(HEIGHT * scale.down(path[-1][1])),
    )


def with_crossings(points: Sequence[Point]) -> list[Point]:
    """Insert zero crossings, so that every segment is entirely positive or negative."""
    found = list(points[:1])
    for (x0, y0), (x1, y1) in pairwise(points):
        if y0 * y1 < 0:
            found.append((x0 + (x1 - x0) * y0 / (y0 - y1), 0.0))
        found.append((x1, y1))
    return found


def _rounds(steps: Sequence[tuple[str, int, Fraction]], whole: int) -> list[Mark]:
    """Place each round's number in the middle of its boards."""
    spans: list[tuple[str, int, int]] = []
    done = 0
    for word, boards, _figure in steps:
        if spans and spans[-1][0] == word:
            spans[-1] = word, spans[-1][1], done + boards
        else:
            spans.append((word, done, done + boards))
        done += boards
    return [Mark(word, written(50 * (first + last) / whole)) for word, first, last in spans]


def _written(points: Sequence[Point], scale: Scale, *, closed: bool = False) -> str:
    if closed:
        points = [(points[0][0], 0.0), *points, (points[-1][0], 0.0)]
    return " ".join(
        f"{written(UNITS * x)},{written(UNITS * scale.down(Fraction(y)))}" for x, y in points
    )
