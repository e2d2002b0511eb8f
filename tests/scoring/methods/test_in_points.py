"""Points won and lost, scored as The Standard Hoyle does and by its alternatives."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.methods import (
    METHODS,
    build_average_line,
    list_entries,
    list_methods,
    rank_entries,
)
from scoring.methods.apply_rulings import apply_rulings, collect_lines
from scoring.methods.counting import build_points_counting as counting
from scoring.methods.point_methods import METHODS_IN_POINTS, add_up_points
from scoring.methods.remedies import (
    AdjustedScore,
    AverageRuling,
    ImpossibleRuling,
    PlayOutcome,
    PlayResult,
)
from scoring.methods.result_line import build_points_line
from scoring.methods.steps import EXACT_WRITERS, render_computation
from tests.scoring.methods.plays import modestly

MAX_POINTS = 1000
TOTALS = {1: 240, 2: 160, 3: 80, 4: 380, 5: 390}
"""The book's field: its average is 250, No. 4 has 380 and No. 5 has 390; the rest is ours."""
LOST = (20, 0, 46, 8, 66)
"""The points that every N-S pair loses on the five deals: 140."""


def build_five_tables():
    """Return five tables and rounds: each N-S pair wins its total plus what it loses."""
    for pair, total in TOTALS.items():
        won = [90, 60, 30, 100, total + sum(LOST) - 280]
        for deal in range(5):
            opponents = 6 + (pair + deal) % 5
            yield build_points_line(deal + 1, (pair,), (opponents,), won[deal], LOST[deal])


BOOK = list(build_five_tables())


def test_the_books_field_is_scored_as_the_book_scores_it():
    """The Standard Hoyle (1912), Duplicate Bridge: average 250, so 380 is +130, 390 +140."""
    scores = METHODS["points_field_average"].score(BOOK)
    assert scores[4] == 130
    assert scores[5] == 140
    north_south = rank_entries({pair: scores[pair] for pair in TOTALS})
    assert [(place.entry, place.rank) for place in north_south] == [
        *[(5, 1), (4, 2)],
        *[(1, 3), (2, 4), (3, 5)],
    ]


def test_a_total_is_what_was_won_less_what_was_lost():
    totals = METHODS["points"].score(BOOK)
    assert {pair: totals[pair] for pair in TOTALS} == TOTALS
    assert add_up_points(BOOK)[4] == (520, 140, 0)
    assert sum(totals.values()) == 0


def test_a_score_is_opened_into_points_won_and_lost_and_the_average():
    rendered = render_computation(
        METHODS["points_field_average"].explain(BOOK, 4), EXACT_WRITERS
    )
    assert rendered == [
        "520 points won.",
        "140 points lost.",
        "Total: +380 points.",
        "+250 is the average of the 5 that sat N-S: +390, +380, +240, +160, +80.",
        "+380 points minus the field average of +250 is +130.",
    ]


def test_a_deal_is_told_with_what_was_won_and_lost():
    rendered = render_computation(METHODS["points"].explain(BOOK, 4), EXACT_WRITERS)
    assert rendered[0] == "Deal 1, N-S: 90 won, 20 lost: +70."


@pytest.mark.parametrize("method", METHODS_IN_POINTS, ids=lambda item: item.name)
def test_no_word_of_a_method_in_points_speaks_of_tricks(method):
    computation = [method.title, method.label, method.unit, method.heading, method.caption]
    computation += render_computation(method.explain(BOOK, 4), EXACT_WRITERS)
    assert not [item for item in computation if "trick" in item.lower()]


POINTS = st.integers(0, MAX_POINTS)
PLAY = st.one_of(
    st.builds(
        build_points_line, st.integers(1, 3), st.just((1,)), st.just((2,)), POINTS, POINTS
    ),
    st.builds(
        build_points_line, st.integers(1, 3), st.just((3,)), st.just((4,)), POINTS, POINTS
    ),
    st.builds(
        build_points_line, st.integers(1, 3), st.just((2,)), st.just((3,)), POINTS, POINTS
    ),
    st.builds(
        lambda deal: build_average_line(deal, (4,), (1,))._replace(total=0),
        st.integers(1, 3),
    ),
)
PLAYS = st.lists(PLAY, max_size=10)


@modestly
@given(plays=PLAYS)
def test_what_all_win_and_lose_adds_to_nothing(plays):
    """Averages too: both sides take theirs from the same tables."""
    for name in ("points", "points_field_average", "points_plus_minus"):
        assert sum(METHODS[name].score(plays).values()) == 0


@modestly
@given(plays=PLAYS)
def test_points_won_less_those_lost_with_rulings_are_the_total(plays):
    totals = METHODS["points"].score(plays)
    for entry, (won, lost, ruled) in add_up_points(plays).items():
        assert won - lost + ruled == totals[entry]


@modestly
@given(plays=PLAYS)
def test_an_explanation_adds_up_to_the_score(plays):
    for method in METHODS_IN_POINTS:
        scores = method.score(plays)
        for entry in list_entries(plays):
            assert method.explain(plays, entry).amount == scores[entry]


@modestly
@given(plays=PLAYS, more=st.integers(-500, 500))
def test_who_won_and_lost_so_much_more_is_ranked_the_same(plays, more):
    """Only the difference counts: honours of both sides cancel."""
    both_lines = [
        line if line.won is None else line._replace(won=line.won + abs(more)) for line in plays
    ]
    for method in METHODS_IN_POINTS:
        assert method.score(both_lines) == method.score(plays)


def test_minus_one_is_a_score_like_any_other():
    """It was once a sentinel value, and not a score."""
    plays = [build_points_line(1, (1,), (2,), 0, 1), build_average_line(1, (3,), (4,))]
    assert METHODS["points"].score(plays) == {1: -1, 2: 1, 3: -1, 4: 1}


def build_result(key, won, lost, **more):
    return PlayResult(
        key, 1, (key,), (10 + key,), won - lost, won=won, counting=counting(MAX_POINTS), **more
    )


@pytest.mark.parametrize(
    ("ruling", "counts"),
    [
        (AverageRuling(), (None, None)),
        (AdjustedScore(Fraction(50), Fraction(-120), counting(MAX_POINTS)), (50, -120)),
        (
            AdjustedScore(Fraction(220, 3), Fraction(-220, 3), counting(MAX_POINTS)),
            (Fraction(220, 3), Fraction(-220, 3)),
        ),
    ],
    ids=["average", "split", "weighed"],
)
def test_rulings_count_in_points(ruling, counts):
    plays = [build_result(1, 100, 20), build_result(2, 60, 0), build_result(3, 0, 30)]
    lines = collect_lines(apply_rulings(plays, {3: [ruling]}, is_pair_match=True))
    assert (lines[2].ns_tricks, lines[2].ew_tricks) == counts
    assert METHODS["points"].score(lines)[3] == (70 if counts[0] is None else counts[0])


@pytest.mark.parametrize("points", [MAX_POINTS + 1, -MAX_POINTS - 1])
def test_nobody_makes_more_points_than_the_event_allows(points):
    with pytest.raises(ImpossibleRuling, match="Enter -1000 to 1000 points"):
        PlayResult(1, 1, (1,), (2,), points, counting=counting(MAX_POINTS))
    with pytest.raises(ImpossibleRuling, match="Enter -1000 to 1000 points"):
        AdjustedScore(Fraction(points), Fraction(0), counting(MAX_POINTS))
    assert PlayResult(
        1, 1, (1,), (2,), None, PlayOutcome.TO_COME, counting=counting(MAX_POINTS)
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
def test_a_contest_offers_its_methods_for_points_the_usual_one_first(contest, codes):
    assert [method.code for method in list_methods(contest, in_points=True)] == codes
