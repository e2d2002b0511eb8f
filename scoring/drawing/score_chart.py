"""The chart of the running scores of an evening, with one line for each entry."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.drawing.label_spacing import spread_labels
from scoring.drawing.scales import build_scale, format_coordinate
from server import formatting

DIAGRAM_SIZE_UNITS = 1000
"""The width and the height of a diagram in coordinate units; the page scales it to its size."""
MIN_HEIGHT_LINES = 11.0  # in heights of a line of text
LABEL_GAP_LINES = 1.25  # the distance between two labels, in heights of a line of text
MAX_LABELLED_LINES = 14
"""The maximum number of labelled lines. With more entries, the leaders and marked ones have
labels.
"""


@dataclass(frozen=True, slots=True)
class EntryScores:
    """The running scores of one entry, from the start to the end of the evening."""

    label: str
    short_name: str
    running_scores: tuple[Fraction, ...]
    kind: str = ""  # "first" or "second" by rank, else ""; chooses the style of the line
    is_mine: bool = False


@dataclass(frozen=True, slots=True)
class ChartLabel:
    """A label at the side or below a chart, and its position."""

    text: str
    position: str


@dataclass(frozen=True, slots=True)
class ScoreChartLine:
    """The line of one entry: its points, and its label if it has one."""

    points: str
    kind: str
    is_mine: bool
    label: str = ""
    short_label: str = ""
    label_y: str = ""


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """The chart of an evening's running scores; heights are in lines of text."""

    height: str  # the height of the area with the lines
    total_height: str  # the height with the names of the rounds below the lines
    foot_y: str
    side_labels: tuple[ChartLabel, ...]
    rounds: tuple[ChartLabel, ...]
    lines: tuple[ScoreChartLine, ...]  # marked lines last, drawn over the others


def draw_score_chart(
    entry_scores: Sequence[EntryScores], round_names: Sequence[str]
) -> ScoreChart | None:
    """Draw the running scores over the rounds; return None without rounds or entries."""
    if not round_names or not entry_scores:
        return None
    scale, ticks = build_scale(
        running_score for scores in entry_scores for running_score in scores.running_scores
    )
    tick_format = formatting.choose_column_format(ticks, has_sign=True)
    labelled_indexes = _choose_labelled_line_indexes(entry_scores)
    height = max(MIN_HEIGHT_LINES, LABEL_GAP_LINES * len(labelled_indexes))
    wanted_positions = [
        height * scale.compute_y_fraction(entry_scores[index].running_scores[-1])
        for index in labelled_indexes
    ]
    label_position_by_index = dict(
        zip(
            labelled_indexes,
            spread_labels(wanted_positions, LABEL_GAP_LINES, 0.0, height),
            strict=True,
        )
    )
    lines = [
        ScoreChartLine(
            points=_format_points(
                [
                    scale.compute_y_fraction(running_score)
                    for running_score in scores.running_scores
                ]
            ),
            kind=scores.kind,
            is_mine=scores.is_mine,
            label=scores.label if index in label_position_by_index else "",
            short_label=scores.short_name if index in label_position_by_index else "",
            label_y=format_coordinate(label_position_by_index[index])
            if index in label_position_by_index
            else "",
        )
        for index, scores in enumerate(entry_scores)
    ]
    drawing_order_by_kind = {"": 0, "second": 2, "first": 3}
    return ScoreChart(
        height=format_coordinate(height),
        total_height=format_coordinate(height + 3),
        foot_y=format_coordinate(height + 1.6),
        side_labels=tuple(
            ChartLabel(
                tick_format.format_number(tick),
                format_coordinate(height * scale.compute_y_fraction(tick)),
            )
            for tick in ticks
        ),
        rounds=tuple(
            ChartLabel(round_name, format_coordinate(100 * index / len(round_names)))
            for index, round_name in enumerate(round_names, start=1)
        ),
        lines=tuple(
            sorted(lines, key=lambda line: (drawing_order_by_kind[line.kind], line.is_mine))
        ),
    )


def _choose_labelled_line_indexes(entry_scores: Sequence[EntryScores]) -> list[int]:
    if len(entry_scores) <= MAX_LABELLED_LINES:
        return list(range(len(entry_scores)))
    own_indexes = [
        index
        for index, scores in enumerate(entry_scores)
        if scores.is_mine and index >= MAX_LABELLED_LINES - 1
    ]
    return [*range(MAX_LABELLED_LINES - len(own_indexes[:4])), *own_indexes[:4]]


def _format_points(heights: Sequence[float]) -> str:
    last_index = max(len(heights) - 1, 1)
    return " ".join(  # rounded: a screen has fewer pixels than units
        f"{DIAGRAM_SIZE_UNITS * index / last_index:.0f},{DIAGRAM_SIZE_UNITS * height:.0f}"
        for index, height in enumerate(heights)
    )
