"""Column charts: positive values upwards from zero, negative ones downwards."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.drawing.scales import build_scale, format_coordinate
from scoring.drawing.score_chart import ChartLabel
from server import formatting

CHART_HEIGHT_LINES = 9.0  # lines of text
COLUMN_WIDTH_SHARE = 0.64
"""The share of its slot that a column fills."""
MAX_COLUMN_WIDTH_PERCENT = 6.0  # prevents block-like columns in a chart of few values
MIN_LABEL_DISTANCE_PERCENT = 11.0
"""The minimum distance between two labels below the chart; a closer label is omitted."""


@dataclass(frozen=True, slots=True)
class DrawnColumn:
    """One column: its position and size in per cent, and its text."""

    left: str
    width: str
    top: str
    height: str
    is_plus: bool
    words: str


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
    """Draw values from left to right; each has a label, a value and a text.

    A label equal to the previous one is omitted. Returns None without values.
    """
    if not steps:
        return None
    scale, beside = build_scale(figure for _word, figure, _words in steps)
    levels = formatting.choose_column_format(beside, sign=True)
    share = 100 / len(steps)
    width = min(share * COLUMN_WIDTH_SHARE, MAX_COLUMN_WIDTH_PERCENT)
    nothing = scale.to_height_fraction(0)
    drawn = []
    for place, (_word, figure, words) in enumerate(steps):
        reach = scale.to_height_fraction(figure)
        drawn.append(
            DrawnColumn(
                left=format_coordinate(share * (place + 0.5) - width / 2),
                width=format_coordinate(width),
                top=format_coordinate(100 * min(reach, nothing)),
                height=format_coordinate(max(100 * abs(reach - nothing), 0.6)),
                is_plus=figure > 0,
                words=words,
            )
        )
    return ColumnChart(
        height=format_coordinate(CHART_HEIGHT_LINES),
        total_height=format_coordinate(CHART_HEIGHT_LINES + 2.6),
        foot_y=format_coordinate(CHART_HEIGHT_LINES + 1.6),
        side_labels=tuple(
            ChartLabel(
                levels.write(each),
                format_coordinate(CHART_HEIGHT_LINES * scale.to_height_fraction(each)),
            )
            for each in beside
        ),
        columns=tuple(drawn),
        marks=tuple(_place_foot_marks([word for word, _figure, _words in steps], share)),
    )


def _place_foot_marks(words: Sequence[str], share: float) -> list[ChartLabel]:
    found: list[ChartLabel] = []
    before, last = "", -MIN_LABEL_DISTANCE_PERCENT
    for place, word in enumerate(words):
        at = share * (place + 0.5)
        if word != before and at - last >= MIN_LABEL_DISTANCE_PERCENT:
            found.append(ChartLabel(word, format_coordinate(at)))
            last = at
        before = word
    return found
