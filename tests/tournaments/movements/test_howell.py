"""Check Howell movements of every size with independent code that reads the rows."""

from collections import Counter, defaultdict
from functools import lru_cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.movements import (
    Movement,
    build_named_movement,
    compute_balance,
    rebuild_movement,
)
from tournaments.movements.exports import build_meeting_json
from tournaments.movements.systems.finite_fields import FiniteField
from tournaments.movements.systems.howell import fits_howell

PAIR_COUNTS = [pairs for pairs in range(4, 110, 2) if fits_howell(pairs)]

# How often any two pairs sit the same way: minimum and maximum, by number of pairs. Even
# numbers of tables are perfect; odd ones vary by one step either way.
EXCEPTIONAL_COMPARISON_RANGES = {4: (1, 1), 6: (1, 3)}


@lru_cache
def list_meeting_rows(pairs: int) -> list[dict[str, int]]:
    movement = build_named_movement("howell", pairs=pairs)
    return [build_meeting_json(movement, meeting) for meeting in movement.meetings]


def get_expected_comparison_range(pairs: int) -> tuple[int, int]:
    ideal_comparison_count = pairs // 2 - 1
    step = 0 if pairs % 4 == 0 else 1
    return EXCEPTIONAL_COMPARISON_RANGES.get(
        pairs, (ideal_comparison_count - step, ideal_comparison_count + step)
    )


def count_same_side_couples(rows: list[dict[str, int]]) -> Counter[tuple[int, int]]:
    sides: dict[tuple[int, str], list[int]] = defaultdict(list)
    for row in rows:
        sides[row["group"], "ns"].append(row["ns"])
        sides[row["group"], "ew"].append(row["ew"])
    return Counter(
        couple for side in sides.values() for couple in combinations(sorted(side), 2)
    )


@pytest.mark.parametrize("pairs", PAIR_COUNTS)
def test_every_pair_meets_every_other_and_plays_every_group_once(pairs: int) -> None:
    rows = list_meeting_rows(pairs)
    rounds = range(1, pairs)
    assert len(rows) == (pairs - 1) * pairs // 2
    assert Counter(tuple(sorted((row["ns"], row["ew"]))) for row in rows) == Counter(
        combinations(range(1, pairs + 1), 2)
    )
    plays = Counter((place, row["group"]) for row in rows for place in (row["ns"], row["ew"]))
    assert plays == Counter((p, g) for p in range(1, pairs + 1) for g in rounds)
    seats = Counter((place, row["round"]) for row in rows for place in (row["ns"], row["ew"]))
    assert seats == Counter((p, r) for p in range(1, pairs + 1) for r in rounds)


@pytest.mark.parametrize("pairs", PAIR_COUNTS)
def test_no_two_tables_share_boards_from_four_tables_up(pairs: int) -> None:
    rows = list_meeting_rows(pairs)
    table_counts = Counter((row["round"], row["group"]) for row in rows)
    times = sum(1 for table_count in table_counts.values() if table_count > 1)
    assert times == {4: 3, 6: 1}.get(pairs, 0)


@pytest.mark.parametrize("pairs", PAIR_COUNTS)
def test_comparisons_are_as_balanced_as_documented(pairs: int) -> None:
    same_side_counts = count_same_side_couples(list_meeting_rows(pairs))
    comparison_counts = [
        same_side_counts[couple] for couple in combinations(range(1, pairs + 1), 2)
    ]
    assert (min(comparison_counts), max(comparison_counts)) == get_expected_comparison_range(
        pairs
    )


def test_howell_exists_for_four_to_sixty_pairs() -> None:
    assert [pairs for pairs in range(4, 62, 2) if not fits_howell(pairs)] == []
    assert PAIR_COUNTS[-7:] == [64, 68, 72, 80, 84, 104, 108]


@pytest.mark.parametrize("pairs", [5, 7, 15, 27, 59])
def test_everyone_sits_out_once_with_odd_number_of_pairs(pairs: int) -> None:
    movement = build_named_movement("howell", pairs=pairs)
    assert movement.absent_places == {15 if pairs == 15 else pairs + 1}
    assert set(compute_balance(movement).sit_outs_by_place.values()) == {1}
    assert compute_balance(movement).met_pairing_count == pairs * (pairs - 1) // 2


@pytest.mark.parametrize("pairs", PAIR_COUNTS)
def test_highest_numbered_pair_stays_at_last_table(pairs: int) -> None:
    movement = build_named_movement("howell", pairs=pairs)
    sitting = movement.list_place_meetings(pairs)
    assert {meeting.table for meeting in sitting} == {movement.table_count}
    assert {meeting.north for meeting in sitting} == {pairs}
    assert pairs > 32 or compute_balance(movement).stationary_places == (pairs,)


@pytest.mark.parametrize("pairs", [8, 10, 14, 16, 22, 58])
def test_pair_moves_to_seat_of_next_lower_number(pairs: int) -> None:
    movement = build_named_movement("howell", pairs=pairs)
    for meeting in movement.meetings:
        if meeting.round == 1:
            continue
        previous_meetings_by_table = {
            meeting.table: meeting
            for meeting in movement.list_round_meetings(meeting.round - 1)
        }
        for seat in ("north", "east"):
            now, response = (
                getattr(meeting, seat),
                getattr(previous_meetings_by_table[meeting.table], seat),
            )
            assert now == response or now == response % (pairs - 1) + 1


@pytest.mark.parametrize("pairs", [40, 52, 56])
def test_two_pairs_stay_for_half_of_two_part_howell(pairs: int) -> None:
    movement = build_named_movement("howell", pairs=pairs)
    half_round_count = pairs // 2 - 1
    for first_round in (1, half_round_count + 1):
        rounds = range(first_round, first_round + half_round_count)
        played_meetings = [
            meeting
            for meeting in movement.list_place_meetings(pairs - 1)
            if meeting.round in rounds
        ]
        assert {item.table for item in played_meetings} == {half_round_count}
        assert len({item.north == pairs - 1 for item in played_meetings}) == 1


def test_four_pair_movement_meets_and_compares_all_pairs_once() -> None:
    movement = build_named_movement("four-pairs", pairs=4)
    balance = compute_balance(movement)
    assert (balance.met_pairing_count, balance.possible_pairing_count) == (6, 6)
    assert (balance.comparison_spread.minimum, balance.comparison_spread.maximum) == (1, 1)
    first = [(meeting.north, meeting.east) for meeting in movement.list_round_meetings(1)]
    assert first == [(2, 1), (4, 3)]  # b against a, d against c


@given(field_size=st.sampled_from([7, 11, 23, 25, 27, 343]), data=st.data())
@settings(max_examples=40)
def test_galois_field_multiplication_satisfies_field_axioms(
    field_size: int, data: st.DataObject
) -> None:
    field = FiniteField.build(field_size)
    a, b, c = (data.draw(st.integers(0, field_size - 1)) for _ in range(3))
    assert field.multiply(a, b) == field.multiply(b, a)
    assert field.multiply(field.multiply(a, b), c) == field.multiply(a, field.multiply(b, c))
    difference_of_products = field.subtract(field.multiply(a, b), field.multiply(a, c))
    assert field.multiply(a, field.subtract(b, c)) == difference_of_products
    assert field.multiply(a, b) != 0 or 0 in (a, b)


def test_minus_one_is_a_square_in_field_of_25() -> None:
    field = FiniteField.build(25)
    assert len(field.squares) == 12
    assert field.subtract(0, 1) in field.squares


@pytest.mark.parametrize("size", [7, 27])
def test_half_of_field_elements_are_squares_and_minus_one_is_not(size: int) -> None:
    field = FiniteField.build(size)
    assert len(field.squares) == (size - 1) // 2
    assert field.subtract(0, 1) not in field.squares


def hash_meetings(movement: Movement) -> int:
    return hash(movement.meetings)


def test_numbers_of_pairs_and_tables_build_same_howell() -> None:
    assert hash_meetings(build_named_movement("howell", pairs=28)) == hash_meetings(
        build_named_movement("howell", tables=14)
    )


ODD_PAIR_COUNTS = (13, 17, 25, 29, 37, 41, 49, 53)


@pytest.mark.parametrize("pairs", ODD_PAIR_COUNTS)
def test_odd_howell_is_perfectly_balanced(pairs: int) -> None:
    movement = build_named_movement("howell", pairs=pairs)
    rows = [(m.round, m.north, m.east, m.board_group) for m in movement.meetings]
    assert Counter(tuple(sorted(row[1:3])) for row in rows) == Counter(
        combinations(range(1, pairs + 1), 2)
    )
    plays = Counter((place, group) for _, ns, ew, group in rows for place in (ns, ew))
    seats = Counter((place, round_) for round_, ns, ew, _ in rows for place in (ns, ew))
    table_counts = Counter((round_, group) for round_, *_, group in rows)
    assert set(plays.values()) == set(seats.values()) == set(table_counts.values()) == {1}
    assert len(plays) == pairs * (pairs - 1)
    sides: dict[tuple[int, str], list[int]] = defaultdict(list)
    for _, ns, ew, group in rows:
        sides[group, "ns"].append(ns)
        sides[group, "ew"].append(ew)
    same_side_counts = Counter(
        c for side in sides.values() for c in combinations(sorted(side), 2)
    )
    assert {same_side_counts[couple] for couple in combinations(range(1, pairs + 1), 2)} == {
        (pairs - 3) // 2
    }
    assert movement.table_count == (pairs - 1) // 2
    assert movement.absent_places == frozenset()


def test_existing_odd_howell_is_rebuilt_with_its_empty_position() -> None:
    first = rebuild_movement("howell", pairs=13)
    assert (first.place_count, first.absent_places, first.edition) == (14, {14}, 1)
    assert build_named_movement("howell", pairs=14, absent=[14]).meetings == first.meetings
    assert rebuild_movement("howell", pairs=13, edition=2).absent_places == frozenset()


def test_pair_of_perfect_odd_howell_sits_out_in_round_of_its_number() -> None:
    movement = build_named_movement("howell", pairs=13)
    for number in range(1, 14):
        sitting = {
            place
            for meeting in movement.list_round_meetings(number)
            for place in meeting.places
        }
        assert set(range(1, 14)) - sitting == {number}
