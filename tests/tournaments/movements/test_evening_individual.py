"""Check the evening individuals by counting their written-out rows."""

from collections import Counter, defaultdict
from functools import cache
from itertools import combinations, product

import pytest

from tournaments.movements import (
    Movement,
    UnplayableMovement,
    build_named_movement,
    format_announcement,
)
from tournaments.movements.copies import assign_board_stacks
from tournaments.movements.systems.evening_designs import EVENING_INDIVIDUAL_DESIGNS

COMPARISON_SPREADS = {
    **{(16, 12): (3, 7), (20, 10): (2, 6), (24, 12): (3, 8), (28, 12): (3, 8)},
    **{(32, 12): (2, 8), (36, 12): (2, 8), (40, 12): (2, 9), (44, 12): (3, 9)},
    **{(48, 12): (2, 9), (52, 12): (2, 9), (52, 13): (3, 10), (56, 12): (2, 9)},
    **{(60, 12): (2, 9), (64, 12): (2, 9), (68, 12): (2, 9), (72, 12): (2, 10)},
    **{(76, 12): (2, 10), (80, 12): (2, 10), (84, 12): (2, 10), (88, 12): (2, 10)},
    **{(92, 12): (2, 10), (96, 12): (2, 10), (100, 12): (2, 10)},
    **{
        (17, 13): (2, 7),
        (18, 9): (1, 4),
        (19, 9): (1, 4),
        (23, 11): (1, 5),
        (21, 10): (2, 6),
        (22, 11): (1, 6),
    },
    **{(25, 12): (3, 7), (26, 12): (2, 7), (27, 12): (1, 7), (29, 12): (2, 8)},
    **{(30, 12): (2, 8), (31, 12): (1, 8), (33, 11): (1, 8), (34, 11): (1, 7)},
    **{(35, 11): (1, 7), (37, 12): (2, 9), (38, 12): (2, 8), (39, 12): (1, 8)},
    **{(41, 12): (2, 9), (42, 12): (2, 9), (43, 12): (1, 8), (45, 12): (2, 9)},
    **{(46, 12): (2, 9), (47, 12): (2, 8), (49, 12): (1, 10), (50, 12): (2, 9)},
    **{(51, 12): (2, 9), (53, 13): (2, 10), (54, 13): (2, 10), (55, 13): (1, 9)},
    **{(57, 12): (2, 9), (58, 12): (2, 9), (59, 12): (1, 9), (61, 12): (2, 9)},
}
"""The minimum and maximum number of sets on which two players sit the same way."""


@cache
def build_evening_individual(size: tuple[int, int]) -> Movement:
    return build_named_movement("evening-individual", players=size[0], rounds=size[1])


@pytest.mark.parametrize("size", EVENING_INDIVIDUAL_DESIGNS)
def test_everyone_plays_every_board_set_except_in_sit_out_round(size: tuple[int, int]) -> None:
    players, rounds = size
    rows = build_evening_individual(size).meetings
    plays = Counter((place, m.board_group) for m in rows for place in m.places)
    round_play_counts = Counter((place, m.round) for m in rows for place in m.places)
    assert set(plays.values()) == set(round_play_counts.values()) == {1}
    assert len(plays) == len(round_play_counts) == (players - players % 4) * rounds
    played_round_counts = Counter(place for place, _round in round_play_counts)
    max_sit_outs = (
        2 if players % 4 > players // rounds else 1
    )  # more sit out than blocks follow on
    assert {rounds - times for times in played_round_counts.values()} <= {
        *range(max_sit_outs + 1)
    }
    assert len(played_round_counts) == players


@pytest.mark.parametrize("size", EVENING_INDIVIDUAL_DESIGNS)
def test_nobody_partners_twice_or_opposes_more_than_twice(size: tuple[int, int]) -> None:
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    sides: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for m in build_evening_individual(size).meetings:
        partners.update([frozenset((m.north, m.south)), frozenset((m.east, m.west))])
        opponents.update(map(frozenset, product((m.north, m.south), (m.east, m.west))))
        sides[m.board_group, True] += [m.north, m.south]
        sides[m.board_group, False] += [m.east, m.west]
    assert max(partners.values()) == 1
    assert max(opponents.values()) <= 2
    same_side_counts = Counter(
        frozenset(c) for side in sides.values() for c in combinations(side, 2)
    )
    comparison_counts = [
        same_side_counts[frozenset(c)] - partners[frozenset(c)]
        for c in combinations(range(1, size[0] + 1), 2)
    ]
    assert (min(comparison_counts), max(comparison_counts)) == COMPARISON_SPREADS[size]


@pytest.mark.parametrize("size", EVENING_INDIVIDUAL_DESIGNS)
def test_no_board_copy_is_used_at_two_tables_in_a_round(size: tuple[int, int]) -> None:
    movement = build_evening_individual(size)
    board_positions = [(m.round, m.table, m.board_group) for m in movement.meetings]
    stack_table_counts = Counter(
        (board_position[0], stack)
        for board_position, stack in assign_board_stacks(
            board_positions, movement.copy_count
        ).items()
    )
    assert set(stack_table_counts.values()) == {1}
    assert movement.copy_count == EVENING_INDIVIDUAL_DESIGNS[size][0]


def test_evening_individual_prefers_twelve_rounds_and_one_copy() -> None:
    assert build_named_movement("evening-individual", players=40).round_count == 12
    assert (
        build_evening_individual((52, 13)).copy_count,
        build_named_movement("evening-individual", players=52).round_count,
    ) == (1, 13)
    assert build_named_movement("evening-individual", players=24, rounds=9).round_count == 9
    announcement = format_announcement(build_named_movement("evening-individual", players=56))
    assert "two copies of each board" in announcement


def test_unsupported_evening_size_is_refused_with_supported_sizes() -> None:
    with pytest.raises(UnplayableMovement, match="at most 12 rounds, not 13"):
        build_named_movement("evening-individual", players=24, rounds=13)
    with pytest.raises(UnplayableMovement, match="Or play whist-individual"):
        build_named_movement("evening-individual", players=15)
