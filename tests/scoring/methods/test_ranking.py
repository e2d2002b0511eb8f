from hypothesis import given
from hypothesis import strategies as st

from scoring.methods.ranking import (
    add_penalties_and_carry_over,
    compute_carry_over,
    find_overall_winners,
    rank_entries,
)
from scoring.methods.tricks import compute_field_average, count_tricks_taken
from tests.scoring.methods.plays import F, modestly, read_night_lines

SCORES = st.dictionaries(st.integers(1, 30), st.integers(-4, 4).map(F), max_size=12)


def test_equal_scores_share_the_rank_and_the_next_is_counted_on():
    placings = rank_entries({1: F(5), 2: F(7), 3: F(5), 4: F(1, 3)})

    assert [(placing.rank, placing.tied, placing.entry) for placing in placings] == [
        (1, False, 2),
        (2, True, 1),
        (2, True, 3),
        (4, False, 4),
    ]


def test_a_tie_break_parts_level_entries_and_is_named():
    def nets(level):
        return {entry: F(entry == 3) for entry in level}

    placings = rank_entries(
        {1: F(5), 2: F(7), 3: F(5), 4: F(5)}, tie_breaks={"net_tricks": nets}
    )

    assert [
        (placing.rank, placing.tied, placing.entry, placing.deciding_tie_break)
        for placing in placings
    ] == [
        (1, False, 2, ""),
        (2, False, 3, "net_tricks"),
        (3, True, 1, "net_tricks"),
        (3, True, 4, "net_tricks"),
    ]


def test_the_next_tie_break_sees_only_those_still_level():
    levels = []

    def first(level):
        return {entry: F(entry < 3) for entry in level}

    def second(level):
        levels.append(tuple(level))
        return {entry: F(entry) for entry in level}

    placings = rank_entries(dict.fromkeys((1, 2, 3), F()), tie_breaks={"a": first, "b": second})

    assert levels == [(1, 2)]
    assert [
        (placing.entry, placing.rank, placing.deciding_tie_break) for placing in placings
    ] == [
        (2, 1, "b"),
        (1, 2, "b"),
        (3, 3, "a"),
    ]


def test_entries_may_be_placed_by_another_figure_than_their_score():
    placings = rank_entries({1: F(10), 2: F(8)}, by={1: F(1, 2), 2: F(2, 3)})

    assert [(placing.entry, placing.score) for placing in placings] == [(2, 8), (1, 10)]


def test_the_overall_winner_is_the_most_above_its_own_field():
    totals = count_tricks_taken(list(read_night_lines()))
    fields = [range(1, 8), range(8, 15)]
    rankings = [
        rank_entries(
            {pair: totals[pair] - compute_field_average(totals, field) for pair in field}
        )
        for field in fields
    ]

    assert [(item.entry, item.score) for item in rankings[0] if item.rank == 1] == [
        (4, 9),
        (6, 9),
    ]
    assert find_overall_winners(rankings) == [12]
    assert rankings[1][0].score == 24


def test_a_tie_over_the_fields_names_both():
    assert find_overall_winners(
        [rank_entries({1: F(3), 2: F(1)}), rank_entries({8: F(3)})]
    ) == [1, 8]
    assert find_overall_winners([]) == []


def test_over_all_fields_a_percentage_may_count_in_place_of_the_score():
    fields = [rank_entries({1: F(30)}), rank_entries({8: F(20)})]

    assert find_overall_winners(fields, by={1: F(1, 2), 8: F(2, 3)}) == [8]


def test_penalties_come_off_and_what_was_carried_comes_on():
    scores = add_penalties_and_carry_over(
        {1: F(5), 2: F(3)}, losses={1: F(1, 2)}, carried={2: F(4), 3: F(1)}
    )

    assert scores == {1: F(9, 2), 2: 7, 3: 1}
    assert add_penalties_and_carry_over({1: F(5)}) == {1: 5}


def test_a_part_of_earlier_sessions_is_carried_over():
    assert compute_carry_over([{1: F(6)}, {1: F(2), 2: F(3)}]) == {1: 8, 2: 3}
    assert compute_carry_over([{1: F(6)}, {1: F(2), 2: F(3)}], F(1, 2)) == {1: 4, 2: F(3, 2)}


@modestly
@given(SCORES)
def test_a_rank_is_one_more_than_the_number_of_better_scores(scores):
    for placing in rank_entries(scores):
        assert placing.rank == 1 + sum(item > placing.score for item in scores.values())
        assert placing.tied == (list(scores.values()).count(placing.score) > 1)


@modestly
@given(SCORES, st.randoms(use_true_random=False))
def test_another_numbering_of_the_entries_moves_the_ranks_with_it(scores, random):
    numbers = list(scores)
    random.shuffle(numbers)
    renamed = dict(zip(scores, numbers, strict=True))

    ranks = {row.entry: row.rank for row in rank_entries(scores)}
    ranks_by_entry = {
        row.entry: row.rank
        for row in rank_entries({renamed[score]: scores[score] for score in scores})
    }

    assert ranks_by_entry == {renamed[item]: place for item, place in ranks.items()}
