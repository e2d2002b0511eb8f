"""The dot chart of a board: one dot for each table, above its number of tricks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.drawing.label_spacing import spread_labels
from scoring.drawing.scales import format_coordinate
from scoring.drawing.score_chart import ChartLabel

TRICKS_PER_DEAL = 13
MARGIN_TRICKS = 2  # numbers of tricks shown beyond the lowest and highest
MIN_COLUMNS = 7  # a column is one number of tricks
MAX_DOTS_PER_COLUMN = 9
"""The maximum number of dots in a column; taller columns are drawn as bars."""
# Heights are in heights of a line of text.
DOT_PITCH_LINES = 1.1  # the distance between two dots of a column
HEADER_HEIGHT_LINES = 2.9  # the space for the labels above the dots
# The width of a label above the dots, in per cent of a narrow and of a wide picture.
LABEL_WIDTH_NARROW_PERCENT = 42.0
LABEL_WIDTH_WIDE_PERCENT = 20.0


@dataclass(frozen=True, slots=True)
class Dot:
    """One dot: its horizontal position in per cent, its vertical one in lines of text."""

    x: str
    y: str


@dataclass(frozen=True, slots=True)
class TableCountBar:
    """A bar that replaces a column with too many dots, and the number of its tables."""

    x: str
    start: str
    width: str
    top: str
    height: str
    table_count: int


@dataclass(frozen=True, slots=True)
class LabelledLine:
    """A vertical line at a number of tricks, and the positions of its label."""

    x: str
    label_x: str
    label_x_in_wide_picture: str


@dataclass(frozen=True, slots=True)
class DotChart:
    """A dot chart with its vertical lines; heights are in heights of a line of text."""

    total_height: str
    top: str
    base_y: str
    foot_y: str
    tricks: tuple[ChartLabel, ...]
    dots: tuple[Dot, ...]
    table_count_bars: tuple[TableCountBar, ...]
    average_line: LabelledLine | None
    best_play_line: LabelledLine | None


def draw_dot_chart(
    ns_tricks: Sequence[int], average: Fraction | None, best_ns_tricks: int | None
) -> DotChart | None:
    """Draw the results of the tables, the average and best play; return None without
    results.
    """
    if not ns_tricks:
        return None
    table_counts_by_tricks = Counter(ns_tricks)
    min_tricks, max_tricks = _choose_trick_range(
        [*ns_tricks, *([best_ns_tricks] if best_ns_tricks is not None else [])]
    )
    column_percent = 100 / (max_tricks - min_tricks + 1)

    def compute_position_percent(tricks: Fraction | int) -> float:
        return (float(tricks) - min_tricks + 0.5) * column_percent

    max_table_count = max(table_counts_by_tricks.values())
    dot_column_height = min(max_table_count, MAX_DOTS_PER_COLUMN) * DOT_PITCH_LINES
    baseline = HEADER_HEIGHT_LINES + dot_column_height + 0.2
    are_bars_needed = max_table_count > MAX_DOTS_PER_COLUMN
    columns = [
        (compute_position_percent(tricks), table_count)
        for tricks, table_count in sorted(table_counts_by_tricks.items())
    ]
    return DotChart(
        total_height=format_coordinate(baseline + 1.9),
        top=format_coordinate(HEADER_HEIGHT_LINES - 1.1),
        base_y=format_coordinate(baseline),
        foot_y=format_coordinate(baseline + 1.4),
        tricks=tuple(
            ChartLabel(
                str(shown_tricks), format_coordinate(compute_position_percent(shown_tricks))
            )
            for shown_tricks in range(min_tricks, max_tricks + 1)
        ),
        dots=() if are_bars_needed else _place_dots(columns, baseline),
        table_count_bars=_build_bars(columns, baseline, dot_column_height, 0.6 * column_percent)
        if are_bars_needed
        else (),
        **_place_labelled_lines(
            None if average is None else compute_position_percent(average),
            None if best_ns_tricks is None else compute_position_percent(best_ns_tricks),
        ),
    )


def _place_dots(columns: Sequence[tuple[float, int]], baseline: float) -> tuple[Dot, ...]:
    """Return the dots of each column, one above another."""
    return tuple(
        Dot(
            format_coordinate(column_middle),
            format_coordinate(baseline - DOT_PITCH_LINES * (index + 0.5)),
        )
        for column_middle, dot_count in columns
        for index in range(dot_count)
    )


def _build_bars(
    columns: Sequence[tuple[float, int]], baseline: float, max_height: float, width: float
) -> tuple[TableCountBar, ...]:
    """Return a bar for each column; the tallest has the height `max_height`."""
    max_table_count = max(table_count for _column_middle, table_count in columns)
    return tuple(
        TableCountBar(
            x=format_coordinate(column_middle),
            start=format_coordinate(column_middle - width / 2),
            width=format_coordinate(width),
            top=format_coordinate(baseline - max_height * table_count / max_table_count),
            height=format_coordinate(max_height * table_count / max_table_count),
            table_count=table_count,
        )
        for column_middle, table_count in columns
    )


def _place_labelled_lines(
    average_position: float | None, best_play_position: float | None
) -> dict[str, LabelledLine | None]:
    """Place the vertical lines of the average and of best play, with separate labels."""
    positions_by_name = {
        line_name: position
        for line_name, position in (
            ("average_line", average_position),
            ("best_play_line", best_play_position),
        )
        if position is not None
    }
    positions_in_narrow_picture, positions_in_wide_picture = (
        spread_labels(
            list(positions_by_name.values()),
            label_width,
            label_width / 2,
            100 - label_width / 2,
        )
        for label_width in (LABEL_WIDTH_NARROW_PERCENT, LABEL_WIDTH_WIDE_PERCENT)
    )
    lines_by_name: dict[str, LabelledLine | None] = {
        "average_line": None,
        "best_play_line": None,
    }
    for (line_name, position), position_in_narrow_picture, position_in_wide_picture in zip(
        positions_by_name.items(),
        positions_in_narrow_picture,
        positions_in_wide_picture,
        strict=True,
    ):
        lines_by_name[line_name] = LabelledLine(
            format_coordinate(position),
            format_coordinate(position_in_narrow_picture),
            format_coordinate(position_in_wide_picture),
        )
    return lines_by_name


def _choose_trick_range(tricks: Sequence[int]) -> tuple[int, int]:
    """Return the lowest and highest number of tricks shown."""
    min_shown_tricks, max_shown_tricks = (
        max(0, min(tricks) - MARGIN_TRICKS),
        min(TRICKS_PER_DEAL, max(tricks) + MARGIN_TRICKS),
    )
    while max_shown_tricks - min_shown_tricks + 1 < MIN_COLUMNS:
        min_shown_tricks, max_shown_tricks = (
            max(0, min_shown_tricks - 1),
            min(TRICKS_PER_DEAL, max_shown_tricks + 1),
        )
    return min_shown_tricks, max_shown_tricks
