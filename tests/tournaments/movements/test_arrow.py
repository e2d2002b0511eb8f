"""The arrow switch: one winner, and the choice of rounds is the best there is."""

from itertools import combinations

import pytest

from tournaments.movements import Movement, UnplayableMovement, balance, build
from tournaments.movements.arrow import best_switch, switched


def _unevenness(movement: Movement) -> int:
    """The variance of influence, straight from its definition and by no shared code."""
    groups: dict[int, list] = {}
    for meeting in movement.played:
        groups.setdefault(meeting.board_group, []).append(meeting)
    influence = []
    for one, other in combinations(movement.taken, 2):
        total = 0
        for meetings in groups.values():
            mine = next((m for m in meetings if one in m.places), None)
            theirs = next((m for m in meetings if other in m.places), None)
            if mine is None or theirs is None:
                continue
            if mine is theirs:
                total += len(meetings) - 1
            else:
                total += 1 if mine.side_of(one) == theirs.side_of(other) else -1
        influence.append(total)
    return len(influence) * sum(x * x for x in influence) - sum(influence) ** 2


@pytest.mark.parametrize(
    ("name", "tables"),
    [("compass", 3), ("compass", 5), ("compass-skip", 6), ("compass-relay", 4)],
)
def test_no_choice_of_rounds_is_more_even(name: str, tables: int) -> None:
    movement = build(name, tables=tables)
    chosen = _unevenness(build(name, tables=tables, one_winner=True))
    rounds = range(1, movement.rounds + 1)
    assert chosen == min(
        _unevenness(switched(movement, choice))
        for size in range(1, movement.rounds)
        for choice in combinations(rounds, size)
    )


@pytest.mark.parametrize("tables", range(3, 24, 2))
def test_about_a_seventh_of_the_rounds_are_switched(tables: int) -> None:
    rounds = best_switch(build("compass", tables=tables))
    assert abs(len(rounds) - tables * 0.146) <= 1


def test_many_rounds_are_exchanged_until_nothing_is_better() -> None:
    movement = build("compass", tables=35)
    rounds = best_switch(movement)
    assert len(rounds) == 5
    assert len(set(rounds)) == 5


def test_only_the_named_rounds_change_and_everybody_keeps_opponents_and_boards() -> None:
    plain = build("compass", tables=7)
    turned = build("compass", tables=7, switch=[2, 6])
    for before, after in zip(plain.meetings, turned.meetings, strict=True):
        assert set(before.places) == set(after.places)
        assert (before.table, before.board_group) == (after.table, after.board_group)
        assert (before != after) == (before.round in (2, 6))
    assert (
        turned.title
        == "Mitchell (compass), 7 tables, one winner (sides changed in rounds 2, 6)"
    )
    assert balance(turned).comparisons.most < balance(plain).comparisons.most


def test_a_round_that_is_not_there_cannot_be_switched() -> None:
    with pytest.raises(UnplayableMovement, match="Round 8 cannot be switched"):
        build("compass", tables=7, switch=[8])


def test_one_winner_needs_nothing_where_there_is_one_already() -> None:
    assert build("howell", pairs=8, one_winner=True) == build("howell", pairs=8)
    with pytest.raises(UnplayableMovement, match="has one winner as it is"):
        build("howell", pairs=8, switch=[1])


def test_half_tables_and_fewer_rounds_are_switched_as_they_are_played() -> None:
    movement = build("compass", pairs=13, rounds=5, one_winner=True)
    assert movement.winners == 1
    assert movement.rounds == 5
    assert balance(movement).sit_outs.most == 1


def test_of_many_choices_those_with_the_last_round_are_tried() -> None:
    assert 29 in best_switch(build("compass", tables=29))


def test_switching_nothing_changes_nothing() -> None:
    movement = build("compass", tables=5)
    assert switched(movement, []) is movement
