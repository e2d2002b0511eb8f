"""A plan of the playing room: rows of tables with four chairs and the players' names."""

from dataclasses import dataclass

from scoring.drawing.scales import format_coordinate

ROW_PITCH_LINES = 7.6  # from one row of tables to the next
TABLE_MARGIN_LINES = 1.5  # above a table, for the names of N-S
TABLE_HEIGHT_LINES = 3.8
NAME_LINE_SPACING = 1.2  # from one line of a name to the next
FREE_MARGIN_PERCENT = 22.0  # per cent of a column left free on each side of a table


@dataclass(frozen=True, slots=True)
class TablePosition:
    """The position of one table: horizontal in per cent, vertical in lines of text."""

    left: str
    width: str
    middle: str
    west: str
    east: str
    above: str  # the first line of the names above it
    top: str
    north: str
    centre: str
    south: str
    below: str


@dataclass(frozen=True, slots=True)
class RoomPlan:
    """The plan of a room: its height, and the position of each table."""

    height: str
    spots: tuple[TablePosition, ...]


TABLE_HEIGHT = str(TABLE_HEIGHT_LINES)
"""The height of every table in lines of text, as a string."""


def draw_room_plan(tables: int, columns: int, lines: int = 1) -> RoomPlan:
    """Arrange a number of tables in rows of at most `columns`, with names of `lines` lines."""
    columns = max(1, min(columns, tables))
    rows = -(-tables // columns)
    extra_lines = (lines - 1) * NAME_LINE_SPACING
    spots = (
        _place_table(index // columns, index % columns, 100 / columns, extra_lines)
        for index in range(tables)
    )
    return RoomPlan(format_coordinate(rows * (ROW_PITCH_LINES + 2 * extra_lines)), tuple(spots))


def _place_table(row: int, column: int, column_width: float, more: float) -> TablePosition:
    """Place a table; its names need `more` than one line above it, and below it."""
    left, top = (
        column * column_width + FREE_MARGIN_PERCENT * column_width / 100,
        row * (ROW_PITCH_LINES + 2 * more) + TABLE_MARGIN_LINES + more,
    )
    width = column_width * (100 - 2 * FREE_MARGIN_PERCENT) / 100
    return TablePosition(
        left=format_coordinate(left),
        width=format_coordinate(width),
        middle=format_coordinate(left + width / 2),
        west=format_coordinate(left + width * 0.1),
        east=format_coordinate(left + width * 0.9),
        above=format_coordinate(top - 0.4 - more),
        top=format_coordinate(top),
        north=format_coordinate(top + 1.1),
        centre=format_coordinate(top + 2.25),
        south=format_coordinate(top + 3.4),
        below=format_coordinate(top + TABLE_HEIGHT_LINES + 1.15),
    )
