"""The chart of one entry's score over the boards, with areas above and below the average."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from scoring.drawing.scales import Scale, build_scale, format_coordinate
from scoring.drawing.score_chart import DIAGRAM_UNITS, ChartLabel
from server import formatting

CHART_HEIGHT_LINES = 9.0  # lines of text


@dataclass(frozen=True, slots=True)
class AreaChart:
    """The line of an area chart, the areas between it and zero, and the positions of the
    rounds.
    """

    height: str
    total_height: str
    foot_y: str
    side_labels: tuple[ChartLabel, ...]
    rounds: tuple[ChartLabel, ...]
    line: str
    above: str
    below: str
    end: str  # the distance of the line's end from the top in lines of text


Point = tuple[float, float]
"""A horizontal position and a value."""


def draw_area_chart(steps: Sequence[tuple[str, int, Fraction]]) -> AreaChart | None:
    """Draw a running score; each step has the name of its round, its boards and its points.

    Returns None without steps.
    """
    if not steps:
        return None
    total_boards = sum(boards for _round, boards, _figure in steps)
    path: list[tuple[Fraction, Fraction]] = [(Fraction(), Fraction())]
    for _round, boards, figure in steps:
        position, level = path[-1]
        path.append((position + Fraction(boards, total_boards), level + figure))
    scale, ticks = build_scale(level for _along, level in path)
    levels = formatting.choose_column_format(ticks, with_sign=True)
    points = [(float(position), float(level)) for position, level in path]
    crossed_points = insert_zero_crossings(points)
    return AreaChart(
        height=format_coordinate(CHART_HEIGHT_LINES),
        total_height=format_coordinate(CHART_HEIGHT_LINES + 2.6),
        foot_y=format_coordinate(CHART_HEIGHT_LINES + 1.6),
        side_labels=tuple(
            ChartLabel(
                levels.write(tick),
                format_coordinate(CHART_HEIGHT_LINES * scale.to_height_fraction(tick)),
            )
            for tick in ticks
        ),
        rounds=tuple(_place_round_marks(steps, total_boards)),
        line=_format_points(points, scale),
        above=_format_points(
            [(x, max(y, 0.0)) for x, y in crossed_points], scale, is_closed=True
        ),
        below=_format_points(
            [(x, min(y, 0.0)) for x, y in crossed_points], scale, is_closed=True
        ),
        end=format_coordinate(CHART_HEIGHT_LINES * scale.to_height_fraction(path[-1][1])),
    )


def insert_zero_crossings(points: Sequence[Point]) -> list[Point]:
    """Insert zero crossings, so that every segment is entirely positive or negative."""
    crossed_points = list(points[:1])
    for (x0, y0), (x1, y1) in pairwise(points):
        if y0 * y1 < 0:
            crossed_points.append((x0 + (x1 - x0) * y0 / (y0 - y1), 0.0))
        crossed_points.append((x1, y1))
    return crossed_points


def _place_round_marks(
    steps: Sequence[tuple[str, int, Fraction]], total_boards: int
) -> list[ChartLabel]:
    """Place each round's number in the middle of its boards."""
    spans: list[tuple[str, int, int]] = []
    boards_before = 0
    for name, boards, _figure in steps:
        if spans and spans[-1][0] == name:
            spans[-1] = name, spans[-1][1], boards_before + boards
        else:
            spans.append((name, boards_before, boards_before + boards))
        boards_before += boards
    return [
        ChartLabel(name, format_coordinate(50 * (first + last) / total_boards))
        for name, first, last in spans
    ]


def _format_points(points: Sequence[Point], scale: Scale, *, is_closed: bool = False) -> str:
    if is_closed:
        points = [(points[0][0], 0.0), *points, (points[-1][0], 0.0)]
    levels = ((x, scale.to_height_fraction(Fraction(y))) for x, y in points)
    return " ".join(
        f"{format_coordinate(DIAGRAM_UNITS * x)},{format_coordinate(DIAGRAM_UNITS * level)}"
        for x, level in levels
    )
