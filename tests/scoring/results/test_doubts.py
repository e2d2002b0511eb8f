"""Plausibility checks: what is queried, what passes, and what a single mistake explains."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.doubts.plausibility import (
    MIN_OTHER_SCORES,
    DealEvidence,
    ResultQuery,
    check_result,
    find_correction,
)

FIELD = (4, 5, 5, 4, 6, 5, 6)
tricks = st.integers(0, 13)
knowns = st.builds(
    DealEvidence,
    st.lists(tricks, max_size=8).map(tuple),
    st.one_of(st.none(), tricks),
)


def test_a_side_mixed_up_is_asked_about_with_the_other_way_offered() -> None:
    result = check_result(11, DealEvidence(FIELD))
    assert result == ResultQuery(typed=11, swap=2, others=FIELD)
    assert result.expected_range == (4, 6)
    assert check_result(8, DealEvidence(FIELD, best_play_tricks=5)) == ResultQuery(8, 5, FIELD)


@pytest.mark.parametrize(
    ("typed_value", "evidence", "is_asked"),
    [
        (8, DealEvidence(FIELD), False),  # two outside, and the cards are not known
        (9, DealEvidence(FIELD), True),  # three outside
        (8, DealEvidence(FIELD, best_play_tricks=6), False),  # two outside, but near best play
        (
            8,
            DealEvidence(FIELD, best_play_tricks=5),
            True,
        ),  # two outside and three from best play
        (
            7,
            DealEvidence(FIELD, best_play_tricks=1),
            False,
        ),  # a difference of one is never queried
        (10, DealEvidence((), best_play_tricks=5), True),  # five from best play, the only table
        (9, DealEvidence((), best_play_tricks=5), False),
        (10, DealEvidence((11,), best_play_tricks=5), False),  # another table has the same
        (13, DealEvidence((3, 4)), False),  # two tables are too few to compare
        (13, DealEvidence(), False),
    ],
)
def test_what_is_asked_about(typed_value: int, evidence: DealEvidence, is_asked: bool) -> None:
    assert (check_result(typed_value, evidence) is not None) == is_asked


def test_the_other_way_is_offered_only_where_it_is_likelier() -> None:
    assert check_result(13, DealEvidence((6, 6, 7))) == ResultQuery(13, None, (6, 6, 7))
    assert check_result(10, DealEvidence((3, 3, 4))) == ResultQuery(10, 3, (3, 3, 4))


@pytest.mark.slow
@settings(max_examples=200)
@given(tricks, knowns)
def test_what_another_table_made_too_is_never_asked_about(
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
@given(tricks, knowns)
def test_the_other_way_offered_would_not_be_asked_about(
    typed: int, evidence: DealEvidence
) -> None:
    result = check_result(typed, evidence)
    if result is not None and result.swap is not None:
        assert result.swap == 13 - typed
        assert check_result(result.swap, evidence) is None


@pytest.mark.slow
@settings(max_examples=200)
@given(tricks, knowns)
def test_turning_the_room_round_turns_the_question(typed: int, evidence: DealEvidence) -> None:
    deal_evidence = DealEvidence(
        tuple(13 - other_trick for other_trick in evidence.other_tricks),
        None if evidence.best_play_tricks is None else 13 - evidence.best_play_tricks,
    )
    assert (check_result(typed, evidence) is None) == (
        check_result(13 - typed, deal_evidence) is None
    )


def build_evidence(centre: int) -> DealEvidence:
    return DealEvidence((centre - 1, centre, centre, centre + 1))


def test_a_round_typed_the_wrong_way_is_one_correction() -> None:
    known = {
        1: build_evidence(4),
        2: build_evidence(9),
        3: build_evidence(6),
        4: build_evidence(10),
    }
    correction = find_correction({1: 9, 2: 4, 3: 7, 4: 3}, known)
    assert correction is not None
    assert correction.kind == "direction"
    assert correction.tricks == ((1, 4), (2, 9), (3, 6), (4, 10))


def test_two_boards_mixed_up_are_one_correction() -> None:
    known = {1: build_evidence(2), 2: build_evidence(8), 3: build_evidence(6)}
    correction = find_correction({1: 8, 2: 2, 3: 6}, known)
    assert correction is not None
    assert (correction.kind, correction.tricks) == ("boards", ((1, 2), (2, 8)))


def test_a_round_typed_one_line_too_low_is_one_correction() -> None:
    known = {1: build_evidence(2), 2: build_evidence(9), 3: build_evidence(5)}
    correction = find_correction({1: 5, 2: 2, 3: 9}, known)
    assert correction is not None
    assert (correction.kind, dict(correction.tricks)) == ("boards", {1: 2, 2: 9, 3: 5})


def test_one_odd_result_among_good_ones_is_no_mistake_of_a_round() -> None:
    known = {1: build_evidence(4), 2: build_evidence(9), 3: build_evidence(6)}
    assert find_correction({1: 9, 2: 9, 3: 6}, known) is None
    assert find_correction({1: 9}, known) is None
    assert find_correction({1: 4, 2: 9, 3: 6}, known) is None


@pytest.mark.slow
@settings(max_examples=100)
@given(st.dictionaries(st.integers(1, 4), st.tuples(tricks, knowns), max_size=4))
def test_a_round_mended_has_nothing_left_to_ask_and_no_tricks_are_lost(
    plays: dict[int, tuple[int, DealEvidence]],
) -> None:
    typed = {board: play[0] for board, play in plays.items()}
    known = {board: play[1] for board, play in plays.items()}
    correction = find_correction(typed, known)
    if correction is not None:
        after = typed | dict(correction.tricks)
        assert all(check_result(after[board], known[board]) is None for board in after)
        if correction.kind == "boards":
            assert sorted(after.values()) == sorted(typed.values())
        else:
            assert all(after[board] == 13 - typed[board] for board, _ in correction.tricks)


def test_enough_tables_are_three() -> None:
    assert MIN_OTHER_SCORES == 3
