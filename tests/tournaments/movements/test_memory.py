from collections import Counter
from itertools import combinations

import pytest

from tournaments.movements import (
    Contest,
    UnplayableMovement,
    build_named_movement,
    compute_balance,
    format_announcement,
)
from tournaments.movements.systems.memory import (
    build_four_player_individual,
    build_memory_duplicate,
)


@pytest.mark.parametrize("rounds", [2, 4, 6, 12])
def test_each_pair_overplays_cards_held_by_the_other(rounds: int) -> None:
    movement = build_memory_duplicate(rounds=rounds)
    half_round_count = rounds // 2
    originals, overplays = (
        movement.meetings[:half_round_count],
        movement.meetings[half_round_count:],
    )
    assert [original.board_group for original in originals] == list(
        range(1, half_round_count + 1)
    )
    assert [overplay.board_group for overplay in overplays] == list(
        range(1, half_round_count + 1)
    )
    assert {(original.ns, original.ew) for original in originals} == {((1,), (2,))}
    assert {(overplay.ns, overplay.ew) for overplay in overplays} == {((2,), (1,))}


def test_memory_duplicate_allows_replays() -> None:
    movement = build_named_movement("memory", pairs=2)
    assert movement.allows_replays
    assert movement.contest is Contest.MEMORY
    assert movement.table_count == 1
    assert compute_balance(movement).replay_count == 2


@pytest.mark.parametrize("rounds", [0, 1, 3, -2])
def test_rounds_that_cannot_be_halved_are_refused(rounds: int) -> None:
    with pytest.raises(UnplayableMovement, match="Choose an even number of rounds"):
        build_memory_duplicate(rounds=rounds)


def test_four_players_play_original_and_overplay_with_each_partner() -> None:
    movement = build_four_player_individual()
    originals = Counter(
        (frozenset(side), meeting.board_group)
        for meeting in movement.meetings[:3]
        for side in (meeting.ns, meeting.ew)
    )
    overplays = Counter(
        (frozenset(side), meeting.board_group)
        for meeting in movement.meetings[3:]
        for side in (meeting.ns, meeting.ew)
    )
    assert originals == overplays
    assert {side for side, _ in originals} == {
        frozenset(couple) for couple in combinations(range(1, 5), 2)
    }


def test_nobody_holds_same_cards_in_overplay() -> None:
    hand_holder_counts = Counter(
        (meeting.board_group, seat, getattr(meeting, seat))
        for meeting in build_four_player_individual().meetings
        for seat in ("north", "east", "south", "west")
    )
    assert set(hand_holder_counts.values()) == {1}


def test_partners_take_cards_of_other_side_in_overplay() -> None:
    movement = build_four_player_individual()
    for meeting_before, meeting_after in zip(
        movement.meetings[:3], movement.meetings[3:], strict=True
    ):
        assert meeting_before.board_group == meeting_after.board_group
        assert set(meeting_before.ns) == set(meeting_after.ew)
        assert set(meeting_before.ew) == set(meeting_after.ns)
    assert movement.allows_replays
    assert [meeting.south for meeting in movement.meetings[:3]] == [4, 4, 4]


def test_announcement_says_when_boards_are_turned() -> None:
    assert "After three rounds turn the boards a quarter" in format_announcement(
        build_four_player_individual()
    )
