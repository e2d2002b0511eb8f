"""The chart of one entry's score over the boards, with areas above and below the average."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from scoring.drawing.scales import Scale, build_scale, format_coordinate
from scoring.drawing.score_chart import DIAGRAM_SIZE_UNITS, ChartLabel
from server import formatting

CHART_HEIGHT_LINES = 9.0  # in heights of a line of text


@dataclass(frozen=True, slots=True)
class AreaChart:
    """The curve of a running score (`line`), the areas between it and zero, and the rounds."""

    height: str
    total_height: str
    foot_y: str
    side_labels: tuple[ChartLabel, ...]
    rounds: tuple[ChartLabel, ...]
    line: str
    positive_area_points: str
    negative_area_points: str
    line_end_y: str  # the vertical position of the curve's end, in heights of a line of text


Point = tuple[float, float]
"""A horizontal position and a value."""


def draw_area_chart(steps: Sequence[tuple[str, int, Fraction]]) -> AreaChart | None:
    """Draw a running score; a step is (name of the round, number of boards, points).

    Returns None without steps.
    """
    if not steps:
        return None
    total_board_count = sum(board_count for _round_name, board_count, _points in steps)
    running_totals: list[tuple[Fraction, Fraction]] = [(Fraction(), Fraction())]
    for _round_name, board_count, step_points in steps:
        position, total = running_totals[-1]
        running_totals.append(
            (position + Fraction(board_count, total_board_count), total + step_points)
        )
    scale, ticks = build_scale(total for _position, total in running_totals)
    tick_format = formatting.choose_column_format(ticks, has_sign=True)
    chart_points = [(float(position), float(total)) for position, total in running_totals]
    points_with_crossings = insert_zero_crossings(chart_points)
    return AreaChart(
        height=format_coordinate(CHART_HEIGHT_LINES),
        total_height=format_coordinate(CHART_HEIGHT_LINES + 2.6),
        foot_y=format_coordinate(CHART_HEIGHT_LINES + 1.6),
        side_labels=tuple(
            ChartLabel(
                tick_format.format_number(tick),
                format_coordinate(CHART_HEIGHT_LINES * scale.compute_y_fraction(tick)),
            )
            for tick in ticks
        ),
        rounds=tuple(_place_round_labels(steps, total_board_count)),
        line=_format_points(chart_points, scale),
        positive_area_points=_format_points(
            [(x, max(y, 0.0)) for x, y in points_with_crossings], scale, is_closed=True
        ),
        negative_area_points=_format_points(
            [(x, min(y, 0.0)) for x, y in points_with_crossings], scale, is_closed=True
        ),
        line_end_y=format_coordinate(
            CHART_HEIGHT_LINES * scale.compute_y_fraction(running_totals[-1][1])
        ),
    )


def insert_zero_crossings(points: Sequence[Point]) -> list[Point]:
    """Insert zero crossings, so that every segment is entirely positive or negative."""
    points_with_crossings = list(points[:1])
    for (x0, y0), (x1, y1) in pairwise(points):
        if y0 * y1 < 0:
            points_with_crossings.append((x0 + (x1 - x0) * y0 / (y0 - y1), 0.0))
        points_with_crossings.append((x1, y1))
    return points_with_crossings


def _place_round_labels(
    steps: Sequence[tuple[str, int, Fraction]], total_board_count: int
) -> list[ChartLabel]:
    """Place each round's number in the middle of its boards."""
    round_spans: list[tuple[str, int, int]] = []
    board_count_before = 0
    for round_name, board_count, _points in steps:
        if round_spans and round_spans[-1][0] == round_name:
            round_spans[-1] = round_name, round_spans[-1][1], board_count_before + board_count
        else:
            round_spans.append(
                (round_name, board_count_before, board_count_before + board_count)
            )
        board_count_before += board_count
    return [
        ChartLabel(
            round_name,
            format_coordinate(
                50 * (board_count_at_start + board_count_at_end) / total_board_count
            ),
        )
        for round_name, board_count_at_start, board_count_at_end in round_spans
    ]


def _format_points(points: Sequence[Point], scale: Scale, *, is_closed: bool = False) -> str:
    if is_closed:
        points = [(points[0][0], 0.0), *points, (points[-1][0], 0.0)]
    x_and_y_fraction_pairs = ((x, scale.compute_y_fraction(Fraction(y))) for x, y in points)
    return " ".join(
        f"{format_coordinate(DIAGRAM_SIZE_UNITS * x)},"
        f"{format_coordinate(DIAGRAM_SIZE_UNITS * y_fraction)}"
        for x, y_fraction in x_and_y_fraction_pairs
    )
