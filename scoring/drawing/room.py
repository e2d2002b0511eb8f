"""The room from above: tables side by side, each with its four chairs and who sits there."""

from dataclasses import dataclass

from scoring.drawing.scales import written

PITCH = 7.6  # lines of text from one row of tables to the next
TOP = 1.5  # lines above a table, for the names of N-S
HEIGHT = 3.8  # lines that a table is high
FREE = 22.0  # per cent of a column left free on each side of a table


@dataclass(frozen=True, slots=True)
class Spot:
    """Where one table is drawn: across in per cent, down in lines of text."""

    left: str
    width: str
    middle: str
    west: str
    east: str
    above: str  # the line of the names above it
    top: str
    north: str
    centre: str
    south: str
    below: str


@dataclass(frozen=True, slots=True)
class Floor:
    """The whole picture: how high it is, and a spot a table."""

    height: str
    spots: tuple[Spot, ...]


HIGH = str(HEIGHT)
"""How high every table is drawn, in lines."""


def floor(tables: int, columns: int) -> Floor:
    """Lay so many tables out row by row, in at most so many columns."""
    columns = max(1, min(columns, tables))
    rows = -(-tables // columns)
    spots = (_spot(at // columns, at % columns, 100 / columns) for at in range(tables))
    return Floor(written(rows * PITCH), tuple(spots))


def _spot(row: int, column: int, wide: float) -> Spot:
    left, top = column * wide + FREE * wide / 100, row * PITCH + TOP
    width = wide * (100 - 2 * FREE) / 100
    return Spot(
        left=written(left),
        width=written(width),
        middle=written(left + width / 2),
        west=written(left + width * 0.1),
        east=written(left + width * 0.9),
        above=written(top - 0.4),
        top=written(top),
        north=written(top + 1.1),
        centre=written(top + 2.25),
        south=written(top + 3.4),
        below=written(top + HEIGHT + 1.15),
    )
