"""With a rover nobody meets or plays anything twice; each seat is lent at most once."""

from collections import Counter

import pytest

from tournaments.movements import build_named_movement, compute_balance
from tournaments.movements.systems.rover import find_rover_route

IRREGULAR_TABLE_COUNTS = (9, 15, 21, 27)


@pytest.mark.parametrize("tables", range(4, 31))
def test_rover_meets_new_opponents_on_new_boards_each_round(tables: int) -> None:
    movement = build_named_movement("compass-rover", tables=tables)
    rover_place = movement.find_place(f"{tables + 1}NS")
    rover_meetings = movement.list_place_meetings(rover_place)
    assert all(meeting.north == rover_place for meeting in rover_meetings)
    for name in ("table", "board_group", "east"):
        assert len({getattr(meeting, name) for meeting in rover_meetings}) == len(
            rover_meetings
        )
    assert compute_balance(movement).replay_count == 0
    assert max(Counter(tuple(sorted(m.places)) for m in movement.meetings).values()) == 1


@pytest.mark.parametrize("tables", range(4, 31))
def test_only_rover_ever_sits_out_twice(tables: int) -> None:
    movement = build_named_movement("compass-rover", pairs=2 * tables + 1)
    sit_outs_by_place = compute_balance(movement).sit_outs_by_place
    rover = movement.find_place(f"{tables + 1}NS")
    assert sit_outs_by_place[rover] == (2 if tables in IRREGULAR_TABLE_COUNTS else 1)
    assert max(times for place, times in sit_outs_by_place.items() if place != rover) == 1
    assert all(
        not times
        for place, times in sit_outs_by_place.items()
        if movement.get_field_name(place) == "EW"
    )


def test_rover_enters_at_table_two_and_moves_up_two_at_prime_table_counts() -> None:
    assert find_rover_route(7) == [0, 2, 4, 6, 1, 3, 5]
    assert find_rover_route(5) == [0, 2, 4, 1, 3]
