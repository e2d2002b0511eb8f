"""Plausibility checks: what is queried, what passes, and what a single mistake explains."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.doubts.plausibility import (
    MIN_OTHER_TABLE_SCORES,
    DealEvidence,
    ResultDoubt,
    check_result,
    find_corrected_round,
)

OTHER_TABLE_TRICKS = (4, 5, 5, 4, 6, 5, 6)
tricks = st.integers(0, 13)
evidence_strategy = st.builds(
    DealEvidence,
    st.lists(tricks, max_size=8).map(tuple),
    st.one_of(st.none(), tricks),
)


def test_swapped_sides_are_queried_with_the_swapped_result_offered() -> None:
    result = check_result(11, DealEvidence(OTHER_TABLE_TRICKS))
    assert result == ResultDoubt(
        typed_tricks=11, swapped_tricks=2, other_tricks=OTHER_TABLE_TRICKS
    )
    assert result.expected_range == (4, 6)
    assert check_result(8, DealEvidence(OTHER_TABLE_TRICKS, best_play_tricks=5)) == ResultDoubt(
        8, 5, OTHER_TABLE_TRICKS
    )


@pytest.mark.parametrize(
    ("typed_value", "evidence", "is_queried"),
    [
        # two tricks outside the range of the other tables; best play unknown
        (8, DealEvidence(OTHER_TABLE_TRICKS), False),
        # three tricks outside the range
        (9, DealEvidence(OTHER_TABLE_TRICKS), True),
        # two tricks outside the range, two from best play
        (8, DealEvidence(OTHER_TABLE_TRICKS, best_play_tricks=6), False),
        # two tricks outside the range, three from best play
        (8, DealEvidence(OTHER_TABLE_TRICKS, best_play_tricks=5), True),
        # one trick outside the range is never queried
        (7, DealEvidence(OTHER_TABLE_TRICKS, best_play_tricks=1), False),
        # five tricks from best play at the only table
        (10, DealEvidence((), best_play_tricks=5), True),
        (9, DealEvidence((), best_play_tricks=5), False),
        # another table's result differs by only one trick
        (10, DealEvidence((11,), best_play_tricks=5), False),
        (13, DealEvidence((3, 4)), False),  # two tables are too few to compare
        (13, DealEvidence(), False),
    ],
)
def test_implausible_results_are_queried(
    typed_value: int, evidence: DealEvidence, is_queried: bool
) -> None:
    assert (check_result(typed_value, evidence) is not None) == is_queried


def test_swapped_result_is_offered_only_if_it_is_more_plausible() -> None:
    assert check_result(13, DealEvidence((6, 6, 7))) == ResultDoubt(13, None, (6, 6, 7))
    assert check_result(10, DealEvidence((3, 3, 4))) == ResultDoubt(10, 3, (3, 3, 4))


@pytest.mark.slow
@settings(max_examples=200)
@given(tricks, evidence_strategy)
def test_result_made_at_another_table_is_never_queried(
    typed: int, evidence: DealEvidence
) -> None:
    assert (
        check_result(
            typed, DealEvidence((*evidence.other_tricks, typed), evidence.best_play_tricks)
        )
        is None
    )


@pytest.mark.slow
@settings(max_examples=200)
@given(tricks, evidence_strategy)
def test_offered_swapped_result_would_not_be_queried_itself(
    typed: int, evidence: DealEvidence
) -> None:
    result = check_result(typed, evidence)
    if result is not None and result.swapped_tricks is not None:
        assert result.swapped_tricks == 13 - typed
        assert check_result(result.swapped_tricks, evidence) is None


@pytest.mark.slow
@settings(max_examples=200)
@given(tricks, evidence_strategy)
def test_check_is_symmetrical_in_the_two_sides(typed: int, evidence: DealEvidence) -> None:
    mirrored_evidence = DealEvidence(
        tuple(13 - other_trick for other_trick in evidence.other_tricks),
        None if evidence.best_play_tricks is None else 13 - evidence.best_play_tricks,
    )
    assert (check_result(typed, evidence) is None) == (
        check_result(13 - typed, mirrored_evidence) is None
    )


def build_evidence_around(centre_tricks: int) -> DealEvidence:
    return DealEvidence((centre_tricks - 1, centre_tricks, centre_tricks, centre_tricks + 1))


def test_swapped_sides_of_a_round_are_proposed_as_one_correction() -> None:
    evidence = {
        1: build_evidence_around(4),
        2: build_evidence_around(9),
        3: build_evidence_around(6),
        4: build_evidence_around(10),
    }
    correction = find_corrected_round({1: 9, 2: 4, 3: 7, 4: 3}, evidence)
    assert correction is not None
    assert correction.mistake_kind == "direction"
    assert correction.boards_and_tricks == ((1, 4), (2, 9), (3, 6), (4, 10))


def test_two_mixed_up_boards_are_proposed_as_one_correction() -> None:
    evidence = {
        1: build_evidence_around(2),
        2: build_evidence_around(8),
        3: build_evidence_around(6),
    }
    correction = find_corrected_round({1: 8, 2: 2, 3: 6}, evidence)
    assert correction is not None
    assert (correction.mistake_kind, correction.boards_and_tricks) == (
        "boards",
        ((1, 2), (2, 8)),
    )


def test_round_entered_one_line_too_low_is_proposed_as_one_correction() -> None:
    evidence = {
        1: build_evidence_around(2),
        2: build_evidence_around(9),
        3: build_evidence_around(5),
    }
    correction = find_corrected_round({1: 5, 2: 2, 3: 9}, evidence)
    assert correction is not None
    assert (correction.mistake_kind, dict(correction.boards_and_tricks)) == (
        "boards",
        {1: 2, 2: 9, 3: 5},
    )


def test_single_implausible_result_proposes_no_correction_of_a_round() -> None:
    evidence = {
        1: build_evidence_around(4),
        2: build_evidence_around(9),
        3: build_evidence_around(6),
    }
    assert find_corrected_round({1: 9, 2: 9, 3: 6}, evidence) is None
    assert find_corrected_round({1: 9}, evidence) is None
    assert find_corrected_round({1: 4, 2: 9, 3: 6}, evidence) is None


@pytest.mark.slow
@settings(max_examples=100)
@given(st.dictionaries(st.integers(1, 4), st.tuples(tricks, evidence_strategy), max_size=4))
def test_corrected_round_has_no_query_left_and_keeps_its_tricks(
    plays: dict[int, tuple[int, DealEvidence]],
) -> None:
    typed_tricks = {board: play[0] for board, play in plays.items()}
    evidence = {board: play[1] for board, play in plays.items()}
    correction = find_corrected_round(typed_tricks, evidence)
    if correction is not None:
        corrected_tricks = typed_tricks | dict(correction.boards_and_tricks)
        assert all(
            check_result(corrected_tricks[board], evidence[board]) is None
            for board in corrected_tricks
        )
        if correction.mistake_kind == "boards":
            assert sorted(corrected_tricks.values()) == sorted(typed_tricks.values())
        else:
            assert all(
                corrected_tricks[board] == 13 - typed_tricks[board]
                for board, _ in correction.boards_and_tricks
            )


def test_three_tables_are_enough_evidence() -> None:
    assert MIN_OTHER_TABLE_SCORES == 3
