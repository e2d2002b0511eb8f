import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.methods.revoke_penalty import (
    AVERAGE_LIMIT_MESSAGE,
    KEPT_TRICKS_UP_TO_AVERAGE_MESSAGE,
    RevokeLawReading,
    RevokeLimits,
    compute_transferred_tricks,
    penalise_both_sides,
    penalise_side,
)
from tests.scoring.methods.plays import GOLDEN_FOLDER, F, with_few_examples

GOLDEN_LINES = (GOLDEN_FOLDER / "revokes.csv").read_text().splitlines()
VECTORS = list(csv.DictReader(line for line in GOLDEN_LINES if not line.startswith("#")))
UNKNOWN_LIMITS = RevokeLimits()


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["why"] for vector in VECTORS])
def test_revoke_penalty_matches_the_law_examples(vector):
    least_tricks = 13 - int(vector["most"]) if vector["most"] else None
    limits = RevokeLimits(F(vector["average"]), least_tricks)

    penalty = penalise_side(
        int(vector["made"]), int(vector["revokes"]), int(vector["won_before"]), limits
    )

    assert (penalty.tricks, 13 - penalty.tricks) == (
        F(vector["counts"]),
        F(vector["opponents"]),
    )


def test_first_revoke_costs_two_tricks_and_each_further_one_more():
    assert [compute_transferred_tricks(revokes) for revokes in range(5)] == [0, 2, 3, 4, 5]


def test_transfer_is_unlimited_while_no_other_table_has_a_score():
    assert penalise_side(9, 1, 0, UNKNOWN_LIMITS).tricks == 7
    assert penalise_side(9, 1, 0, UNKNOWN_LIMITS).limit_message == ""


def test_club_can_apply_the_average_limit_before_kept_tricks():
    law_reading = RevokeLawReading.NEVER_ABOVE_AVERAGE

    assert (
        penalise_side(9, 1, 8, RevokeLimits(F(6)), revoke_law_reading=law_reading).tricks == 6
    )
    assert (
        penalise_side(9, 1, 5, RevokeLimits(F(8)), revoke_law_reading=law_reading).tricks == 7
    )
    assert penalise_side(9, 1, 8, UNKNOWN_LIMITS, revoke_law_reading=law_reading).tricks == 8
    assert (
        penalise_side(9, 1, 8, RevokeLimits(F(6)), revoke_law_reading=law_reading).limit_message
        == AVERAGE_LIMIT_MESSAGE
    )  # 7 is above it
    assert (
        penalise_side(
            9, 1, 8, RevokeLimits(F(15, 2)), revoke_law_reading=law_reading
        ).limit_message
        == KEPT_TRICKS_UP_TO_AVERAGE_MESSAGE
    )


@st.composite
def draw_revoke_case(draw):
    """Draw a revoke and the other tables' tricks, from the revoking side's direction."""
    other_tricks = draw(st.lists(st.integers(0, 13), min_size=1, max_size=6))
    numbers = [draw(st.integers(0, 13)), draw(st.integers(1, 4)), draw(st.integers(0, 13))]
    return *numbers, F(sum(other_tricks), len(other_tricks)), min(other_tricks)


@with_few_examples
@given(draw_revoke_case())
def test_tricks_won_before_the_first_revoke_are_never_taken(case):
    tricks_made, revokes, won_before, average, least = case

    for limits in (RevokeLimits(average), RevokeLimits(average, least)):
        assert penalise_side(tricks_made, revokes, won_before, limits).tricks >= min(
            tricks_made, won_before
        )


@with_few_examples
@given(draw_revoke_case())
def test_revoking_side_scores_at_most_the_average_or_its_kept_tricks(case):
    made, revokes, won_before, average, least = case

    for limits in (RevokeLimits(average), RevokeLimits(average, least)):
        penalty = penalise_side(made, revokes, won_before, limits)
        assert penalty.tricks <= max(average, min(made, won_before))


@with_few_examples
@given(draw_revoke_case())
def test_penalty_never_benefits_the_revoking_side(case):
    made, revokes, won_before, average, least = case

    for limits in (UNKNOWN_LIMITS, RevokeLimits(average), RevokeLimits(average, least)):
        assert 0 <= penalise_side(made, revokes, won_before, limits).tricks <= made


@with_few_examples
@given(draw_revoke_case())
def test_transfer_without_limits_is_bounded_only_by_available_tricks(case):
    made, revokes, _, _, _ = case

    assert penalise_side(made, revokes, 0, UNKNOWN_LIMITS).tricks == max(
        made - compute_transferred_tricks(revokes), 0
    )


@with_few_examples
@given(draw_revoke_case())
def test_pair_match_penalty_raises_opponents_at_most_to_highest_elsewhere(case):
    made, revokes, won_before, average, least = case

    penalty = penalise_side(made, revokes, won_before, RevokeLimits(average, least))

    assert 13 - penalty.tricks <= max(13 - least, 13 - made)


@with_few_examples
@given(draw_revoke_case())
def test_score_above_the_highest_elsewhere_is_unchanged_in_a_pair_match(case):
    made, revokes, won_before, average, least = case

    if 13 - made > 13 - least:
        penalty = penalise_side(made, revokes, won_before, RevokeLimits(average, least))
        assert penalty.tricks == made


@with_few_examples
@given(draw_revoke_case())
def test_further_revokes_never_cost_less(case):
    made, revokes, won_before, average, least = case
    limits = RevokeLimits(average, least)

    larger_penalty = penalise_side(made, revokes + 1, won_before, limits)

    assert larger_penalty.tricks <= penalise_side(made, revokes, won_before, limits).tricks


NO_LIMIT = (None, None)


@pytest.mark.parametrize(
    ("made", "our_revokes", "their_revokes", "least", "expected_tricks", "reason"),
    [
        (8, (1, 0), (1, 0), NO_LIMIT, 8, "equal revokes cancel"),
        (8, (2, 0), (1, 0), NO_LIMIT, 7, "three tricks against two"),
        (8, (1, 0), (3, 0), NO_LIMIT, 10, "two tricks against four"),
        (8, (3, 8), (1, 0), NO_LIMIT, 8, "tricks won before are kept"),
        (1, (4, 0), (1, 0), NO_LIMIT, 0, "no trick is left to take"),
        (8, (3, 0), (1, 0), (7, 2), 7, "the minimum of the other tables holds"),
        (6, (3, 0), (1, 0), (7, 2), 6, "the opponents have the most made already"),
        (8, (1, 0), (3, 0), (3, 4), 9, "the other side's minimum holds as well"),
    ],
)
def test_transfers_are_netted_if_both_sides_revoke(
    made, our_revokes, their_revokes, least, expected_tricks, reason
):
    assert penalise_both_sides(made, our_revokes, their_revokes, least) == expected_tricks, (
        reason
    )


@with_few_examples
@given(
    st.integers(0, 13),
    st.tuples(st.integers(1, 4), st.integers(0, 13)),
    st.tuples(st.integers(1, 4), st.integers(0, 13)),
)
def test_both_sides_see_the_same_outcome_if_both_revoke(made, ours, theirs):
    our_tricks = penalise_both_sides(made, ours, theirs, NO_LIMIT)

    assert our_tricks + penalise_both_sides(13 - made, theirs, ours, NO_LIMIT) == 13
