"""A made-up session: everything follows from the seed, and looks realistic."""

from collections import Counter
from fractions import Fraction
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.whist.dealing import get_deal
from boards.whist.seats import Seat
from hall.rehearsal.script import (
    MishapKind,
    RoundTime,
    TableKey,
    TableSitting,
    choose_mishaps,
    choose_swapped_table,
    draw_fraction,
    draw_integer,
    draw_weighted_key,
    estimate_tricks,
    generate_skill,
    list_due_results,
    simulate_ns_tricks,
)
from scoring.doubts.plausibility import DealEvidence, check_result
from tournaments.movements import Movement, build_named_movement

SEEDS = st.text("0123456789abcdef", min_size=1, max_size=8)
ROUND_SECONDS = 25 * 60


def build_table_sittings(movement: Movement, boards_a_round: int = 4) -> list[TableSitting]:
    """Return the tables of a movement in the form of a made-up session."""
    return [
        TableSitting(
            TableKey("A", meeting.round, meeting.table),
            tuple(dict.fromkeys((meeting.north, meeting.south))),
            tuple(dict.fromkeys((meeting.east, meeting.west))),
            tuple(
                (meeting.board_group - 1) * boards_a_round + board_number
                for board_number in range(1, boards_a_round + 1)
            ),
        )
        for meeting in movement.meetings
        if not movement.absent_places & set(meeting.places)
    ]


SEVEN_TABLE_SITTINGS = build_table_sittings(build_named_movement("compass", pairs=14))
ROUND_TIMES = {
    number: RoundTime((number - 1) * (ROUND_SECONDS + 120), ROUND_SECONDS)
    for number in range(1, 8)
}


@given(SEEDS, st.integers(1, 500))
def test_pseudo_random_number_is_reproducible_and_below_one(seed: str, subject: int) -> None:
    fraction = draw_fraction(seed, "subject", subject)
    assert 0 <= fraction < 1
    assert fraction == draw_fraction(seed, "subject", subject)
    assert 0 <= draw_integer(7, seed, subject) < 7


def test_pseudo_random_numbers_of_different_subjects_differ() -> None:
    assert draw_fraction("a", 1, 11) != draw_fraction("a", 11, 1) != draw_fraction("b", 11, 1)


def test_weighted_choice_follows_its_weights() -> None:
    key_counts = Counter(draw_weighted_key({1: 3, 2: 1, 3: 0}, "seed", n) for n in range(4000))
    assert key_counts[3] == 0
    assert 2800 < key_counts[1] < 3200


@given(SEEDS, st.integers(0, 13))
def test_simulated_tricks_are_from_0_to_13_for_any_deal(seed: str, worth: int) -> None:
    tricks = [
        simulate_ns_tricks(seed, table_sitting, board, Fraction(worth))
        for table_sitting in SEVEN_TABLE_SITTINGS[:9]
        for board in table_sitting.board_numbers
    ]
    assert all(0 <= tricks <= 13 for tricks in tricks)


def test_simulated_tricks_vary_around_the_value_of_the_deal() -> None:
    tricks = [
        simulate_ns_tricks(f"{seed}", sat, sat.board_numbers[0], Fraction(7)) - 7
        for seed in range(40)
        for sat in SEVEN_TABLE_SITTINGS
    ]
    assert abs(mean(tricks)) < 0.2
    assert 0.9 < mean(item * item for item in tricks) ** 0.5 < 1.8
    assert sum(abs(item) > 3 for item in tricks) < len(tricks) * 0.04


def test_better_pair_takes_more_tricks_on_average() -> None:
    entries_by_skill = sorted(range(1, 15), key=lambda entry: generate_skill("x", entry))
    best_entry, worst_entry = entries_by_skill[-1], entries_by_skill[0]
    tricks = [
        simulate_ns_tricks(
            "x",
            TableSitting(TableKey("A", 1, n), (best_entry,), (worst_entry,), (n,)),
            n,
            Fraction(6),
        )
        for n in range(1, 300)
    ]
    assert mean(tricks) > 6.2


def test_simulated_results_of_an_unknown_deal_are_similar() -> None:
    boards = range(1, 29)
    tricks_by_board = [
        [
            simulate_ns_tricks("x", sat, board, None)
            for sat in SEVEN_TABLE_SITTINGS
            if board in sat.board_numbers
        ]
        for board in boards
    ]
    mean_range = mean(max(board_tricks) - min(board_tricks) for board_tricks in tricks_by_board)
    assert (
        max(mean(board_tricks) for board_tricks in tricks_by_board)
        - min(mean(board_tricks) for board_tricks in tricks_by_board)
        > 4
    )
    assert mean_range < 4.5


def test_few_honest_results_are_queried() -> None:
    queried_result_count = total = 0
    for seed in map(str, range(8)):
        for board in range(1, 29):
            expected_tricks = draw_integer(8, seed, "best", board) + 3
            honest_results = [
                simulate_ns_tricks(seed, sat, board, Fraction(expected_tricks))
                for sat in SEVEN_TABLE_SITTINGS
                if board in sat.board_numbers
            ]
            for index, tricks in enumerate(honest_results):
                total += 1
                other_results = tuple(honest_results[:index] + honest_results[index + 1 :])
                queried_result_count += (
                    check_result(tricks, DealEvidence(other_results, expected_tricks))
                    is not None
                )
    assert queried_result_count < total * 0.02


def test_strong_cards_and_trumps_raise_the_value_of_a_hand() -> None:
    deals = [get_deal(number * 10**25, Seat.NORTH) for number in range(1, 60)]
    estimates = [estimate_tricks(deal) for deal in deals]
    assert all(0 <= worth <= 13 for worth in estimates)
    assert len(set(estimates)) > 10


@given(SEEDS)
def test_each_result_is_scheduled_once_and_no_table_plays_two_boards_at_once(seed: str) -> None:
    due_results = list_due_results(seed, SEVEN_TABLE_SITTINGS, ROUND_TIMES)
    assert Counter(
        (due_result.sitting.table_key, due_result.board_number) for due_result in due_results
    ) == Counter(
        (sat.table_key, board) for sat in SEVEN_TABLE_SITTINGS for board in sat.board_numbers
    )
    assert [due_result.entry_seconds for due_result in due_results] == sorted(
        due_result.entry_seconds for due_result in due_results
    )
    for due_result in due_results:
        round_ = ROUND_TIMES[due_result.sitting.table_key.round_number]
        assert (
            round_.start_seconds
            < due_result.entry_seconds
            < round_.start_seconds + round_.length_seconds + 45
        )


@given(SEEDS)
def test_slow_table_finishes_late_and_starts_next_round_late(seed: str) -> None:
    slow_table = TableKey("A", 2, 3)
    due_results = list_due_results(
        seed, SEVEN_TABLE_SITTINGS, ROUND_TIMES, slow_tables={slow_table}
    )
    last_entry_seconds = max(
        due.entry_seconds for due in due_results if due.sitting.table_key == slow_table
    )
    assert last_entry_seconds > ROUND_TIMES[2].start_seconds + ROUND_SECONDS
    next_round_entry_seconds = [
        due.entry_seconds for due in due_results if due.sitting.table_key == TableKey("A", 3, 3)
    ]
    assert min(next_round_entry_seconds) > last_entry_seconds - 45


@pytest.mark.parametrize("pairs", [4, 6, 13, 14, 22])
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_every_incident_names_a_table_of_the_session(pairs: int, seed: str) -> None:
    tables = build_table_sittings(
        build_named_movement("compass" if pairs > 4 else "howell", pairs=pairs)
    )
    mishaps = choose_mishaps(seed, tables, can_admit_late_pair=True)
    table_keys = {table.table_key for table in tables}
    for item in mishaps:
        if item.kind not in (MishapKind.LATE_ENTRY, MishapKind.SWAPPED_SIDES):
            assert item.table_key in table_keys
            assert 0 <= item.nth < 4
    assert {each.kind for each in mishaps} >= {
        MishapKind.LATE_ENTRY,
        MishapKind.REVOKE,
        MishapKind.SWAPPED_SIDES,
    }
    assert (MishapKind.FOULED in {each.kind for each in mishaps}) is (
        pairs > 4
    )  # none is repeated


def test_board_fouled_in_a_rehearsal_was_played_before() -> None:
    for seed in map(str, range(30)):
        mishap = next(
            one_mishap
            for one_mishap in choose_mishaps(
                seed, SEVEN_TABLE_SITTINGS, can_admit_late_pair=True
            )
            if one_mishap.kind == "fouled"
        )
        boards = next(
            sat.board_numbers
            for sat in SEVEN_TABLE_SITTINGS
            if sat.table_key == mishap.table_key
        )
        boards_before = {
            b
            for sat in SEVEN_TABLE_SITTINGS
            if sat.table_key.round_number < mishap.round
            for b in sat.board_numbers
        }
        assert boards[mishap.nth] in boards_before


def test_incidents_happen_at_different_tables() -> None:
    for seed in map(str, range(30)):
        tables = [
            mishap.table
            for mishap in choose_mishaps(seed, SEVEN_TABLE_SITTINGS, can_admit_late_pair=True)
            if mishap.table
        ]
        assert len(tables) == len(set(tables)) == 3


def test_one_round_session_has_no_late_pair_and_no_fouled_board() -> None:
    first_round_tables = [
        sat for sat in SEVEN_TABLE_SITTINGS if sat.table_key.round_number == 1
    ]
    assert {
        mishap.kind
        for mishap in choose_mishaps("x", first_round_tables, can_admit_late_pair=True)
    } <= {
        MishapKind.REVOKE,
        MishapKind.SLOW_TABLE,
    }
    assert choose_mishaps("x", [], can_admit_late_pair=True) == []


def test_no_pair_is_late_if_none_can_be_admitted() -> None:
    assert MishapKind.LATE_ENTRY not in {
        mishap.kind
        for mishap in choose_mishaps("x", SEVEN_TABLE_SITTINGS, can_admit_late_pair=False)
    }


def test_swapped_table_is_the_one_with_clearest_difference() -> None:
    tricks_by_table = {
        TableKey("A", 6, 1): [6, 7, 6],
        TableKey("A", 6, 2): [2, 11, 6],
        TableKey("A", 6, 3): [7, 7, 8],
    }
    assert choose_swapped_table(tricks_by_table) == TableKey("A", 6, 2)
    assert choose_swapped_table({}) is None
