from collections import Counter, defaultdict
from itertools import combinations

import pytest

from tournaments.movements import (
    Movement,
    UnplayableMovement,
    build_named_movement,
    compute_balance,
    rebuild_movement,
)
from tournaments.movements.systems.reduced_movement import (
    ALL_TABLE_AND_ROUND_COUNTS,
    build_reduced_howell,
    fits_reduced_howell,
    list_round_counts,
)

COMPARISON_SPREADS = {
    **{(4, 4): (0, 2), (4, 6): (2, 3), (5, 5): (1, 4), (5, 6): (2, 4), (5, 7): (2, 5)},
    **{(5, 8): (2, 5), (6, 6): (2, 4), (6, 7): (2, 5), (6, 8): (2, 5), (6, 9): (3, 5)},
    **{(6, 10): (4, 5), (7, 7): (2, 5), (7, 8): (2, 6), (7, 9): (2, 6), (7, 10): (3, 6)},
    **{(7, 11): (4, 7), (7, 12): (4, 7), (8, 10): (4, 6), (8, 11): (4, 7), (8, 12): (4, 7)},
    **{(8, 13): (5, 7), (8, 14): (6, 7), (9, 9): (2, 6), (9, 10): (3, 7), (9, 11): (3, 7)},
    **{(9, 12): (4, 8), (9, 13): (4, 8), (9, 14): (5, 9), (9, 15): (5, 9), (9, 16): (5, 9)},
    **{(10, 12): (4, 8), (10, 13): (4, 8), (10, 14): (5, 9), (10, 15): (5, 9)},
    **{(10, 16): (6, 10), (10, 17): (6, 10), (10, 18): (7, 11), (11, 11): (3, 7)},
    **{(11, 12): (4, 8), (11, 13): (4, 8), (11, 14): (4, 9), (11, 15): (5, 9)},
    **{(11, 16): (5, 10), (11, 17): (5, 10), (11, 18): (6, 11), (11, 19): (7, 11)},
    **{(11, 20): (7, 12), (12, 14): (4, 9), (12, 15): (5, 10), (12, 16): (5, 10)},
    **{(12, 17): (6, 11), (12, 18): (6, 11), (12, 19): (7, 12), (12, 20): (7, 12)},
    **{(12, 21): (7, 12), (12, 22): (8, 13)},
}
"""The minimum and maximum number of board groups on which two pairs sit the same way."""


IRREGULAR_SIZES = {(4, 4), (4, 6), (5, 8), (6, 6), (6, 7)}
"""The sizes that no cyclic schedule provides."""


def build_reduced_movement(tables_and_rounds: tuple[int, int]) -> Movement:
    return build_reduced_howell(2 * tables_and_rounds[0], tables_and_rounds[1])


def list_sides(movement: Movement) -> dict[int, dict[int, str]]:
    actual: dict[int, dict[int, str]] = defaultdict(dict)
    for meeting in movement.meetings:
        actual[meeting.north][meeting.board_group] = "NS"
        actual[meeting.east][meeting.board_group] = "EW"
    return actual


@pytest.mark.parametrize("size", ALL_TABLE_AND_ROUND_COUNTS)
def test_every_pair_plays_every_group_once_and_in_every_round(size: tuple[int, int]) -> None:
    tables, rounds = size
    movement = build_reduced_movement(size)
    plays = Counter(
        (place, meeting.board_group)
        for meeting in movement.meetings
        for place in meeting.places
    )
    round_play_counts = Counter(
        (place, meeting.round) for meeting in movement.meetings for place in meeting.places
    )
    assert (movement.table_count, movement.round_count, movement.group_count) == (
        tables,
        rounds,
        rounds,
    )
    assert len(plays) == len(round_play_counts) == 2 * tables * rounds
    assert set(plays.values()) == set(round_play_counts.values()) == {1}


@pytest.mark.parametrize("size", ALL_TABLE_AND_ROUND_COUNTS)
def test_no_pairs_meet_twice_and_no_tables_share_boards(size: tuple[int, int]) -> None:
    movement = build_reduced_movement(size)
    place_counts = Counter(frozenset(meeting.places) for meeting in movement.meetings)
    table_counts = Counter(
        (meeting.round, meeting.board_group) for meeting in movement.meetings
    )
    assert set(place_counts.values()) == {1}
    assert set(table_counts.values()) == {1}


@pytest.mark.parametrize("size", ALL_TABLE_AND_ROUND_COUNTS)
def test_arrow_switches_keep_comparisons_in_expected_range(size: tuple[int, int]) -> None:
    sides = list_sides(build_reduced_movement(size))
    comparison_counts = [
        sum(sides[a][group] == sides[b][group] for group in sides[a])
        for a, b in combinations(sorted(sides), 2)
    ]
    assert (min(comparison_counts), max(comparison_counts)) == COMPARISON_SPREADS[size]


@pytest.mark.parametrize("size", [(5, 8), (6, 9), (10, 17)])
def test_computed_comparison_spread_matches_expected_range(size: tuple[int, int]) -> None:
    comparison_spread = compute_balance(build_reduced_movement(size)).comparison_spread
    assert (comparison_spread.minimum, comparison_spread.maximum) == COMPARISON_SPREADS[size]


@pytest.mark.parametrize(
    "size", [size for size in ALL_TABLE_AND_ROUND_COUNTS if size not in IRREGULAR_SIZES]
)
def test_highest_pairs_sit_at_last_tables(size: tuple[int, int]) -> None:
    tables, rounds = size
    movement = build_reduced_movement(size)
    sitting = compute_balance(movement).stationary_places
    assert sitting == tuple(range(rounds + 1, 2 * tables + 1))
    for place in range(1, rounds + 1):
        tables_after = [
            meeting.table for meeting in movement.list_place_meetings(place % rounds + 1)
        ]
        tables_before = [meeting.table for meeting in movement.list_place_meetings(place)]
        assert (
            tables_after == tables_before[-1:] + tables_before[:-1]
        )  # one round behind the next lower number


def test_reduced_howell_plays_three_quarters_of_full_howell_by_default() -> None:
    round_counts_by_pairs = {
        pairs: build_reduced_howell(pairs).round_count for pairs in range(10, 22, 2)
    }
    assert round_counts_by_pairs == {10: 7, 12: 8, 14: 10, 16: 11, 18: 13, 20: 14}


def test_first_edition_with_odd_number_omits_last_stationary_pair() -> None:
    movement = build_named_movement("reduced-howell", pairs=13, rounds=9, edition=1)
    assert movement.absent_places == {14}
    sit_outs_by_place = compute_balance(movement).sit_outs_by_place
    assert {place for place, times in sit_outs_by_place.items() if times} == set(range(1, 10))
    assert max(sit_outs_by_place.values()) == 1


def test_unsupported_number_of_rounds_is_refused_with_supported_ones() -> None:
    with pytest.raises(UnplayableMovement, match="6 tables has 6, 7, 8, 9 or 10 rounds, not 5"):
        build_named_movement("reduced-howell", tables=6, rounds=5)
    with pytest.raises(UnplayableMovement, match="4 to 12 tables"):
        build_named_movement("reduced-howell", pairs=6)
    assert not fits_reduced_howell(9)
    assert list_round_counts(6) == []


FIRST_EDITION_SPREADS = {
    (8, 14): (5, 9),
    (9, 13): (4, 8),
    (10, 17): (6, 10),
    (7, 11): (3, 7),
    (5, 8): (2, 5),
}
"""The minimum and maximum of the first edition."""


@pytest.mark.parametrize("size", FIRST_EDITION_SPREADS)
def test_movement_played_in_first_edition_is_rebuilt(
    size: tuple[int, int],
) -> None:
    tables, rounds = size
    first_edition = rebuild_movement("reduced-howell", tables=tables, rounds=rounds)
    sides = list_sides(first_edition)
    counts = [
        sum(sides[a][group] == sides[b][group] for group in sides[a])
        for a, b in combinations(sorted(sides), 2)
    ]
    assert (min(counts), max(counts)) == FIRST_EDITION_SPREADS[size]
    assert first_edition.edition == 1
    newest_edition = build_named_movement("reduced-howell", tables=tables, rounds=rounds)
    assert (newest_edition.meetings == first_edition.meetings) == (newest_edition.edition == 1)
    rebuilt_movement = rebuild_movement(
        "reduced-howell", tables=tables, rounds=rounds, edition=newest_edition.edition
    )
    assert rebuilt_movement.meetings == newest_edition.meetings


def test_missing_size_or_edition_is_refused_with_message() -> None:
    with pytest.raises(UnplayableMovement, match="has 8, 9 or 10 rounds, not 7"):
        rebuild_movement("reduced-howell", tables=6, rounds=7)
    with pytest.raises(UnplayableMovement, match="Choose 1–2"):
        build_named_movement("reduced-howell", tables=6, rounds=8, edition=3)
