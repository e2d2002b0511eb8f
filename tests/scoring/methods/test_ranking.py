from hypothesis import given
from hypothesis import strategies as st

from scoring.methods.ranking import (
    add_penalties_and_carry_over,
    compute_carry_over,
    rank_entries,
)
from scoring.methods.tricks import compute_field_average, count_tricks_taken
from tests.scoring.methods.plays import F, read_night_lines, with_few_examples

SCORES_STRATEGY = st.dictionaries(st.integers(1, 30), st.integers(-4, 4).map(F), max_size=12)


def test_equal_scores_share_a_rank_and_the_next_rank_is_skipped():
    placings = rank_entries({1: F(5), 2: F(7), 3: F(5), 4: F(1, 3)})

    assert [(placing.rank, placing.is_tied, placing.entry_number) for placing in placings] == [
        (1, False, 2),
        (2, True, 1),
        (2, True, 3),
        (4, False, 4),
    ]


def test_tie_break_separates_tied_entries_and_is_named():
    def compute_fake_net_tricks(level):
        return {entry: F(entry == 3) for entry in level}

    placings = rank_entries(
        {1: F(5), 2: F(7), 3: F(5), 4: F(5)},
        tie_breaks_by_name={"net_tricks": compute_fake_net_tricks},
    )

    assert [
        (placing.rank, placing.is_tied, placing.entry_number, placing.deciding_tie_break)
        for placing in placings
    ] == [
        (1, False, 2, ""),
        (2, False, 3, "net_tricks"),
        (3, True, 1, "net_tricks"),
        (3, True, 4, "net_tricks"),
    ]


def test_next_tie_break_applies_only_to_entries_still_tied():
    tied_groups = []

    def compute_first_tie_break(level):
        return {entry: F(entry < 3) for entry in level}

    def second(level):
        tied_groups.append(tuple(level))
        return {entry: F(entry) for entry in level}

    placings = rank_entries(
        dict.fromkeys((1, 2, 3), F()),
        tie_breaks_by_name={"a": compute_first_tie_break, "b": second},
    )

    assert tied_groups == [(1, 2)]
    assert [
        (placing.entry_number, placing.rank, placing.deciding_tie_break) for placing in placings
    ] == [
        (2, 1, "b"),
        (1, 2, "b"),
        (3, 3, "a"),
    ]


def test_entries_can_be_ranked_by_a_value_other_than_their_score():
    placings = rank_entries(
        {1: F(10), 2: F(8)}, ranking_values_by_entry={1: F(1, 2), 2: F(2, 3)}
    )

    assert [(placing.entry_number, placing.score) for placing in placings] == [(2, 8), (1, 10)]


def test_leaders_of_both_fields_are_furthest_above_their_own_field():
    totals = count_tricks_taken(list(read_night_lines()))
    fields = [range(1, 8), range(8, 15)]
    rankings = [
        rank_entries(
            {pair: totals[pair] - compute_field_average(totals, field) for pair in field}
        )
        for field in fields
    ]

    assert [(item.entry_number, item.score) for item in rankings[0] if item.rank == 1] == [
        (4, 9),
        (6, 9),
    ]
    assert (rankings[1][0].entry_number, rankings[1][0].score) == (12, 24)


def test_penalties_are_subtracted_and_carry_over_is_added():
    scores = add_penalties_and_carry_over(
        {1: F(5), 2: F(3)},
        penalties_by_entry={1: F(1, 2)},
        carry_overs_by_entry={2: F(4), 3: F(1)},
    )

    assert scores == {1: F(9, 2), 2: 7, 3: 1}
    assert add_penalties_and_carry_over({1: F(5)}) == {1: 5}


def test_carry_over_is_a_fraction_of_earlier_sessions():
    assert compute_carry_over([{1: F(6)}, {1: F(2), 2: F(3)}]) == {1: 8, 2: 3}
    assert compute_carry_over([{1: F(6)}, {1: F(2), 2: F(3)}], F(1, 2)) == {1: 4, 2: F(3, 2)}


@with_few_examples
@given(SCORES_STRATEGY)
def test_rank_is_one_more_than_the_number_of_better_scores(scores):
    for placing in rank_entries(scores):
        assert placing.rank == 1 + sum(item > placing.score for item in scores.values())
        assert placing.is_tied == (list(scores.values()).count(placing.score) > 1)


@with_few_examples
@given(SCORES_STRATEGY, st.randoms(use_true_random=False))
def test_renumbering_the_entries_only_renumbers_the_ranking(scores, random):
    numbers = list(scores)
    random.shuffle(numbers)
    new_numbers = dict(zip(scores, numbers, strict=True))

    ranks = {row.entry_number: row.rank for row in rank_entries(scores)}
    ranks_by_entry = {
        row.entry_number: row.rank
        for row in rank_entries({new_numbers[score]: scores[score] for score in scores})
    }

    assert ranks_by_entry == {new_numbers[item]: place for item, place in ranks.items()}
