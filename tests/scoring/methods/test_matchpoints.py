from hypothesis import given

from scoring.methods import build_average_line, build_plain_line
from scoring.methods.matchpoints import (
    METHOD,
    compute_percentages,
    compute_top_score,
    list_line_values,
    score_matchpoints,
)
from scoring.methods.result_line import iter_result_sides
from scoring.methods.steps import EXACT_FORMATTERS, render_step
from tests.scoring.methods.plays import (
    F,
    draw_lines,
    draw_mitchell,
    read_night_lines,
    with_few_examples,
)


def test_matchpoints_are_two_for_each_score_beaten_and_one_for_each_tie():
    deal = [
        build_plain_line(1, (pair,), (10 + pair,), tricks)
        for pair, tricks in enumerate((9, 7, 7, 4), 1)
    ]

    scores = score_matchpoints(deal)

    assert [scores[pair] for pair in (1, 2, 3, 4)] == [6, 3, 3, 0]
    assert [scores[pair] for pair in (11, 12, 13, 14)] == [0, 3, 3, 6]


def test_top_is_two_for_each_other_play():
    evening = list(read_night_lines())

    assert compute_top_score(evening) == 12
    assert compute_top_score([]) == 0


def test_deal_with_fewer_plays_is_factored_to_the_same_top():
    # Neuberg: points x 4/3 + 4/3 - 1, so 4, 2, 0 of 4 become 17/3, 3, 1/3 of 6.
    plain_lines = [build_plain_line(1, (pair,), (10 + pair,), 7) for pair in (1, 2, 3, 4)]
    short_deal_lines = [
        build_plain_line(2, (pair,), (10 + pair,), tricks)
        for pair, tricks in ((1, 9), (2, 8), (3, 2))
    ]

    ns_scores = [ns for ns, _ in list_line_values([*plain_lines, *short_deal_lines])]

    assert ns_scores == [3, 3, 3, 3, F(17, 3), F(3), F(1, 3)]


def test_deal_played_once_scores_half_the_top():
    event = [build_plain_line(1, (pair,), (10 + pair,), 7) for pair in (1, 2, 3)] + [
        build_plain_line(2, (1,), (11,), 13)
    ]

    assert list_line_values(event)[-1] == (2, 2)


def test_average_scores_half_the_top():
    event = [
        build_plain_line(1, (1,), (4,), 9),
        build_plain_line(1, (2,), (5,), 6),
        build_average_line(1, (3,), (6,)),
    ]

    assert list_line_values(event)[-1] == (2, 2)
    assert compute_percentages(event)[3] == F(1, 2)


def test_pairs_with_fewer_deals_are_compared_by_percentage():
    event = [
        build_plain_line(1, (1,), (3,), 9),
        build_plain_line(1, (2,), (4,), 6),
        build_plain_line(2, (1,), (4,), 9),
        build_plain_line(2, (5,), (3,), 6),
    ]

    assert score_matchpoints(event)[1] == 4
    assert compute_percentages(event) == {1: 1, 2: 0, 3: F(1, 2), 4: F(1, 2), 5: 0}


def test_percentage_is_50_if_nothing_can_be_won():
    assert compute_percentages([build_plain_line(1, (1,), (2,), 8)]) == {1: F(1, 2), 2: F(1, 2)}
    assert compute_percentages([build_average_line(1, (1,), (2,))]) == {1: F(1, 2), 2: F(1, 2)}


@with_few_examples
@given(draw_lines())
def test_matchpoints_of_each_deal_and_side_average_half_the_top(drawn):
    total_matchpoints = sum(score_matchpoints(drawn).values())

    assert total_matchpoints == F(compute_top_score(drawn), 2) * 2 * len(drawn)


@with_few_examples
@given(draw_lines())
def test_percentage_is_between_0_and_100(drawn):
    assert all(0 <= percentage <= 1 for percentage in compute_percentages(drawn).values())


@with_few_examples
@given(draw_mitchell())
def test_matchpoints_agree_with_a_simple_count_of_scores_beaten(drawn):
    _, event = drawn
    sides = list(iter_result_sides(event))

    counted_matchpoints = {}
    for own_side in sides:
        for other_side in sides:
            if own_side is not other_side and (own_side.deal_number, own_side.side) == (
                other_side.deal_number,
                other_side.side,
            ):
                won = (
                    1
                    + (own_side.tricks > other_side.tricks)
                    - (own_side.tricks < other_side.tricks)
                )
                counted_matchpoints[own_side.entries[0]] = (
                    counted_matchpoints.get(own_side.entries[0], 0) + won
                )

    assert score_matchpoints(event) == counted_matchpoints


def test_explanation_names_the_scores_beaten_and_the_factor():
    plain_lines = [build_plain_line(1, (pair,), (10 + pair,), 7) for pair in (1, 2, 3)]
    short_deal_lines = [
        build_plain_line(2, (1,), (12,), 9),
        build_plain_line(2, (2,), (11,), 8),
        build_average_line(3, (1,), (13,)),
    ]

    first_part, second, third_part = METHOD.explain_entry(
        [*plain_lines, *short_deal_lines], 1
    ).parts

    assert (
        render_step(first_part, EXACT_FORMATTERS)
        == "Deal 1, N-S: took 7, beat 0 of 2, tied 2: 2 of 4."
    )
    assert render_step(second, EXACT_FORMATTERS) == (
        "Deal 2, N-S: took 9, beat 1 of 1, tied 0: 2. Played 2 times "
        "instead of 3, so 2 × 3/2 + 3/2 − 1 = 7/2 of 4."
    )
    assert render_step(third_part, EXACT_FORMATTERS) == "Deal 3, N-S: average, half of 4: 2."
