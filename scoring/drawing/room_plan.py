"""A plan of the playing room: rows of tables with four chairs and the players' names."""

from dataclasses import dataclass

from scoring.drawing.scales import format_coordinate

# Vertical distances are in heights of a line of text.
ROW_PITCH_LINES = 7.6  # from one row of tables to the next
TABLE_MARGIN_LINES = 1.5  # the space above a table, for the names of N-S
TABLE_HEIGHT_LINES = 3.8
NAME_LINE_SPACING = 1.2  # from one line of a name to the next
FREE_MARGIN_PERCENT = 22.0  # the free part of a column on each side of a table


@dataclass(frozen=True, slots=True)
class TablePosition:
    """The position of one table: horizontal in per cent, vertical in lines of text."""

    left: str
    width: str
    middle: str
    west: str
    east: str
    names_above_y: str  # of the first line of the names above the table
    top: str
    north: str
    centre: str
    south: str
    names_below_y: str


@dataclass(frozen=True, slots=True)
class RoomPlan:
    """The plan of a room: its height, and the position of each table."""

    height: str
    table_positions: tuple[TablePosition, ...]


TABLE_HEIGHT_TEXT = str(TABLE_HEIGHT_LINES)
"""The height of every table in lines of text, as a string."""


def draw_room_plan(table_count: int, max_columns: int, lines_per_name: int = 1) -> RoomPlan:
    """Arrange tables in rows of at most `max_columns` tables.

    The names of a side need `lines_per_name` lines of text.
    """
    column_count = max(1, min(max_columns, table_count))
    row_count = -(-table_count // column_count)
    extra_name_height = (lines_per_name - 1) * NAME_LINE_SPACING
    positions = (
        _place_table(
            index // column_count, index % column_count, 100 / column_count, extra_name_height
        )
        for index in range(table_count)
    )
    return RoomPlan(
        format_coordinate(row_count * (ROW_PITCH_LINES + 2 * extra_name_height)),
        tuple(positions),
    )


def _place_table(
    row: int, column: int, column_width: float, extra_name_height: float
) -> TablePosition:
    """Place a table; its names need `extra_name_height` more than one line on each side."""
    left, top = (
        column * column_width + FREE_MARGIN_PERCENT * column_width / 100,
        row * (ROW_PITCH_LINES + 2 * extra_name_height)
        + TABLE_MARGIN_LINES
        + extra_name_height,
    )
    width = column_width * (100 - 2 * FREE_MARGIN_PERCENT) / 100
    return TablePosition(
        left=format_coordinate(left),
        width=format_coordinate(width),
        middle=format_coordinate(left + width / 2),
        west=format_coordinate(left + width * 0.1),
        east=format_coordinate(left + width * 0.9),
        names_above_y=format_coordinate(top - 0.4 - extra_name_height),
        top=format_coordinate(top),
        north=format_coordinate(top + 1.1),
        centre=format_coordinate(top + 2.25),
        south=format_coordinate(top + 3.4),
        names_below_y=format_coordinate(top + TABLE_HEIGHT_LINES + 1.15),
    )
