from fractions import Fraction

from hypothesis import given

from scoring.methods import build_average_line, build_plain_line
from scoring.methods.plus_minus import (
    METHOD,
    compute_side_averages,
    list_line_values,
    score_plus_minus,
)
from scoring.methods.tricks import compute_field_average, count_tricks_taken
from tests.scoring.methods.plays import (
    F,
    draw_lines,
    draw_mitchell,
    read_night_lines,
    with_few_examples,
)


def test_total_of_165_tricks_against_an_average_of_174_scores_minus_nine():
    evening = list(read_night_lines())
    totals = count_tricks_taken(evening)

    assert totals[1] == 165
    assert compute_field_average(totals, range(1, 8)) == 174
    assert score_plus_minus(evening)[1] == -9


def test_total_of_380_against_an_average_of_250_scores_plus_130():
    # The Standard Hoyle (1912), Duplicate Bridge: pairs 4 and 5 of a field of average 250. Each
    # total is made of as many deals as it takes, with the same deals for all.
    totals = {1: 150, 2: 170, 3: 160, 4: 380, 5: 390}
    assert (
        compute_field_average({pair: F(total) for pair, total in totals.items()}, totals) == 250
    )
    deals = range(1, 31)
    evening = [
        build_plain_line(deal, (pair,), (100 + pair,), F(total, 30))
        for pair, total in totals.items()
        for deal in deals
    ]
    scores = score_plus_minus(evening)

    assert scores[4] == 130
    assert scores[5] == 140


@with_few_examples
@given(draw_lines())
def test_all_plus_minus_scores_sum_to_zero(drawn):
    assert sum(score_plus_minus(drawn).values()) == 0


@with_few_examples
@given(draw_lines(partners=True))
def test_partners_are_credited_equally_and_scores_sum_to_zero(drawn):
    assert sum(score_plus_minus(drawn).values()) == 0


@with_few_examples
@given(draw_mitchell())
def test_complete_event_scores_each_total_minus_its_field_average(drawn):
    tables, event = drawn
    totals, scores = count_tricks_taken(event), score_plus_minus(event)

    for field in (range(1, tables + 1), range(tables + 1, 2 * tables + 1)):
        average = compute_field_average(totals, field)
        assert {pair: scores[pair] for pair in field} == {
            pair: totals[pair] - average for pair in field
        }


@with_few_examples
@given(draw_mitchell())
def test_averages_of_the_two_fields_sum_to_thirteen_per_deal(drawn):
    tables, event = drawn
    totals = count_tricks_taken(event)

    ns = compute_field_average(totals, range(1, tables + 1))
    ew = compute_field_average(totals, range(tables + 1, 2 * tables + 1))

    assert ns + ew == 13 * tables


@with_few_examples
@given(draw_lines())
def test_line_values_sum_to_the_scores(drawn):
    sums_by_entry = {}
    for line, (ns, ew) in zip(drawn, list_line_values(drawn), strict=True):
        for entry in line.ns_entries:
            sums_by_entry[entry] = sums_by_entry.get(entry, F()) + ns
        for entry in line.ew_entries:
            sums_by_entry[entry] = sums_by_entry.get(entry, F()) + ew

    assert sums_by_entry == score_plus_minus(drawn)


def test_average_line_scores_nothing_and_changes_no_deal_average():
    deal = [build_plain_line(1, (1,), (4,), 9), build_plain_line(1, (2,), (5,), 6)]

    scores = score_plus_minus([*deal, build_average_line(1, (3,), (6,))])

    assert scores[3] == scores[6] == 0
    assert scores[1] == score_plus_minus(deal)[1] == Fraction(3, 2)


def test_averages_of_a_deal_are_exact_and_missing_if_no_one_scored():
    side_averages = compute_side_averages(
        [
            build_plain_line(1, (1,), (4,), 9),
            build_plain_line(1, (2,), (5,), 6),
            build_plain_line(1, (3,), (6,), 7),
            build_average_line(2, (1,), (5,)),
        ]
    )

    assert side_averages == {1: (F(22, 3), F(17, 3)), 2: (None, None)}


def test_scores_are_exact_where_decimals_would_not_be():
    event = [
        build_plain_line(1, (pair,), (10 + pair,), tricks)
        for pair, tricks in ((1, 7), (2, 7), (3, 6))
    ]

    assert score_plus_minus(event)[1] == F(1, 3)


def test_no_entry_has_a_score_before_the_first_result():
    assert METHOD.score([]) == {}
