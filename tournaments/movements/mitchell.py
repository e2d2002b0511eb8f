"""Compass whist, Mitchell's movement: North-South sit, East-West go up, the boards go down."""

from tournaments.movements.meetings import Contest, Meeting, pair_meeting, two_field_labels
from tournaments.movements.schedule import Movement


def compass(tables: int) -> Movement:
    """Move East-West one table up and the boards one table down at an odd number of tables.

    All meet all and everyone plays every board.
    Source: The Standard Hoyle (1912), duplicate bridge (rules K3, K4).
    """
    return Movement(
        name="compass",
        title=f"Compass, {tables} tables",
        contest=Contest.PAIRS,
        meetings=tuple(
            _meeting(tables, round_, table)
            for round_ in range(1, tables + 1)
            for table in range(1, tables + 1)
        ),
        labels=two_field_labels(tables, tables),
    )


def _meeting(tables: int, round_: int, table: int) -> Meeting:
    ew = tables + 1 + (table - round_) % tables
    return pair_meeting(round_, table, table, ew, 1 + (table + round_ - 2) % tables)
