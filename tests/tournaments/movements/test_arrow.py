"""Arrow switches give one winner, with the best possible choice of rounds."""

from itertools import combinations

import pytest

from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Movement,
    UnplayableMovement,
    build_named_movement,
    compute_balance,
)
from tournaments.movements.arrow import find_best_switched_rounds, switch_arrows
from tournaments.movements.influence import PairInfluence
from tournaments.movements.systems.switches import SWITCH_ROUNDS_BY_MOVEMENT


def compute_variance(movement: Movement) -> int:
    """Return the variance of influence, from its definition and without shared code."""
    groups: dict[int, list] = {}
    for meeting in movement.played_meetings:
        groups.setdefault(meeting.board_group, []).append(meeting)
    influence_by_pair = dict.fromkeys(combinations(sorted(movement.occupied_places), 2), 0)
    for meetings in groups.values():
        seats = sorted(
            (place, index) for index, meeting in enumerate(meetings) for place in meeting.places
        )
        sides = {
            place: meetings[meeting_index].find_side(place) for place, meeting_index in seats
        }
        for (first_place, first_index), (second_place, second_index) in combinations(seats, 2):
            if first_index == second_index:
                influence_by_pair[first_place, second_place] += len(meetings) - 1
            else:
                influence_by_pair[first_place, second_place] += (
                    1 if sides[first_place] == sides[second_place] else -1
                )
    influences = influence_by_pair.values()
    return len(influences) * sum(x * x for x in influences) - sum(influences) ** 2


@pytest.mark.parametrize(
    ("name", "tables"),
    [("compass", 3), ("compass", 5), ("compass-skip", 6), ("compass-relay", 4)],
)
def test_chosen_switch_rounds_have_smallest_variance(name: str, tables: int) -> None:
    movement = build_named_movement(name, tables=tables)
    variance = compute_variance(build_named_movement(name, tables=tables, one_winner=True))
    rounds = range(1, movement.round_count + 1)
    assert variance == min(
        compute_variance(switch_arrows(movement, choice))
        for size in range(1, movement.round_count)
        for choice in combinations(rounds, size)
    )


@pytest.mark.parametrize(
    "movement",
    [
        build_named_movement("compass", tables=7),
        build_named_movement("compass", pairs=13, rounds=5),
        build_named_movement("compass-relay", pairs=11),
        build_named_movement("compass-skip", tables=8),
        build_named_movement("compass-rover", tables=7),
        build_named_movement("web", tables=8, rounds=7),
        build_named_movement("howell", pairs=9),
    ],
    ids=lambda movement: movement.title,
)
def test_incremental_unevenness_equals_recomputed_variance(movement: Movement) -> None:
    influence = PairInfluence(movement)
    for switched_rounds in ((), (1,), (2, 5), (1, 3, 4), (5,), (1, 2, 3, 4, 5)):
        assert influence.compute_unevenness(switched_rounds) == compute_variance(
            switch_arrows(movement, switched_rounds)
        )


STORED_SYSTEM_NAMES = {name for name, _tables, _rounds in SWITCH_ROUNDS_BY_MOVEMENT}


def test_arrow_switches_of_every_long_movement_are_stored() -> None:
    sizes = {(name, tables) for name in STORED_SYSTEM_NAMES for tables in range(14, 61)}
    fitting_sizes = {
        (name, tables) for name, tables in sizes if SYSTEMS_BY_NAME[name].fits_size(tables)
    }
    assert {
        (name, tables) for name, tables, _rounds in SWITCH_ROUNDS_BY_MOVEMENT
    } == fitting_sizes
    assert {"compass", "compass-skip", "compass-relay", "compass-rover"} == STORED_SYSTEM_NAMES


@pytest.mark.slow
@pytest.mark.parametrize("tables", [14, 15, 18, 23, 28])
@pytest.mark.parametrize("name", sorted(STORED_SYSTEM_NAMES))
@pytest.mark.parametrize("missing_pair_count", [0, 1])
def test_stored_switches_equal_search_result(
    name: str, tables: int, missing_pair_count: int
) -> None:
    system = SYSTEMS_BY_NAME[name]
    if not system.fits_size(tables) or (missing_pair_count and system.extra_pair_count):
        tables, missing_pair_count = tables + 1, 0
    pairs = 2 * tables + system.extra_pair_count - missing_pair_count
    plain_movement, switched_movement = (
        build_named_movement(name, pairs=pairs),
        build_named_movement(name, pairs=pairs, one_winner=True),
    )
    assert switched_movement == switch_arrows(
        plain_movement, find_best_switched_rounds(plain_movement)
    )
    assert (name, tables, plain_movement.round_count) in SWITCH_ROUNDS_BY_MOVEMENT


@pytest.mark.parametrize(("name", "pairs"), [("compass", 29), ("compass-skip", 28)])
def test_exchange_of_one_round_never_improves_stored_switches(name: str, pairs: int) -> None:
    plain, turned = (
        build_named_movement(name, pairs=pairs),
        build_named_movement(name, pairs=pairs, one_winner=True),
    )
    rounds = {e.round for e, f in zip(plain.meetings, turned.meetings, strict=True) if e != f}
    best_variance = compute_variance(turned)
    for old in rounds:
        for new in set(range(1, plain.round_count + 1)) - rounds:
            assert (
                compute_variance(switch_arrows(plain, rounds - {old} | {new})) >= best_variance
            )


def test_switch_is_searched_for_unusual_empty_position() -> None:
    plain = build_named_movement("compass", tables=15, absent=["3NS"])
    assert build_named_movement(
        "compass", tables=15, absent=["3NS"], one_winner=True
    ) == switch_arrows(plain, find_best_switched_rounds(plain))


@pytest.mark.parametrize("tables", range(3, 24, 2))
def test_about_one_seventh_of_rounds_are_switched(tables: int) -> None:
    rounds = find_best_switched_rounds(build_named_movement("compass", tables=tables))
    assert abs(len(rounds) - tables * 0.146) <= 1


def test_switch_search_for_many_tables_finds_five_distinct_rounds() -> None:
    movement = build_named_movement("compass", tables=35)
    rounds = find_best_switched_rounds(movement)
    assert len(rounds) == 5
    assert len(set(rounds)) == 5


def test_switch_changes_only_named_rounds_and_keeps_opponents_and_boards() -> None:
    plain = build_named_movement("compass", tables=7)
    turned = build_named_movement("compass", tables=7, switch=[2, 6])
    for meeting_before, meeting_after in zip(plain.meetings, turned.meetings, strict=True):
        assert set(meeting_before.places) == set(meeting_after.places)
        assert (meeting_before.table, meeting_before.board_group) == (
            meeting_after.table,
            meeting_after.board_group,
        )
        assert (meeting_before != meeting_after) == (meeting_before.round in (2, 6))
    assert turned.title == "Mitchell, 7 tables, one winner (arrow switch in rounds 2, 6)"
    assert (
        compute_balance(turned).comparison_spread.maximum
        < compute_balance(plain).comparison_spread.maximum
    )


def test_missing_round_cannot_be_switched() -> None:
    with pytest.raises(UnplayableMovement, match="Round 8 can’t be switched"):
        build_named_movement("compass", tables=7, switch=[8])


def test_single_winner_movement_needs_no_switch() -> None:
    assert build_named_movement("howell", pairs=8, one_winner=True) == build_named_movement(
        "howell", pairs=8
    )
    with pytest.raises(UnplayableMovement, match="already has one winner"):
        build_named_movement("howell", pairs=8, switch=[1])


def test_short_half_table_movement_can_have_one_winner() -> None:
    movement = build_named_movement("compass", pairs=13, rounds=5, one_winner=True)
    assert movement.winner_count == 1
    assert movement.round_count == 5
    assert compute_balance(movement).sit_out_spread.maximum == 1


def test_arrow_switch_search_includes_last_round() -> None:
    assert 29 in find_best_switched_rounds(build_named_movement("compass", tables=29))


def test_switching_no_rounds_changes_nothing() -> None:
    movement = build_named_movement("compass", tables=5)
    assert switch_arrows(movement, []) is movement
