import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.methods import build_average_line, build_plain_line, list_entries
from scoring.methods.matches import METHOD, compute_net_tricks, list_matches, score_matches
from scoring.methods.steps import EXACT_FORMATTERS, render_step_with_parts
from tests.scoring.methods.plays import F, draw_lines, draw_mitchell, with_few_examples

A, B, C, D = 1, 2, 3, 4

# Four pairs at two tables, three sets (Foster, Complete Hoyle), two deals of each set:
#   set 1: b v a, d v c;  set 2: c v a, b v d;  set 3: d v a, c v b  (N-S first)
#   matches in set 1: b-d and a-c; in set 2: c-b and a-d; in set 3: d-c and a-b
FOUR_PAIR_LINES = [
    build_plain_line(1, (B,), (A,), 7),
    build_plain_line(1, (D,), (C,), 5),  # b 2 ahead of d, c 2 ahead of a
    build_plain_line(2, (B,), (A,), 6),
    build_plain_line(2, (D,), (C,), 7),  # d 1 ahead of b, a 1 ahead of c
    build_plain_line(3, (C,), (A,), 8),
    build_plain_line(3, (B,), (D,), 8),  # level: c and b, a and d
    build_plain_line(4, (D,), (A,), 3),
    build_plain_line(4, (C,), (B,), 7),  # c 4 ahead of d, a 4 ahead of b
]


def test_match_is_between_pairs_that_held_the_same_cards():
    net_tricks_by_match = {
        (match.first_entry_number, match.second_entry_number): match.net_tricks
        for match in list_matches(FOUR_PAIR_LINES)
    }

    assert net_tricks_by_match == {
        (A, B): 4,
        (A, C): -1,
        (A, D): 0,
        (B, C): 0,
        (B, D): 1,
        (C, D): 4,
    }


def test_drawn_match_counts_a_half_for_each():
    assert score_matches(FOUR_PAIR_LINES) == {A: F(3, 2), B: F(3, 2), C: F(5, 2), D: F(1, 2)}


def test_net_tricks_are_summed_over_all_matches():
    assert compute_net_tricks(FOUR_PAIR_LINES) == {A: 3, B: -3, C: 5, D: -5}


def test_average_is_left_out_of_the_match():
    event = [
        *FOUR_PAIR_LINES,
        build_average_line(5, (A,), (B,)),
        build_plain_line(5, (C,), (D,), 13),
    ]

    assert score_matches(event) == score_matches(FOUR_PAIR_LINES)


def test_two_matches_of_the_same_pairs_are_separated_by_number():
    event = [
        build_plain_line(1, (A,), (B,), 8)._replace(match_number=1),
        build_plain_line(1, (C,), (D,), 7)._replace(match_number=1),
        build_plain_line(2, (A,), (B,), 4)._replace(match_number=2),
        build_plain_line(2, (C,), (D,), 9)._replace(match_number=2),
    ]

    assert [
        match.match_number for match in list_matches(event) if match.first_entry_number == A
    ] == [
        1,
        2,
    ]
    assert score_matches(event)[A] == 1


def test_entry_never_plays_a_match_against_itself():
    assert list_matches(
        [build_plain_line(1, (A,), (B,), 8), build_plain_line(1, (A,), (D,), 7)]
    ) == [(B, D, 0, 1, -1)]


@with_few_examples
@given(draw_lines())
def test_all_scores_sum_to_the_number_of_matches(drawn):
    assert sum(score_matches(drawn).values()) == len(list_matches(drawn))


@with_few_examples
@given(draw_lines())
def test_all_net_tricks_sum_to_zero(drawn):
    assert sum(compute_net_tricks(drawn).values()) == 0


def test_explanation_lists_every_match():
    assert render_step_with_parts(
        METHOD.explain_entry(FOUR_PAIR_LINES, C), EXACT_FORMATTERS
    ) == [
        "5/2 of 3 matches. A tied match counts half.",
        "Against 1, 2 deals compared: +1, worth 1.",
        "Against 2, 1 deal compared: 0, worth 1/2.",
        "Against 4, 1 deal compared: +4, worth 1.",
    ]


def score_match_by_match(drawn):
    """Compute the method literally, match by match: slow, and easy to verify."""
    scores = dict.fromkeys(list_entries(drawn), F())
    for match in list_matches(drawn):
        scores[match.first_entry_number] += (
            F(match.net_tricks > 0) * 2 + (match.net_tricks == 0)
        ) / 2
        scores[match.second_entry_number] += (
            F(match.net_tricks < 0) * 2 + (match.net_tricks == 0)
        ) / 2
    return scores


@pytest.mark.slow
@given(draw_lines(), st.lists(st.integers(0, 1), min_size=12, max_size=12))
def test_match_scores_from_totals_agree_with_playing_every_match(drawn, keys):
    event = [
        item._replace(match_number=match_number)
        for item, match_number in zip(drawn, keys, strict=False)
    ]

    assert score_matches(event) == score_match_by_match(event)


@with_few_examples
@given(draw_mitchell(), st.sets(st.integers(0, 20), max_size=3))
def test_mitchell_scores_with_averages_agree_with_playing_every_match(drawn, spoiled):
    _table_count, event = drawn
    event = [
        build_average_line(item.deal_number, item.ns_entries, item.ew_entries)
        if index in spoiled
        else item
        for index, item in enumerate(event)
    ]

    assert score_matches(event) == score_match_by_match(event)


@pytest.mark.slow
@given(draw_lines(partners=True))
def test_partners_are_matched_with_others_who_held_their_cards(drawn):
    assert score_matches(drawn) == score_match_by_match(drawn)
    net_tricks_by_entry = dict.fromkeys(list_entries(drawn), F())
    for match in list_matches(drawn):
        net_tricks_by_entry[match.first_entry_number] += match.net_tricks
        net_tricks_by_entry[match.second_entry_number] -= match.net_tricks
    assert compute_net_tricks(drawn) == net_tricks_by_entry


@pytest.mark.slow
@given(draw_lines(), st.sets(st.integers(1, 8)))
def test_matches_of_a_subset_are_those_between_its_members(drawn, some):
    assert list_matches(drawn, among_entries=some) == [
        match
        for match in list_matches(drawn)
        if {match.first_entry_number, match.second_entry_number} <= some
    ]


@pytest.mark.slow
@given(draw_lines())
def test_explanation_of_an_entry_has_exactly_its_matches(drawn):
    for entry in list_entries(drawn):
        own_matches = [
            match
            for match in list_matches(drawn)
            if entry in (match.first_entry_number, match.second_entry_number)
        ]
        explanation = METHOD.explain_entry(drawn, entry)
        assert len(explanation.parts) == len(own_matches)
        assert explanation.amount == score_matches(drawn)[entry]


def test_thousand_pairs_are_scored_without_listing_their_matches(monkeypatch):
    def fail_if_listed(*_args, **_kinds):
        raise AssertionError("half a million matches were listed")

    monkeypatch.setattr("scoring.methods.matches.list_matches", fail_if_listed)
    event = [
        build_plain_line(deal, (table,), (500 + table,), (deal * table) % 14)
        for table in range(1, 501)
        for deal in range(1, 5)
    ]

    assert sum(score_matches(event).values()) == 2 * 500 * 499 // 2
