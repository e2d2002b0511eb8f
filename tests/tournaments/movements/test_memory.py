from collections import Counter
from itertools import combinations

import pytest

from tournaments.movements import (
    Contest,
    UnplayableMovement,
    build,
    compute_balance,
    format_announcement,
)
from tournaments.movements.systems.memory import build_four_individuals, build_memory


@pytest.mark.parametrize("rounds", [2, 4, 6, 12])
def test_each_pair_overplays_the_cards_that_the_other_held(rounds: int) -> None:
    movement = build_memory(rounds=rounds)
    half = rounds // 2
    originals, overplays = movement.meetings[:half], movement.meetings[half:]
    assert [each.board_group for each in originals] == list(range(1, half + 1))
    assert [each.board_group for each in overplays] == list(range(1, half + 1))
    assert {(each.ns, each.ew) for each in originals} == {((1,), (2,))}
    assert {(each.ns, each.ew) for each in overplays} == {((2,), (1,))}


def test_memory_duplicate_says_that_it_replays() -> None:
    movement = build("memory", pairs=2)
    assert movement.replays
    assert movement.contest is Contest.MEMORY
    assert movement.tables == 1
    assert compute_balance(movement).replays == 2


@pytest.mark.parametrize("rounds", [0, 1, 3, -2])
def test_rounds_that_cannot_be_halved_are_refused(rounds: int) -> None:
    with pytest.raises(UnplayableMovement, match="Choose an even number of rounds"):
        build_memory(rounds=rounds)


def test_four_players_partner_each_other_once_each_way() -> None:
    movement = build_four_individuals()
    originals = Counter(
        (frozenset(side), each.board_group)
        for each in movement.meetings[:3]
        for side in (each.ns, each.ew)
    )
    overplays = Counter(
        (frozenset(side), each.board_group)
        for each in movement.meetings[3:]
        for side in (each.ns, each.ew)
    )
    assert originals == overplays
    assert {side for side, _ in originals} == {
        frozenset(couple) for couple in combinations(range(1, 5), 2)
    }


def test_nobody_holds_the_same_cards_at_the_overplay() -> None:
    held = Counter(
        (each.board_group, seat, getattr(each, seat))
        for each in build_four_individuals().meetings
        for seat in ("north", "east", "south", "west")
    )
    assert set(held.values()) == {1}


def test_the_partners_take_the_other_sides_cards_at_the_overplay() -> None:
    movement = build_four_individuals()
    for before, after in zip(movement.meetings[:3], movement.meetings[3:], strict=True):
        assert before.board_group == after.board_group
        assert set(before.ns) == set(after.ew)
        assert set(before.ew) == set(after.ns)
    assert movement.replays
    assert [each.south for each in movement.meetings[:3]] == [4, 4, 4]


def test_the_director_says_when_the_boards_are_turned() -> None:
    assert "After three rounds turn the boards a quarter" in format_announcement(
        build_four_individuals()
    )
