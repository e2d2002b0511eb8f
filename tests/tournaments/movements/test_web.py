"""Check web and barometer movements for every number of tables and rounds."""

from collections import Counter, defaultdict
from itertools import combinations, pairwise

import pytest

from tournaments.movements import (
    UnplayableMovement,
    build_named_movement,
    compute_balance,
    format_announcement,
)
from tournaments.movements.copies import assign_board_stacks
from tournaments.movements.systems.barometer import fits_barometer
from tournaments.movements.systems.web import count_board_copies, list_round_counts

COPY_COUNTS = {
    **{(tables, 13): 2 for tables in range(14, 27, 2)},
    **{(tables, 13): 3 for tables in range(15, 40, 2)},
    **{(tables, 13): 4 for tables in range(28, 41, 2)},
    **{(tables, 9): 2 for tables in range(10, 19, 2)},
    **{(tables, 9): 3 for tables in range(11, 28, 2)},
}


@pytest.mark.parametrize("rounds", [7, 9, 11, 13])
def test_everyone_plays_each_set_against_different_opponents_in_every_web(rounds: int) -> None:
    for tables in range(rounds + 1, 41):
        if rounds not in list_round_counts(tables):
            assert count_board_copies(tables, rounds) > 4
            continue
        rows = build_named_movement("web", tables=tables, rounds=rounds).meetings
        meeting_counts = Counter((m.north, m.east) for m in rows)
        plays = Counter((place, m.board_group) for m in rows for place in m.places)
        assert set(meeting_counts.values()) == set(plays.values()) == {1}
        assert len(plays) == 2 * tables * rounds
        assert len(meeting_counts) == tables * rounds


@pytest.mark.parametrize("rounds", [9, 13])
def test_board_copy_moves_down_one_table_and_is_never_at_two_tables(rounds: int) -> None:
    for tables in range(rounds + 1, 41, 3):
        if rounds not in list_round_counts(tables):
            continue
        web_movement = build_named_movement("web", tables=tables, rounds=rounds)
        board_positions = [(m.round, m.table, m.board_group) for m in web_movement.meetings]
        positions_by_stack: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for board_position, stack in assign_board_stacks(
            board_positions, web_movement.copy_count, web_movement.blocks
        ).items():
            positions_by_stack[stack].append(board_position)
        assert max(copy for _group, copy in positions_by_stack) == web_movement.copy_count
        for path in positions_by_stack.values():
            path.sort()
            assert len({round_number for round_number, _ in path}) == len(path)
            for (earlier_round, table), (later_round, later_table) in pairwise(path):
                assert later_round - earlier_round > 1 or later_table in (
                    table - 1,
                    table + rounds - 1,
                )


def test_web_needs_fewest_copies_allowed_by_rule() -> None:
    assert {size: count_board_copies(*size) for size in COPY_COUNTS} == COPY_COUNTS


@pytest.mark.parametrize(
    ("build_options", "error_message"),
    [
        ({"tables": 14, "rounds": 12}, "an odd number of rounds: 11 or 13"),
        ({"tables": 14, "rounds": 2}, "an odd number of rounds: 5"),
        ({"tables": 6, "rounds": 12}, "an odd number of rounds: 5"),
        ({"tables": 13, "rounds": 13}, "use a Mitchell"),
        ({"tables": 15, "rounds": 13, "copies": 2}, "needs three copies of each board, not 2"),
        ({"tables": 30, "rounds": 5}, "has 9, 11 or 13 rounds, not 5"),
        ({"tables": 5}, "It needs 6 to 52 tables"),
    ],
)
def test_invalid_web_is_refused_with_suggestion(
    build_options: dict, error_message: str
) -> None:
    with pytest.raises(UnplayableMovement, match=error_message):
        build_named_movement("web", **build_options)


def test_pair_opposite_missing_pair_sits_out() -> None:
    web = build_named_movement("web", pairs=39, rounds=13)
    sit_outs_by_place = compute_balance(web).sit_outs_by_place
    assert web.absent_places == {40}
    assert sorted(sit_outs_by_place.values())[-13:] == [1] * 13
    assert sum(sit_outs_by_place.values()) == 13


@pytest.mark.parametrize("pairs", [8, 12, 20, 24, 28, 32, 44])
def test_barometer_is_balanced_and_has_one_set_per_round(pairs: int) -> None:
    rows = build_named_movement("barometer", pairs=pairs).meetings
    assert Counter(tuple(sorted(m.places)) for m in rows) == Counter(
        combinations(range(1, pairs + 1), 2)
    )
    assert {(m.round, m.board_group) for m in rows} == {(n, n) for n in range(1, pairs)}
    same_side_counts: Counter[tuple[int, int]] = Counter()
    for number in range(1, pairs):
        here = [m for m in rows if m.round == number]
        for side in ([m.north for m in here], [m.east for m in here]):
            same_side_counts.update(combinations(sorted(side), 2))
    assert {same_side_counts[c] for c in combinations(range(1, pairs + 1), 2)} == {
        pairs // 2 - 1
    }
    assert all(m.east == pairs for m in rows if pairs in m.places)


def test_barometer_announces_same_boards_for_everyone() -> None:
    announcement = format_announcement(build_named_movement("barometer", pairs=20, rounds=9))
    assert "All tables play the same boards in a round" in announcement
    assert [pairs for pairs in range(4, 50) if fits_barometer(pairs)] == [
        *(8, 12, 20, 24, 28, 32, 44, 48),
    ]
    with pytest.raises(UnplayableMovement, match="Or play howell"):
        build_named_movement("barometer", pairs=16)
