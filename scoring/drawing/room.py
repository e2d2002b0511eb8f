"""The playing room from above: tables side by side, with four chairs and the players' names."""

from dataclasses import dataclass

from scoring.drawing.scales import written

PITCH = 7.6  # lines of text from one row of tables to the next
TOP = 1.5  # lines above a table, for the names of N-S
HEIGHT = 3.8  # lines that a table is high
LINE = 1.2  # from one line of a name to the next, in lines of text
FREE = 22.0  # per cent of a column left free on each side of a table


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of one table: horizontal in per cent, vertical in lines of text."""

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
class Floor:
    """The whole picture: its height, and a spot for each table."""

    height: str
    spots: tuple[Spot, ...]


HIGH = str(HEIGHT)
"""The height of every table, in lines."""


def floor(tables: int, columns: int, lines: int = 1) -> Floor:
    """Arrange a number of tables in rows of at most `columns`, with names of `lines` lines."""
    columns = max(1, min(columns, tables))
    rows = -(-tables // columns)
    more = (lines - 1) * LINE
    spots = (_spot(at // columns, at % columns, 100 / columns, more) for at in range(tables))
    return Floor(written(rows * (PITCH + 2 * more)), tuple(spots))


def _spot(row: int, column: int, wide: float, more: float) -> Spot:
    """Place a table; its names need `more` than one line above it, and below it."""
    left, top = column * wide + FREE * wide / 100, row * (PITCH + 2 * more) + TOP + more
    width = wide * (100 - 2 * FREE) / 100
    return Spot(
        left=written(left),
        width=written(width),
        middle=written(left + width / 2),
        west=written(left + width * 0.1),
        east=written(left + width * 0.9),
        above=written(top - 0.4 - more),
        top=written(top),
        north=written(top + 1.1),
        centre=written(top + 2.25),
        south=written(top + 3.4),
        below=written(top + HEIGHT + 1.15),
    )
