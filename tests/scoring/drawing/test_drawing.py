"""Property tests of chart geometry: scales, labels, running scores, areas and dots."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.drawing.area_chart import draw_area_chart, insert_zero_crossings
from scoring.drawing.column_chart import CHART_HEIGHT_LINES, draw_column_chart
from scoring.drawing.dot_chart import (
    DOT_PITCH_LINES,
    LABEL_WIDTH_NARROW_PERCENT,
    MAX_DOTS_PER_COLUMN,
    draw_dot_chart,
)
from scoring.drawing.label_spacing import spread_labels
from scoring.drawing.scales import (
    build_bar,
    build_scale,
    choose_ticks,
    find_largest_absolute_value,
    format_coordinate,
)
from scoring.drawing.score_chart import (
    DIAGRAM_SIZE_UNITS,
    LABEL_GAP_LINES,
    MAX_LABELLED_LINES,
    EntryScores,
    draw_score_chart,
)

FIGURE_STRATEGY = st.integers(-1400, 1400).map(lambda sevenths: Fraction(sevenths, 7))
HEIGHT_STRATEGY = st.lists(st.floats(0, 20, allow_nan=False), max_size=30)
TOLERANCE = 1e-9


def parse_points(text: str) -> list[tuple[float, float]]:
    """Return the points of a line as numbers."""
    return [(float(x), float(y)) for x, y in (point.split(",") for point in text.split())]


# ---------------------------------------------------------------- labels at the ends of lines


@given(HEIGHT_STRATEGY)
def test_labels_keep_their_order_and_distance(wanted: list[float]) -> None:
    placed_heights = spread_labels(wanted, LABEL_GAP_LINES, 0.0, 20.0)
    indexes_by_height = sorted(range(len(wanted)), key=lambda place: (wanted[place], place))
    sorted_heights = [placed_heights[place] for place in indexes_by_height]
    assert all(
        later_height - earlier_height >= LABEL_GAP_LINES - TOLERANCE
        for earlier_height, later_height in itertools.pairwise(sorted_heights)
    )


@given(HEIGHT_STRATEGY)
def test_labels_stay_inside_the_chart_if_they_fit(wanted: list[float]) -> None:
    placed = spread_labels(wanted, LABEL_GAP_LINES, 0.0, 20.0)
    assert all(height >= -TOLERANCE for height in placed)
    if LABEL_GAP_LINES * (len(wanted) - 1) <= 20:
        assert all(height <= 20 + TOLERANCE for height in placed)


@given(st.lists(st.integers(0, 8), max_size=9, unique=True))
def test_labels_with_enough_space_stay_at_their_line_ends(wanted: list[int]) -> None:
    heights = [2.0 * item for item in wanted]
    assert spread_labels(heights, LABEL_GAP_LINES, 0.0, 20.0) == pytest.approx(heights)


# ---------------------------------------------------------------- scales and bars


@given(FIGURE_STRATEGY, FIGURE_STRATEGY, st.integers(3, 7))
def test_axis_ticks_are_few_round_numbers_that_cover_all_values(
    one: Fraction, other: Fraction, most: int
) -> None:
    lowest, highest = min(one, other), max(one, other)
    ticks = choose_ticks(lowest, highest, max_ticks=most)
    steps = {later - earlier for earlier, later in itertools.pairwise(ticks)}
    assert 0 in ticks
    assert ticks[0] <= lowest
    assert ticks[-1] >= highest
    assert 2 <= len(ticks) <= most
    assert len(steps) == 1
    assert str(steps.pop().limit_denominator(100).numerator).rstrip("0") in ("1", "2", "5")


@given(st.lists(FIGURE_STRATEGY, max_size=20))
def test_every_tick_label_fits_on_its_scale(figures: list[Fraction]) -> None:
    scale, tick_figures = build_scale(figures)
    assert all(
        0 <= scale.compute_y_fraction(figure) <= 1 for figure in [*figures, *tick_figures]
    )


@given(st.lists(FIGURE_STRATEGY, min_size=1, max_size=20))
def test_bars_are_on_the_side_of_their_sign_with_proportional_length(
    figures: list[Fraction],
) -> None:
    largest_absolute = find_largest_absolute_value(figures)
    for figure in figures:
        bar = build_bar(figure, largest_absolute)
        start, width = float(bar.start), float(bar.width)
        assert width == pytest.approx(
            50 * abs(float(figure)) / float(largest_absolute) if largest_absolute else 0,
            abs=0.01,
        )
        assert bar.is_positive is (figure > 0)
        assert start == pytest.approx(50 if figure > 0 else 50 - width, abs=0.011)


@given(st.floats(0, 2000))
def test_coordinate_is_formatted_with_a_point_and_no_exponent(place: float) -> None:
    text = format_coordinate(place)
    assert set(text) <= set("0123456789.")
    assert float(text) == pytest.approx(place, abs=0.006)


# ---------------------------------------------------------------- running scores of an event

ENTRY_SCORES = st.lists(
    st.tuples(FIGURE_STRATEGY, FIGURE_STRATEGY, FIGURE_STRATEGY), min_size=1, max_size=30
)


@given(ENTRY_SCORES, st.sets(st.integers(0, 29)))
def test_every_line_is_inside_the_chart_and_labels_do_not_overlap(
    figures: list[tuple[Fraction, ...]], mine: set[int]
) -> None:
    rounds = [str(number) for number in range(1, len(figures[0]))]
    entry_scores = [
        EntryScores(f"label {place}", str(place), tuple(run), is_mine=place in mine)
        for place, run in enumerate(figures)
    ]
    score_chart = draw_score_chart(entry_scores, rounds)
    assert score_chart is not None
    assert len(score_chart.lines) == len(entry_scores)
    for line in score_chart.lines:
        points = parse_points(line.points)
        assert len(points) == len(rounds) + 1
        assert all(
            0 <= x <= DIAGRAM_SIZE_UNITS and 0 <= y <= DIAGRAM_SIZE_UNITS for x, y in points
        )
    label_positions = sorted(float(line.label_y) for line in score_chart.lines if line.label_y)
    assert len(label_positions) == min(len(entry_scores), MAX_LABELLED_LINES)
    assert all(b - a >= LABEL_GAP_LINES - 0.02 for a, b in itertools.pairwise(label_positions))
    assert label_positions[-1] <= float(score_chart.height) + 0.01


@given(st.integers(0, 29))
def test_highlighted_entry_is_labelled_for_any_number_of_lines(mine: int) -> None:
    runs = [
        EntryScores(str(n), str(n), (Fraction(0), Fraction(-n)), is_mine=n == mine)
        for n in range(30)
    ]
    score_chart = draw_score_chart(runs, ["1"])
    assert score_chart is not None
    assert [line.label for line in score_chart.lines if line.is_mine] == [str(mine)]


def test_first_highlight_is_drawn_over_second_and_both_over_other_lines() -> None:
    kinds = ("first", "second", "", "")
    runs = [
        EntryScores(highlight, highlight, (Fraction(0), Fraction(n)), highlight)
        for n, highlight in enumerate(kinds)
    ]
    score_chart = draw_score_chart(runs, ["1"])
    assert score_chart is not None
    assert [line.kind for line in score_chart.lines] == ["", "", "second", "first"]


def test_event_without_rounds_has_no_chart() -> None:
    assert draw_score_chart([EntryScores("1", "1", (Fraction(0),))], []) is None
    assert draw_score_chart([], ["1"]) is None


# ---------------------------------------------------------------- running scores of one entry


@given(
    st.lists(
        st.tuples(st.integers(1, 9), st.integers(1, 4), FIGURE_STRATEGY),
        min_size=1,
        max_size=30,
    )
)
def test_positive_and_negative_areas_together_follow_the_line(
    steps: list[tuple[int, int, Fraction]],
) -> None:
    area_chart = draw_area_chart(
        [(str(number), boards, figure) for number, boards, figure in sorted(steps)]
    )
    assert area_chart is not None
    line, points, negative_points = (
        parse_points(area_chart.line),
        parse_points(area_chart.positive_area_points),
        parse_points(area_chart.negative_area_points),
    )
    assert len(line) == len(steps) + 1
    assert line[0][0] == 0
    assert line[-1][0] == pytest.approx(DIAGRAM_SIZE_UNITS)
    zero_height = points[0][1]  # the zero line
    assert negative_points[0][1] == zero_height
    assert all(y <= zero_height + 0.02 for _x, y in points)
    assert all(y >= zero_height - 0.02 for _x, y in negative_points)
    # At each point one of the areas is zero, and the other is the line.
    for (x, positive_height), (other, negative_height) in zip(
        points[1:-1], negative_points[1:-1], strict=True
    ):
        assert x == other
        assert (
            zero_height in (positive_height, negative_height)
            or min(abs(positive_height - zero_height), abs(negative_height - zero_height))
            < 0.02
        )


@given(st.lists(st.floats(-10, 10, allow_nan=False), min_size=2, max_size=20))
def test_line_is_split_where_it_crosses_zero(heights: list[float]) -> None:
    points = [(float(x), y) for x, y in enumerate(heights)]
    actual = insert_zero_crossings(points)
    assert all(a * b >= 0 for (_, a), (_, b) in itertools.pairwise(actual))
    assert set(points) <= set(actual)


def test_round_is_labelled_once_in_the_middle_of_its_boards() -> None:
    area_chart = draw_area_chart(
        [("1", 1, Fraction(1)), ("1", 1, Fraction(1)), ("3", 2, Fraction(-4))]
    )
    assert area_chart is not None
    assert [(mark.text, mark.position) for mark in area_chart.rounds] == [
        ("1", "25"),
        ("3", "75"),
    ]


# ---------------------------------------------------------------- every table's tricks

TRICKS_STRATEGY = st.lists(st.integers(0, 13), min_size=1, max_size=60)


@given(TRICKS_STRATEGY, st.one_of(st.none(), st.integers(0, 13)))
def test_every_table_is_one_dot_above_its_number_of_tricks(
    made: list[int], best: int | None
) -> None:
    average = Fraction(sum(made), len(made))
    dot_chart = draw_dot_chart(made, average, best)
    assert dot_chart is not None
    tricks_by_position = {mark.position: int(mark.text) for mark in dot_chart.tricks}
    if dot_chart.dots:
        assert sorted(tricks_by_position[dot.x] for dot in dot_chart.dots) == sorted(made)
        assert len(dot_chart.dots) == len({(dot.x, dot.y) for dot in dot_chart.dots})
    else:
        assert {
            tricks_by_position[bar.x]: bar.table_count for bar in dot_chart.table_count_bars
        } == {tricks: made.count(tricks) for tricks in made}
        assert max(made.count(tricks) for tricks in made) > MAX_DOTS_PER_COLUMN
    assert (dot_chart.best_play_line is None) is (best is None)
    if best is not None:
        assert dot_chart.best_play_line is not None
        assert tricks_by_position[dot_chart.best_play_line.x] == best


@given(TRICKS_STRATEGY, st.integers(0, 13))
def test_two_labels_above_the_dots_do_not_overlap_and_stay_inside(
    made: list[int], best: int
) -> None:
    dot_chart = draw_dot_chart(made, Fraction(sum(made), len(made)), best)
    assert dot_chart is not None
    assert dot_chart.average_line is not None
    assert dot_chart.best_play_line is not None
    text = sorted(
        [float(dot_chart.average_line.label_x), float(dot_chart.best_play_line.label_x)]
    )
    assert text[1] - text[0] >= LABEL_WIDTH_NARROW_PERCENT - 0.02
    assert text[0] >= LABEL_WIDTH_NARROW_PERCENT / 2 - 0.02
    assert text[1] <= 100 - LABEL_WIDTH_NARROW_PERCENT / 2 + 0.02


def test_stacked_dots_do_not_touch_and_high_stacks_become_bars() -> None:
    dot_chart = draw_dot_chart([7] * MAX_DOTS_PER_COLUMN, None, None)
    bar_chart = draw_dot_chart([7] * (MAX_DOTS_PER_COLUMN + 1), None, None)
    assert dot_chart is not None
    assert bar_chart is not None
    heights = sorted(float(dot.y) for dot in dot_chart.dots)
    assert min(b - a for a, b in itertools.pairwise(heights)) == pytest.approx(DOT_PITCH_LINES)
    assert [stack.table_count for stack in bar_chart.table_count_bars] == [
        MAX_DOTS_PER_COLUMN + 1
    ]
    assert bar_chart.dots == ()


@given(st.lists(st.fractions(min_value=-30, max_value=30), min_size=1, max_size=60))
def test_columns_start_at_zero_and_reach_their_values(
    figures: list[Fraction],
) -> None:
    months = [f"M{place // 4}" for place in range(len(figures))]
    column_chart = draw_column_chart(
        [(month, one_figure, "") for month, one_figure in zip(months, figures, strict=True)]
    )
    assert column_chart is not None
    zero_position = (
        next(
            float(mark.position)
            for mark in column_chart.side_labels
            if float(mark.text.replace("−", "-")) == 0
        )
        / CHART_HEIGHT_LINES
        * 100
    )
    for figure, column in zip(figures, column_chart.columns, strict=True):
        top, height = float(column.top), float(column.height)
        assert column.is_positive is (figure > 0)
        assert top >= 0
        assert top + height <= 100.7
        assert (top if figure <= 0 else top + height) == pytest.approx(zero_position, abs=0.7)
    places = [float(column.left) for column in column_chart.columns]
    assert places == sorted(places)
    mark_positions = [float(mark.position) for mark in column_chart.marks]
    assert all(later - earlier >= 11 for earlier, later in itertools.pairwise(mark_positions))
    assert draw_column_chart([]) is None
