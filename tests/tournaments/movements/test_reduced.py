from collections import Counter, defaultdict
from itertools import combinations

import pytest

from tournaments.movements import (
    Movement,
    UnplayableMovement,
    build,
    compute_balance,
    rebuild_movement,
)
from tournaments.movements.systems.reduced_movement import (
    ALL_TABLE_AND_ROUND_COUNTS,
    build_reduced_howell,
    fits_reduced_howell,
    list_round_counts,
)

COMPARISONS = {
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


IRREGULAR = {(4, 4), (4, 6), (5, 8), (6, 6), (6, 7)}
"""The sizes that no cyclic schedule provides."""


def build_reduced(size: tuple[int, int]) -> Movement:
    return build_reduced_howell(2 * size[0], size[1])


def list_sides(movement: Movement) -> dict[int, dict[int, str]]:
    actual: dict[int, dict[int, str]] = defaultdict(dict)
    for meeting in movement.meetings:
        actual[meeting.north][meeting.board_group] = "NS"
        actual[meeting.east][meeting.board_group] = "EW"
    return actual


@pytest.mark.parametrize("size", ALL_TABLE_AND_ROUND_COUNTS)
def test_every_pair_plays_every_group_once_and_in_every_round(size: tuple[int, int]) -> None:
    tables, rounds = size
    movement = build_reduced(size)
    plays = Counter(
        (place, meeting.board_group)
        for meeting in movement.meetings
        for place in meeting.places
    )
    turns = Counter(
        (place, meeting.round) for meeting in movement.meetings for place in meeting.places
    )
    assert (movement.table_count, movement.round_count, movement.group_count) == (
        tables,
        rounds,
        rounds,
    )
    assert len(plays) == len(turns) == 2 * tables * rounds
    assert set(plays.values()) == set(turns.values()) == {1}


@pytest.mark.parametrize("size", ALL_TABLE_AND_ROUND_COUNTS)
def test_nobody_meets_twice_and_no_tables_share(size: tuple[int, int]) -> None:
    movement = build_reduced(size)
    place_counts = Counter(frozenset(meeting.places) for meeting in movement.meetings)
    lying = Counter((meeting.round, meeting.board_group) for meeting in movement.meetings)
    assert set(place_counts.values()) == {1}
    assert set(lying.values()) == {1}


@pytest.mark.parametrize("size", ALL_TABLE_AND_ROUND_COUNTS)
def test_arrow_switches_keep_comparisons_close_together(size: tuple[int, int]) -> None:
    sides = list_sides(build_reduced(size))
    counts = [
        sum(sides[a][group] == sides[b][group] for group in sides[a])
        for a, b in combinations(sorted(sides), 2)
    ]
    assert (min(counts), max(counts)) == COMPARISONS[size]


@pytest.mark.parametrize("size", [(5, 8), (6, 9), (10, 17)])
def test_balance_counts_same_comparisons(size: tuple[int, int]) -> None:
    figures = compute_balance(build_reduced(size)).comparison_spread
    assert (figures.minimum, figures.maximum) == COMPARISONS[size]


@pytest.mark.parametrize(
    "size", [size for size in ALL_TABLE_AND_ROUND_COUNTS if size not in IRREGULAR]
)
def test_highest_pairs_sit_at_last_tables(size: tuple[int, int]) -> None:
    tables, rounds = size
    movement = build_reduced(size)
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
    rounds_by_pairs = {
        pairs: build_reduced_howell(pairs).round_count for pairs in range(10, 22, 2)
    }
    assert rounds_by_pairs == {10: 7, 12: 8, 14: 10, 16: 11, 18: 13, 20: 14}


def test_first_edition_with_odd_number_omits_last_stationary_pair() -> None:
    movement = build("reduced-howell", pairs=13, rounds=9, edition=1)
    assert movement.absent_places == {14}
    outs = compute_balance(movement).sit_outs_by_place
    assert {place for place, times in outs.items() if times} == set(range(1, 10))
    assert max(outs.values()) == 1


def test_unsupported_number_of_rounds_is_refused_with_supported_ones() -> None:
    with pytest.raises(UnplayableMovement, match="6 tables has 6, 7, 8, 9 or 10 rounds, not 5"):
        build("reduced-howell", tables=6, rounds=5)
    with pytest.raises(UnplayableMovement, match="4 to 12 tables"):
        build("reduced-howell", pairs=6)
    assert not fits_reduced_howell(9)
    assert list_round_counts(6) == []


FIRST = {(8, 14): (5, 9), (9, 13): (4, 8), (10, 17): (6, 10), (7, 11): (3, 7), (5, 8): (2, 5)}
"""The minimum and maximum of the first edition."""


@pytest.mark.parametrize("size", FIRST)
def test_movement_played_in_first_edition_is_rebuilt(
    size: tuple[int, int],
) -> None:
    tables, rounds = size
    first = rebuild_movement("reduced-howell", tables=tables, rounds=rounds)
    sides = list_sides(first)
    counts = [
        sum(sides[a][group] == sides[b][group] for group in sides[a])
        for a, b in combinations(sorted(sides), 2)
    ]
    assert (min(counts), max(counts)) == FIRST[size]
    assert first.edition == 1
    newest = build("reduced-howell", tables=tables, rounds=rounds)
    assert (newest.meetings == first.meetings) == (newest.edition == 1)
    again = rebuild_movement(
        "reduced-howell", tables=tables, rounds=rounds, edition=newest.edition
    )
    assert again.meetings == newest.meetings


def test_size_missing_from_first_edition_is_refused_there() -> None:
    with pytest.raises(UnplayableMovement, match="has 8, 9 or 10 rounds, not 7"):
        rebuild_movement("reduced-howell", tables=6, rounds=7)
    with pytest.raises(UnplayableMovement, match="Choose 1–2"):
        build("reduced-howell", tables=6, rounds=8, edition=3)
