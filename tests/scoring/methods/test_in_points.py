"""Points won and lost, scored as The Standard Hoyle does and by its alternatives."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.methods import (
    METHODS_BY_NAME,
    build_average_line,
    list_entries,
    list_methods,
    rank_entries,
)
from scoring.methods.apply_rulings import apply_rulings
from scoring.methods.counting import build_point_unit
from scoring.methods.point_methods import METHODS_IN_POINTS, add_up_points
from scoring.methods.remedies import (
    AdjustedScore,
    AverageRuling,
    ImpossibleRuling,
    PlayOutcome,
    PlayResult,
)
from scoring.methods.steps import EXACT_FORMATTERS, render_computation
from tests.scoring.methods.plays import build_points_line, collect_lines, with_few_examples

MAX_POINTS = 1000
TOTALS_BY_PAIR = {1: 240, 2: 160, 3: 80, 4: 380, 5: 390}
"""The book's field: its average is 250, No. 4 has 380 and No. 5 has 390; the rest is ours."""
POINTS_LOST = (20, 0, 46, 8, 66)
"""The points that every N-S pair loses on the five deals: 140."""


def build_five_tables():
    """Return five tables and rounds: each N-S pair wins its total plus what it loses."""
    for pair, total in TOTALS_BY_PAIR.items():
        won = [90, 60, 30, 100, total + sum(POINTS_LOST) - 280]
        for deal in range(5):
            opponents = 6 + (pair + deal) % 5
            yield build_points_line(
                deal + 1, (pair,), (opponents,), won[deal], POINTS_LOST[deal]
            )


BOOK_EXAMPLE = list(build_five_tables())


def test_book_example_is_scored_as_in_the_book():
    """The Standard Hoyle (1912), Duplicate Bridge: average 250, so 380 is +130, 390 +140."""
    scores = METHODS_BY_NAME["points_field_average"].score(BOOK_EXAMPLE)
    assert scores[4] == 130
    assert scores[5] == 140
    north_south = rank_entries({pair: scores[pair] for pair in TOTALS_BY_PAIR})
    assert [(place.entry_number, place.rank) for place in north_south] == [
        *[(5, 1), (4, 2)],
        *[(1, 3), (2, 4), (3, 5)],
    ]


def test_total_is_points_won_minus_points_lost():
    totals = METHODS_BY_NAME["points"].score(BOOK_EXAMPLE)
    assert {pair: totals[pair] for pair in TOTALS_BY_PAIR} == TOTALS_BY_PAIR
    assert add_up_points(BOOK_EXAMPLE)[4] == (520, 140, 0)
    assert sum(totals.values()) == 0


def test_score_explanation_shows_points_won_and_lost_and_the_average():
    rendered = render_computation(
        METHODS_BY_NAME["points_field_average"].explain_entry(BOOK_EXAMPLE, 4), EXACT_FORMATTERS
    )
    assert rendered == [
        "520 points won.",
        "140 points lost.",
        "Total: +380 points.",
        "+250 is the average of the 5 that sat N-S: +390, +380, +240, +160, +80.",
        "+380 points minus the field average of +250 is +130.",
    ]


def test_deal_explanation_shows_points_won_and_lost():
    rendered = render_computation(
        METHODS_BY_NAME["points"].explain_entry(BOOK_EXAMPLE, 4), EXACT_FORMATTERS
    )
    assert rendered[0] == "Deal 1, N-S: 90 won, 20 lost: +70."


@pytest.mark.parametrize("method", METHODS_IN_POINTS, ids=lambda item: item.name)
def test_no_text_of_a_points_method_mentions_tricks(method):
    method_texts = [method.title, method.label, method.unit, method.heading, method.caption]
    method_texts += render_computation(method.explain_entry(BOOK_EXAMPLE, 4), EXACT_FORMATTERS)
    assert not [item for item in method_texts if "trick" in item.lower()]


POINTS_STRATEGY = st.integers(0, MAX_POINTS)
PLAY_STRATEGY = st.one_of(
    st.builds(
        build_points_line,
        st.integers(1, 3),
        st.just((1,)),
        st.just((2,)),
        POINTS_STRATEGY,
        POINTS_STRATEGY,
    ),
    st.builds(
        build_points_line,
        st.integers(1, 3),
        st.just((3,)),
        st.just((4,)),
        POINTS_STRATEGY,
        POINTS_STRATEGY,
    ),
    st.builds(
        build_points_line,
        st.integers(1, 3),
        st.just((2,)),
        st.just((3,)),
        POINTS_STRATEGY,
        POINTS_STRATEGY,
    ),
    st.builds(
        lambda deal: build_average_line(deal, (4,), (1,))._replace(both_sides_total=0),
        st.integers(1, 3),
    ),
)
PLAYS_STRATEGY = st.lists(PLAY_STRATEGY, max_size=10)


@with_few_examples
@given(plays=PLAYS_STRATEGY)
def test_point_totals_of_all_entries_sum_to_zero(plays):
    """Averages don't change that: both sides are compared with the same tables."""
    for name in ("points", "points_field_average", "points_plus_minus"):
        assert sum(METHODS_BY_NAME[name].score(plays).values()) == 0


@with_few_examples
@given(plays=PLAYS_STRATEGY)
def test_points_won_minus_points_lost_equal_the_total_with_rulings(plays):
    totals = METHODS_BY_NAME["points"].score(plays)
    for entry, (won, points_lost, ruled_points) in add_up_points(plays).items():
        assert won - points_lost + ruled_points == totals[entry]


@with_few_examples
@given(plays=PLAYS_STRATEGY)
def test_explanation_sums_to_the_score(plays):
    for method in METHODS_IN_POINTS:
        scores = method.score(plays)
        for entry in list_entries(plays):
            assert method.explain_entry(plays, entry).amount == scores[entry]


@with_few_examples
@given(plays=PLAYS_STRATEGY, added_points=st.integers(-500, 500))
def test_points_added_to_both_sides_do_not_change_scores(plays, added_points):
    """Only the difference counts: honours of both sides cancel."""
    raised_lines = [
        line
        if line.points_won is None
        else line._replace(points_won=line.points_won + abs(added_points))
        for line in plays
    ]
    for method in METHODS_IN_POINTS:
        assert method.score(raised_lines) == method.score(plays)


def test_score_of_minus_one_is_an_ordinary_score():
    """Regression: minus one was a sentinel value and not a score."""
    plays = [build_points_line(1, (1,), (2,), 0, 1), build_average_line(1, (3,), (4,))]
    assert METHODS_BY_NAME["points"].score(plays) == {1: -1, 2: 1, 3: -1, 4: 1}


def build_result(play_number, won, lost, **more):
    return PlayResult(
        play_number,
        1,
        (play_number,),
        (10 + play_number,),
        won - lost,
        points_won=won,
        scoring_unit=build_point_unit(MAX_POINTS),
        **more,
    )


@pytest.mark.parametrize(
    ("ruling", "expected_scores"),
    [
        (AverageRuling(), (None, None)),
        (AdjustedScore(Fraction(50), Fraction(-120), build_point_unit(MAX_POINTS)), (50, -120)),
        (
            AdjustedScore(Fraction(220, 3), Fraction(-220, 3), build_point_unit(MAX_POINTS)),
            (Fraction(220, 3), Fraction(-220, 3)),
        ),
    ],
    ids=["average", "split", "weighed"],
)
def test_rulings_apply_to_events_scored_in_points(ruling, expected_scores):
    plays = [build_result(1, 100, 20), build_result(2, 60, 0), build_result(3, 0, 30)]
    lines = collect_lines(apply_rulings(plays, {3: [ruling]}, is_pair_match=True))
    assert (lines[2].ns_tricks, lines[2].ew_tricks) == expected_scores
    assert METHODS_BY_NAME["points"].score(lines)[3] == (
        70 if expected_scores[0] is None else expected_scores[0]
    )


@pytest.mark.parametrize("points", [MAX_POINTS + 1, -MAX_POINTS - 1])
def test_score_above_the_point_limit_is_refused(points):
    with pytest.raises(ImpossibleRuling, match="Enter -1000 to 1000 points"):
        PlayResult(1, 1, (1,), (2,), points, scoring_unit=build_point_unit(MAX_POINTS))
    with pytest.raises(ImpossibleRuling, match="Enter -1000 to 1000 points"):
        AdjustedScore(Fraction(points), Fraction(0), build_point_unit(MAX_POINTS))
    assert PlayResult(
        1,
        1,
        (1,),
        (2,),
        None,
        PlayOutcome.NOT_YET_PLAYED,
        scoring_unit=build_point_unit(MAX_POINTS),
    )


@pytest.mark.parametrize(
    ("contest", "codes"),
    [
        ("pairs", ["field_average", "plus_minus", "matchpoints", "points"]),
        ("individual", ["plus_minus", "matchpoints", "points"]),
        ("memory", ["plus_minus", "points"]),
        ("teams", []),
    ],
)
def test_contest_lists_its_usual_points_method_first(contest, codes):
    assert [method.code for method in list_methods(contest, is_in_points=True)] == codes
