"""The chart of the running scores of an evening, with one line for each entry."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.drawing.label_spacing import spread_labels
from scoring.drawing.scales import build_scale, format_coordinate
from server import formatting

DIAGRAM_UNITS = 1000
"""The width and the height of a diagram in coordinate units; the page scales it to its size."""
MIN_HEIGHT_LINES = 11.0
LABEL_GAP_LINES = 1.25  # from label to label
MAX_NAMED_LINES = 14
"""The maximum number of labelled lines. With more entries, the leaders and marked ones have
labels.
"""


@dataclass(frozen=True, slots=True)
class EntryScores:
    """The running scores of one entry, from the start to the end of the evening."""

    label: str
    short: str
    running_scores: tuple[Fraction, ...]
    kind: str = ""  # "first", "second", or nothing
    is_mine: bool = False


@dataclass(frozen=True, slots=True)
class ChartLabel:
    """A label at the side or below a chart, and its position."""

    text: str
    position: str


@dataclass(frozen=True, slots=True)
class ScoreChartLine:
    """One line: its points, its label and the label's position; the last two may be empty."""

    points: str
    kind: str
    is_mine: bool
    label: str = ""
    short: str = ""
    label_y: str = ""


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """The chart of an evening's running scores; heights are in lines of text."""

    height: str  # of the lines
    total_height: str  # including the rounds below
    foot_y: str
    side_labels: tuple[ChartLabel, ...]
    rounds: tuple[ChartLabel, ...]
    lines: tuple[ScoreChartLine, ...]  # marked lines last, drawn over the others


def draw_score_chart(runs: Sequence[EntryScores], rounds: Sequence[str]) -> ScoreChart | None:
    """Draw the running scores over the rounds; return None without rounds or entries."""
    if not rounds or not runs:
        return None
    scale, ticks = build_scale(figure for run in runs for figure in run.running_scores)
    levels = formatting.choose_column_format(ticks, with_sign=True)
    named_runs = _choose_named_lines(runs)
    height = max(MIN_HEIGHT_LINES, LABEL_GAP_LINES * len(named_runs))
    wanted_positions = [
        height * scale.to_height_fraction(runs[place].running_scores[-1])
        for place in named_runs
    ]
    label_positions = dict(
        zip(
            named_runs,
            spread_labels(wanted_positions, LABEL_GAP_LINES, 0.0, height),
            strict=True,
        )
    )
    lines = [
        ScoreChartLine(
            points=_format_points(
                [scale.to_height_fraction(figure) for figure in run.running_scores]
            ),
            kind=run.kind,
            is_mine=run.is_mine,
            label=run.label if place in label_positions else "",
            short=run.short if place in label_positions else "",
            label_y=format_coordinate(label_positions[place])
            if place in label_positions
            else "",
        )
        for place, run in enumerate(runs)
    ]
    order = {"": 0, "second": 2, "first": 3}
    return ScoreChart(
        height=format_coordinate(height),
        total_height=format_coordinate(height + 3),
        foot_y=format_coordinate(height + 1.6),
        side_labels=tuple(
            ChartLabel(
                levels.write(tick), format_coordinate(height * scale.to_height_fraction(tick))
            )
            for tick in ticks
        ),
        rounds=tuple(
            ChartLabel(word, format_coordinate(100 * place / len(rounds)))
            for place, word in enumerate(rounds, start=1)
        ),
        lines=tuple(sorted(lines, key=lambda line: (order[line.kind], line.is_mine))),
    )


def _choose_named_lines(runs: Sequence[EntryScores]) -> list[int]:
    if len(runs) <= MAX_NAMED_LINES:
        return list(range(len(runs)))
    marked = [
        place for place, run in enumerate(runs) if run.is_mine and place >= MAX_NAMED_LINES - 1
    ]
    return [*range(MAX_NAMED_LINES - len(marked[:4])), *marked[:4]]


def _format_points(heights: Sequence[float]) -> str:
    last = max(len(heights) - 1, 1)
    return " ".join(  # rounded: a screen has fewer pixels than units
        f"{DIAGRAM_UNITS * place / last:.0f},{DIAGRAM_UNITS * height:.0f}"
        for place, height in enumerate(heights)
    )
