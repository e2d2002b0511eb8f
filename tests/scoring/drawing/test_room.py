"""The room plan: every table is in the picture, and none overlaps another."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from scoring.drawing.room_plan import NAME_LINE_SPACING, TABLE_HEIGHT_LINES, draw_room_plan


@given(st.integers(1, 120), st.integers(1, 6), st.integers(1, 3))
def test_every_table_has_its_own_position(tables: int, columns: int, lines: int) -> None:
    room_plan = draw_room_plan(tables, columns, lines)
    extra_height = (lines - 1) * NAME_LINE_SPACING
    assert len(room_plan.table_positions) == tables
    boxes = [
        (
            float(table_position.left),
            float(table_position.left) + float(table_position.width),
            float(table_position.names_above_y),
            float(table_position.names_below_y) + extra_height,
        )
        for table_position in room_plan.table_positions
    ]
    for left, right, box_top, box_bottom in boxes:
        assert 0 <= left < right <= 100
        assert 0 < box_top < box_bottom <= float(room_plan.height)
    for first_box, second_box in itertools.combinations(boxes, 2):
        is_beside = first_box[1] <= second_box[0] or second_box[1] <= first_box[0]
        is_below = first_box[3] < second_box[2] or second_box[3] < first_box[2]
        assert is_beside or is_below


@given(st.integers(1, 120), st.integers(1, 6))
def test_table_labels_are_on_the_table_and_names_beside_it(tables: int, columns: int) -> None:
    for spot in draw_room_plan(tables, columns).table_positions:
        lines = [
            float(coordinate)
            for coordinate in (
                spot.names_above_y,
                spot.top,
                spot.north,
                spot.centre,
                spot.south,
            )
        ]
        assert lines == sorted(lines)
        assert (
            float(spot.south) < float(spot.top) + TABLE_HEIGHT_LINES < float(spot.names_below_y)
        )
        x_positions = [
            float(coordinate) for coordinate in (spot.left, spot.west, spot.middle, spot.east)
        ]
        assert x_positions == sorted(x_positions)
        assert x_positions[-1] < float(spot.left) + float(spot.width)
