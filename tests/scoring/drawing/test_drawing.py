"""The geometry of pictures: scales, labels at ends, courses, areas, dots; as properties."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.drawing.area import area, with_crossings
from scoring.drawing.columns import HEIGHT, columns
from scoring.drawing.course import GAP, NAMED, UNITS, Run, course
from scoring.drawing.dots import APART, HIGHEST, PITCH, dots
from scoring.drawing.ends import spread
from scoring.drawing.scales import around, bar, furthest, ticks, written

FIGURES = st.integers(-1400, 1400).map(lambda sevenths: Fraction(sevenths, 7))
PLACES = st.lists(st.floats(0, 20, allow_nan=False), max_size=30)
NEAR = 1e-9


def pairs(text: str) -> list[tuple[float, float]]:
    """Return the points of a line as numbers."""
    return [(float(x), float(y)) for x, y in (point.split(",") for point in text.split())]


# ---------------------------------------------------------------- labels at the ends of lines


@given(PLACES)
def test_labels_keep_their_order_and_their_distance(wanted: list[float]) -> None:
    placed = spread(wanted, GAP, 0.0, 20.0)
    order = sorted(range(len(wanted)), key=lambda place: (wanted[place], place))
    heights = [placed[place] for place in order]
    assert all(later - earlier >= GAP - NEAR for earlier, later in itertools.pairwise(heights))


@given(PLACES)
def test_labels_stay_within_the_picture_wherever_they_fit(wanted: list[float]) -> None:
    placed = spread(wanted, GAP, 0.0, 20.0)
    assert all(each >= -NEAR for each in placed)
    if GAP * (len(wanted) - 1) <= 20:
        assert all(each <= 20 + NEAR for each in placed)


@given(st.lists(st.integers(0, 8), max_size=9, unique=True))
def test_labels_that_have_room_stay_where_their_lines_end(wanted: list[int]) -> None:
    heights = [2.0 * each for each in wanted]
    assert spread(heights, GAP, 0.0, 20.0) == pytest.approx(heights)


# ---------------------------------------------------------------- scales and bars


@given(FIGURES, FIGURES, st.integers(3, 7))
def test_the_figures_beside_a_picture_are_few_round_and_reach_around_all(
    one: Fraction, other: Fraction, most: int
) -> None:
    low, high = min(one, other), max(one, other)
    found = ticks(low, high, most=most)
    steps = {later - earlier for earlier, later in itertools.pairwise(found)}
    assert 0 in found
    assert found[0] <= low
    assert found[-1] >= high
    assert 2 <= len(found) <= most
    assert len(steps) == 1
    assert str(steps.pop().limit_denominator(100).numerator).rstrip("0") in ("1", "2", "5")


@given(st.lists(FIGURES, max_size=20))
def test_every_figure_has_room_on_its_scale(figures: list[Fraction]) -> None:
    scale, beside = around(figures)
    assert all(0 <= scale.down(figure) <= 1 for figure in [*figures, *beside])


@given(st.lists(FIGURES, min_size=1, max_size=20))
def test_bars_lie_on_the_side_of_their_sign_and_are_as_long_as_their_figures(
    figures: list[Fraction],
) -> None:
    most = furthest(figures)
    for figure in figures:
        drawn = bar(figure, most)
        start, width = float(drawn.start), float(drawn.width)
        assert width == pytest.approx(
            50 * abs(float(figure)) / float(most) if most else 0, abs=0.01
        )
        assert drawn.is_plus is (figure > 0)
        assert start == pytest.approx(50 if figure > 0 else 50 - width, abs=0.011)


@given(st.floats(0, 2000))
def test_a_place_is_written_with_a_point_and_no_exponent(place: float) -> None:
    text = written(place)
    assert set(text) <= set("0123456789.")
    assert float(text) == pytest.approx(place, abs=0.006)


# ---------------------------------------------------------------- the course of an event

RUNS = st.lists(st.tuples(FIGURES, FIGURES, FIGURES), min_size=1, max_size=30)


@given(RUNS, st.sets(st.integers(0, 29)))
def test_every_line_is_drawn_inside_and_its_name_is_over_no_other(
    figures: list[tuple[Fraction, ...]], mine: set[int]
) -> None:
    rounds = [str(number) for number in range(1, len(figures[0]))]
    runs = [
        Run(f"label {place}", str(place), tuple(run), is_mine=place in mine)
        for place, run in enumerate(figures)
    ]
    drawn = course(runs, rounds)
    assert drawn is not None
    assert len(drawn.lines) == len(runs)
    for line in drawn.lines:
        points = pairs(line.points)
        assert len(points) == len(rounds) + 1
        assert all(0 <= x <= UNITS and 0 <= y <= UNITS for x, y in points)
    named = sorted(float(line.at) for line in drawn.lines if line.at)
    assert len(named) == min(len(runs), NAMED)
    assert all(b - a >= GAP - 0.02 for a, b in itertools.pairwise(named))
    assert named[-1] <= float(drawn.height) + 0.01


@given(st.integers(0, 29))
def test_whoever_is_marked_is_named_however_many_lines_there_are(mine: int) -> None:
    runs = [
        Run(str(n), str(n), (Fraction(0), Fraction(-n)), is_mine=n == mine) for n in range(30)
    ]
    drawn = course(runs, ["1"])
    assert drawn is not None
    assert [line.label for line in drawn.lines if line.is_mine] == [str(mine)]


def test_the_first_is_drawn_over_the_second_and_both_over_the_others() -> None:
    kinds = ("first", "second", "", "")
    runs = [Run(kind, kind, (Fraction(0), Fraction(n)), kind) for n, kind in enumerate(kinds)]
    drawn = course(runs, ["1"])
    assert drawn is not None
    assert [line.kind for line in drawn.lines] == ["", "", "second", "first"]


def test_there_is_no_picture_of_an_evening_without_a_round() -> None:
    assert course([Run("1", "1", (Fraction(0),))], []) is None
    assert course([], ["1"]) is None


# ---------------------------------------------------------------- one entry's course


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(1, 4), FIGURES), min_size=1, max_size=30)
)
def test_above_and_below_together_are_the_line(steps: list[tuple[int, int, Fraction]]) -> None:
    drawn = area([(str(number), boards, figure) for number, boards, figure in sorted(steps)])
    assert drawn is not None
    line, above, below = pairs(drawn.line), pairs(drawn.above), pairs(drawn.below)
    assert len(line) == len(steps) + 1
    assert line[0][0] == 0
    assert line[-1][0] == pytest.approx(UNITS)
    middle = above[0][1]  # where there is nothing
    assert below[0][1] == middle
    assert all(y <= middle + 0.02 for _x, y in above)
    assert all(y >= middle - 0.02 for _x, y in below)
    # At each point one of the areas is zero, and the other is the line.
    for (x, up), (other, down) in zip(above[1:-1], below[1:-1], strict=True):
        assert x == other
        assert middle in (up, down) or min(abs(up - middle), abs(down - middle)) < 0.02


@given(st.lists(st.floats(-10, 10, allow_nan=False), min_size=2, max_size=20))
def test_between_two_points_a_line_is_on_one_side_of_nothing(heights: list[float]) -> None:
    points = [(float(x), y) for x, y in enumerate(heights)]
    found = with_crossings(points)
    assert all(a * b >= 0 for (_, a), (_, b) in itertools.pairwise(found))
    assert set(points) <= set(found)


def test_a_round_is_named_once_in_the_middle_of_its_boards() -> None:
    drawn = area([("1", 1, Fraction(1)), ("1", 1, Fraction(1)), ("3", 2, Fraction(-4))])
    assert drawn is not None
    assert [(mark.text, mark.at) for mark in drawn.rounds] == [("1", "25"), ("3", "75")]


# ---------------------------------------------------------------- every table's tricks

TRICKS = st.lists(st.integers(0, 13), min_size=1, max_size=60)


@given(TRICKS, st.one_of(st.none(), st.integers(0, 13)))
def test_every_table_is_one_dot_over_its_tricks(made: list[int], best: int | None) -> None:
    average = Fraction(sum(made), len(made))
    drawn = dots(made, average, best)
    assert drawn is not None
    over = {mark.at: int(mark.text) for mark in drawn.tricks}
    if drawn.dots:
        assert sorted(over[dot.x] for dot in drawn.dots) == sorted(made)
        assert len(drawn.dots) == len({(dot.x, dot.y) for dot in drawn.dots})
    else:
        assert {over[it.x]: it.tables for it in drawn.stacks} == {
            tricks: made.count(tricks) for tricks in made
        }
        assert max(made.count(tricks) for tricks in made) > HIGHEST
    assert (drawn.best is None) is (best is None)
    if best is not None:
        assert drawn.best is not None
        assert over[drawn.best.x] == best


@given(TRICKS, st.integers(0, 13))
def test_the_two_words_over_the_dots_keep_apart_and_inside(made: list[int], best: int) -> None:
    drawn = dots(made, Fraction(sum(made), len(made)), best)
    assert drawn is not None
    assert drawn.average is not None
    assert drawn.best is not None
    words = sorted([float(drawn.average.word_x), float(drawn.best.word_x)])
    assert words[1] - words[0] >= APART - 0.02
    assert words[0] >= APART / 2 - 0.02
    assert words[1] <= 100 - APART / 2 + 0.02


def test_dots_on_each_other_do_not_touch_and_tall_columns_are_bars() -> None:
    few = dots([7] * HIGHEST, None, None)
    many = dots([7] * (HIGHEST + 1), None, None)
    assert few is not None
    assert many is not None
    heights = sorted(float(dot.y) for dot in few.dots)
    assert min(b - a for a, b in itertools.pairwise(heights)) == pytest.approx(PITCH)
    assert [it.tables for it in many.stacks] == [HIGHEST + 1]
    assert many.dots == ()


@given(st.lists(st.fractions(min_value=-30, max_value=30), min_size=1, max_size=60))
def test_columns_stand_on_nothing_and_reach_as_far_as_their_figures(
    figures: list[Fraction],
) -> None:
    months = [f"M{place // 4}" for place in range(len(figures))]
    drawn = columns([(month, each, "") for month, each in zip(months, figures, strict=True)])
    assert drawn is not None
    nothing = (
        next(float(mark.at) for mark in drawn.sides if float(mark.text.replace("−", "-")) == 0)
        / HEIGHT
        * 100
    )
    for each, column in zip(figures, drawn.columns, strict=True):
        top, height = float(column.top), float(column.height)
        assert column.is_plus is (each > 0)
        assert top >= 0
        assert top + height <= 100.7
        assert (top if each <= 0 else top + height) == pytest.approx(nothing, abs=0.7)
    places = [float(column.at) for column in drawn.columns]
    assert places == sorted(places)
    feet = [float(mark.at) for mark in drawn.marks]
    assert all(later - earlier >= 11 for earlier, later in itertools.pairwise(feet))
    assert columns([]) is None
