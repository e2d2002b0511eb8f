"""The room plan: every table is in the picture, and none overlaps another."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from scoring.drawing.room_plan import NAME_LINE_SPACING, TABLE_HEIGHT_LINES, draw_room_plan


@given(st.integers(1, 120), st.integers(1, 6), st.integers(1, 3))
def test_every_table_has_its_own_position(tables: int, columns: int, lines: int) -> None:
    room_plan = draw_room_plan(tables, columns, lines)
    more = (lines - 1) * NAME_LINE_SPACING
    assert len(room_plan.table_positions) == tables
    boxes = [
        (
            float(spot.left),
            float(spot.left) + float(spot.width),
            float(spot.names_above_y),
            float(spot.names_below_y) + more,
        )
        for spot in room_plan.table_positions
    ]
    for left, right, above, below in boxes:
        assert 0 <= left < right <= 100
        assert 0 < above < below <= float(room_plan.height)
    for one, other in itertools.combinations(boxes, 2):
        is_beside = one[1] <= other[0] or other[1] <= one[0]
        is_below = one[3] < other[2] or other[3] < one[2]
        assert is_beside or is_below


@given(st.integers(1, 120), st.integers(1, 6))
def test_table_labels_are_on_the_table_and_names_beside_it(tables: int, columns: int) -> None:
    for spot in draw_room_plan(tables, columns).table_positions:
        lines = [
            float(item)
            for item in (spot.names_above_y, spot.top, spot.north, spot.centre, spot.south)
        ]
        assert lines == sorted(lines)
        assert (
            float(spot.south) < float(spot.top) + TABLE_HEIGHT_LINES < float(spot.names_below_y)
        )
        across = [float(item) for item in (spot.left, spot.west, spot.middle, spot.east)]
        assert across == sorted(across)
        assert across[-1] < float(spot.left) + float(spot.width)
