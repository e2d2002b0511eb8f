"""Late pairs in rounds with sit-outs: the first option is that these two play each other."""

from collections import Counter
from collections.abc import Iterator

import pytest

from tournaments.movements import Contest, Movement, UnplayableMovement, build_named_movement
from tournaments.movements.changes import (
    Continuation,
    LateArrival,
    Withdrawal,
    list_continuations,
)
from tournaments.movements.systems.catalogue import SYSTEMS
from tournaments.movements.systems.system import MovementSystem, SizeUnit

MAX_SIZE = 8
WITHDRAWN_PLACE = 3


def list_sit_out_places(movement: Movement, round_number: int) -> set[int]:
    """Return the places that are present and have no opponents in a round."""
    seated_places = {
        p for e in movement.played_meetings if e.round == round_number for p in e.places
    }
    return set(movement.occupied_places) - movement.withdrawn_places - seated_places


def list_small_movements(system: MovementSystem) -> Iterator[Movement]:
    """Yield a system at its sizes up to eight, full and with one pair or team too few."""
    for size in filter(system.fits_size, range(2, MAX_SIZE + 1)):
        if system.extra_pair_count:
            yield build_named_movement(system.name, pairs=2 * size + system.extra_pair_count)
            continue
        yield build_named_movement(system.name, **{system.unit.value: size})
        pairs = 2 * size if system.unit is SizeUnit.TABLES else size
        if system.contest is Contest.PAIRS and pairs > 4:
            yield build_named_movement(system.name, pairs=pairs - 1)


def list_sit_out_movements() -> Iterator[Movement]:
    """Yield the pair movements with sit-outs or missing opponents after round 1."""
    for system in SYSTEMS:
        if system.contest is Contest.PAIRS:
            yield from (
                m
                for m in list_small_movements(system)
                if any(list_sit_out_places(m, 2)) and m.round_count > 1
            )


MOVEMENTS = list(list_sit_out_movements())


def test_tested_movements_include_half_tables_and_rovers() -> None:
    assert {"compass", "compass-rover", "howell"} <= {movement.name for movement in MOVEMENTS}


@pytest.mark.slow
@pytest.mark.parametrize("movement", MOVEMENTS, ids=lambda item: str(item.title))
def test_first_option_seats_late_pair_with_pair_sitting_out(
    movement: Movement,
) -> None:
    for played_round_count in {1, movement.round_count - 1}:
        first_continuation, *other_continuations = list_continuations(
            movement, played_round_count, LateArrival()
        )
        assert first_continuation.key in ("fill", "table")
        assert (
            first_continuation.consequences.sit_outs,
            first_continuation.consequences.new_groups,
        ) == ((), ())
        for number in range(played_round_count + 1, movement.round_count + 1):
            assert list_sit_out_places(
                first_continuation.movement, number
            ) < list_sit_out_places(movement, number) | {0}
        check_order([first_continuation, *other_continuations])
        check_newcomer(first_continuation, movement, played_round_count)


def check_newcomer(continuation: Continuation, movement: Movement, played: int) -> None:
    """Check that the late pair meets no one twice, and that every planned table stays."""
    (place,) = continuation.newcomer_places
    games = [e for e in continuation.movement.played_meetings if place in e.places]
    place_counts = Counter(
        other_place for game in games for other_place in game.places if other_place != place
    )
    planned_place_counts = Counter(
        o for e in movement.list_place_meetings(place) if e.round > played for o in e.places
    )
    assert max(place_counts.values()) <= max(
        1, *(planned_place_counts[o] for o in place_counts)
    )
    groups = [game.board_group for game in games]
    assert len(set(groups)) == len(groups)
    planned_meetings = {
        meeting for meeting in movement.played_meetings if meeting.round > played
    }
    assert planned_meetings <= set(continuation.movement.played_meetings)


def check_order(continuations: list[Continuation]) -> None:
    costs = [
        (bool(continuation.consequences.sit_outs), bool(continuation.consequences.new_groups))
        for continuation in continuations
    ]
    assert costs == sorted(costs)


@pytest.mark.slow
@pytest.mark.parametrize("tables", range(4, 11))
def test_no_pair_sits_out_after_late_pair_joins_rover_movement(tables: int) -> None:
    movement = build_named_movement("compass-rover", pairs=2 * tables + 1)
    first = list_continuations(movement, 1, LateArrival())[0]
    assert first.movement.labels[-1] == f"{tables + 1}EW"
    new_table_meetings = [
        meeting for meeting in first.movement.played_meetings if meeting.table == tables + 1
    ]
    assert [added_meeting.round for added_meeting in new_table_meetings] == list(
        range(2, movement.round_count + 1)
    )
    for new_meeting in new_table_meetings:
        sharing_meetings = [
            e
            for e in first.movement.list_round_meetings(new_meeting.round)
            if e.board_group == new_meeting.board_group
        ]
        assert len(sharing_meetings) == 2
        assert list_sit_out_places(first.movement, new_meeting.round) == set()


INDIVIDUAL_MOVEMENTS = [
    build_named_movement("whist-individual", players=number) for number in (5, 6, 9, 10)
]


@pytest.mark.parametrize("movement", INDIVIDUAL_MOVEMENTS, ids=lambda item: str(item.title))
def test_late_pair_replaces_others_in_turn_if_too_few_sit_out(movement: Movement) -> None:
    continuations = list_continuations(movement, 2, LateArrival())
    assert continuations[0].key == "turns"
    check_order(continuations)


@pytest.mark.slow
@pytest.mark.parametrize(
    "movement",
    [
        build_named_movement("compass", tables=5),
        build_named_movement("compass-relay", tables=6),
        build_named_movement("compass-rover", pairs=11),
        build_named_movement("howell", pairs=8),
        build_named_movement("howell", pairs=9),
        build_named_movement("whist-individual", players=12),
        build_named_movement("howell-teams", teams=5),
    ],
    ids=lambda item: str(item.title),
)
def test_withdrawn_pair_is_never_seated_by_later_changes(movement: Movement) -> None:
    for withdrawal_continuation in list_continuations(movement, 1, Withdrawal(WITHDRAWN_PLACE)):
        assert WITHDRAWN_PLACE in withdrawal_continuation.movement.withdrawn_places
        for change in (LateArrival(), Withdrawal(1)):
            for way in list_continuations(withdrawal_continuation.movement, 2, change):
                seated_places = {
                    p for e in way.movement.played_meetings if e.round > 2 for p in e.places
                }
                assert WITHDRAWN_PLACE not in seated_places
        with pytest.raises(UnplayableMovement, match="No one is sitting there"):
            list_continuations(withdrawal_continuation.movement, 2, Withdrawal(WITHDRAWN_PLACE))


@pytest.mark.parametrize(
    "movement",
    [
        build_named_movement("compass", tables=5),
        build_named_movement("howell", pairs=8),
        build_named_movement("whist-individual", players=12),
    ],
    ids=lambda item: str(item.title),
)
def test_late_pair_after_withdrawal_plays_pairs_left_without_opponents(
    movement: Movement,
) -> None:
    left = next(
        way
        for way in list_continuations(movement, 1, Withdrawal(WITHDRAWN_PLACE))
        if way.key == "empty"
    )
    first = list_continuations(left.movement, 2, LateArrival())[0]
    assert first.key == "table"
    assert all(
        list_sit_out_places(first.movement, number) == set()
        for number in (3, movement.round_count)
    )
