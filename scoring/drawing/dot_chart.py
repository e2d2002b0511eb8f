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
MIN_COLUMNS = 7  # one for each number of tricks
MAX_DOTS_PER_COLUMN = 9
"""The maximum number of dots in a column; taller columns are drawn as bars."""
DOT_PITCH_LINES = 1.1  # from dot to dot
HEADER_HEIGHT_LINES = 2.9  # for the labels over the dots
LABEL_WIDTH_NARROW_PERCENT = 30.0  # of a label over the dots, in a narrow picture
LABEL_WIDTH_WIDE_PERCENT = 16.0


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
    tables: int


@dataclass(frozen=True, slots=True)
class LabelledRule:
    """A vertical line at a number of tricks, and the positions of its label."""

    x: str
    label_x: str
    label_x_in_wide_picture: str  # in a wide picture


@dataclass(frozen=True, slots=True)
class DotChart:
    """A dot chart with its rules; heights are in lines of text."""

    total_height: str
    top: str
    base: str
    foot_y: str
    tricks: tuple[ChartLabel, ...]
    dots: tuple[Dot, ...]
    stacks: tuple[TableCountBar, ...]
    average: LabelledRule | None
    best: LabelledRule | None


def draw_dot_chart(
    ns_tricks: Sequence[int], average: Fraction | None, best: int | None
) -> DotChart | None:
    """Draw the results of the tables, the average and best play; return None without
    results.
    """
    if not ns_tricks:
        return None
    tables_by_tricks = Counter(ns_tricks)
    first, last = _choose_trick_range([*ns_tricks, *([best] if best is not None else [])])
    slot = 100 / (last - first + 1)

    def x(tricks: Fraction | int) -> float:
        return (float(tricks) - first + 0.5) * slot

    tallest = max(tables_by_tricks.values())
    high = min(tallest, MAX_DOTS_PER_COLUMN) * DOT_PITCH_LINES
    base = HEADER_HEIGHT_LINES + high + 0.2
    is_stacked = tallest > MAX_DOTS_PER_COLUMN
    columns = [(x(tricks), count) for tricks, count in sorted(tables_by_tricks.items())]
    return DotChart(
        total_height=format_coordinate(base + 1.9),
        top=format_coordinate(HEADER_HEIGHT_LINES - 1.1),
        base=format_coordinate(base),
        foot_y=format_coordinate(base + 1.4),
        tricks=tuple(
            ChartLabel(str(tick), format_coordinate(x(tick))) for tick in range(first, last + 1)
        ),
        dots=() if is_stacked else _place_dots(columns, base),
        stacks=_build_bars(columns, base, high, 0.6 * slot) if is_stacked else (),
        **_place_labelled_rules(
            None if average is None else x(average), None if best is None else x(best)
        ),
    )


def _place_dots(columns: Sequence[tuple[float, int]], base: float) -> tuple[Dot, ...]:
    """Return the dots of each column, one above another."""
    return tuple(
        Dot(
            format_coordinate(middle), format_coordinate(base - DOT_PITCH_LINES * (place + 0.5))
        )
        for middle, count in columns
        for place in range(count)
    )


def _build_bars(
    columns: Sequence[tuple[float, int]], base: float, high: float, width: float
) -> tuple[TableCountBar, ...]:
    """Return a bar for each column; the tallest has the height `high`."""
    tallest = max(count for _middle, count in columns)
    return tuple(
        TableCountBar(
            x=format_coordinate(middle),
            start=format_coordinate(middle - width / 2),
            width=format_coordinate(width),
            top=format_coordinate(base - high * count / tallest),
            height=format_coordinate(high * count / tallest),
            tables=count,
        )
        for middle, count in columns
    )


def _place_labelled_rules(
    average: float | None, best: float | None
) -> dict[str, LabelledRule | None]:
    """Place the rules of the average and of best play, with labels that do not overlap."""
    values_by_name = {
        name: tricks
        for name, tricks in (("average", average), ("best", best))
        if tricks is not None
    }
    narrow, wide = (
        spread_labels(
            list(values_by_name.values()), label_width, label_width / 2, 100 - label_width / 2
        )
        for label_width in (LABEL_WIDTH_NARROW_PERCENT, LABEL_WIDTH_WIDE_PERCENT)
    )
    rules: dict[str, LabelledRule | None] = {"average": None, "best": None}
    for (name, tricks), narrow_position, wider in zip(
        values_by_name.items(), narrow, wide, strict=True
    ):
        rules[name] = LabelledRule(
            format_coordinate(tricks),
            format_coordinate(narrow_position),
            format_coordinate(wider),
        )
    return rules


def _choose_trick_range(tricks: Sequence[int]) -> tuple[int, int]:
    """Return the lowest and highest number of tricks shown."""
    first, last = (
        max(0, min(tricks) - MARGIN_TRICKS),
        min(TRICKS_PER_DEAL, max(tricks) + MARGIN_TRICKS),
    )
    while last - first + 1 < MIN_COLUMNS:
        first, last = max(0, first - 1), min(TRICKS_PER_DEAL, last + 1)
    return first, last
