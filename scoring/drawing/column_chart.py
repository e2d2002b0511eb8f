"""Column charts: positive values upwards from zero, negative ones downwards."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.drawing.scales import build_scale, format_coordinate
from scoring.drawing.score_chart import ChartLabel
from server import formatting

CHART_HEIGHT_LINES = 9.0  # in heights of a line of text
COLUMN_WIDTH_SHARE = 0.64
"""The width of a column, as a share of the distance between two columns."""
MAX_COLUMN_WIDTH_PERCENT = 6.0  # prevents block-like columns in a chart of few values
MIN_LABEL_DISTANCE_PERCENT = 11.0
"""The minimum distance between two labels below the chart; a closer label is omitted."""


@dataclass(frozen=True, slots=True)
class DrawnColumn:
    """One column: its position and size in per cent of the chart, and its explanation."""

    left: str
    width: str
    top: str
    height: str
    is_positive: bool
    text: str


@dataclass(frozen=True, slots=True)
class ColumnChart:
    """A column chart with a scale at the side and labels below."""

    height: str
    total_height: str
    foot_y: str
    side_labels: tuple[ChartLabel, ...]
    columns: tuple[DrawnColumn, ...]
    marks: tuple[ChartLabel, ...]


def draw_column_chart(steps: Sequence[tuple[str, Fraction, str]]) -> ColumnChart | None:
    """Draw a column for each step, from left to right; return None without steps.

    A step is (label below the column, value, text that explains the column). A label equal to
    the previous one is omitted.
    """
    if not steps:
        return None
    scale, ticks = build_scale(value for _label, value, _text in steps)
    tick_format = formatting.choose_column_format(ticks, has_sign=True)
    column_pitch_percent = 100 / len(steps)
    width = min(column_pitch_percent * COLUMN_WIDTH_SHARE, MAX_COLUMN_WIDTH_PERCENT)
    zero_y_fraction = scale.compute_y_fraction(0)
    columns = []
    for index, (_label, value, text) in enumerate(steps):
        value_y_fraction = scale.compute_y_fraction(value)
        columns.append(
            DrawnColumn(
                left=format_coordinate(column_pitch_percent * (index + 0.5) - width / 2),
                width=format_coordinate(width),
                top=format_coordinate(100 * min(value_y_fraction, zero_y_fraction)),
                height=format_coordinate(
                    max(100 * abs(value_y_fraction - zero_y_fraction), 0.6)
                ),
                is_positive=value > 0,
                text=text,
            )
        )
    return ColumnChart(
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
        columns=tuple(columns),
        marks=tuple(
            _place_axis_labels([label for label, _value, _text in steps], column_pitch_percent)
        ),
    )


def _place_axis_labels(labels: Sequence[str], column_pitch_percent: float) -> list[ChartLabel]:
    axis_labels: list[ChartLabel] = []
    previous_label, last_position = "", -MIN_LABEL_DISTANCE_PERCENT
    for index, label in enumerate(labels):
        position = column_pitch_percent * (index + 0.5)
        if label != previous_label and position - last_position >= MIN_LABEL_DISTANCE_PERCENT:
            axis_labels.append(ChartLabel(label, format_coordinate(position)))
            last_position = position
        previous_label = label
    return axis_labels
