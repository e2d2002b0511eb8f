"""A Mitchell with one extra pair, the rover, which displaces other pairs in turn."""

from django.utils.translation import ngettext

from server.translation import gettext_noop
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_ns_and_ew_labels,
    make_pair_meeting,
)
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.mitchell import make_mitchell_meeting
from tournaments.movements.systems.system import MovementSystem, SizeUnit


def build_rover_mitchell(table_count: int) -> Movement:
    """Build a Mitchell with an extra pair that sits North-South at another table each round.

    The rover has the highest North-South number. It sits out round 1, and each pair that it
    displaces sits out that round. The rover meets no opponents and no boards twice. At an odd
    number of tables that is not a multiple of three, it starts at table 2 and moves up two
    tables each round. At other numbers its route is irregular, and at 9, 15, 21 and 27 tables
    it sits out one more round.

    Source: Ian McKinnon, Duplicate Bridge Schedules; the irregular routes are derived here.
    """
    round_count = table_count if table_count % 2 else table_count - 1
    route = find_rover_route(table_count)
    return Movement(
        name="compass-rover",
        title=ngettext(
            "Rover Mitchell, %(tables)s table and a pair",
            "Rover Mitchell, %(tables)s tables and a pair",
            table_count,
        )
        % {"tables": table_count},
        contest=Contest.PAIRS,
        meetings=tuple(
            _seat_rover_at_visited_table(
                table_count,
                make_mitchell_meeting(table_count, round_number, table_number),
                route[round_number - 1],
            )
            for round_number in range(1, round_count + 1)
            for table_number in range(1, table_count + 1)
        ),
        labels=make_ns_and_ew_labels(table_count + 1, table_count),
    )


def find_rover_route(table_count: int) -> list[int]:
    """Return the table that the rover visits in each round, or 0 if it sits out."""
    if table_count in _IRREGULAR_ROVER_ROUTES:
        return [
            0,
            *(
                int(table_number)
                for table_number in _IRREGULAR_ROVER_ROUTES[table_count].split()
            ),
        ]
    return [
        0,
        *(
            (2 * round_number - 3) % table_count + 1
            for round_number in range(2, table_count + 1)
        ),
    ]


def fits_rover(table_count: int) -> bool:
    """Return whether a route for the rover is known."""
    return 4 <= table_count <= 30


def _seat_rover_at_visited_table(
    table_count: int, meeting: Meeting, visited_table_number: int
) -> Meeting:
    ns_place = table_count + 1 if meeting.table == visited_table_number else meeting.table
    # the rover has the last North-South place; the East-West places come after it
    ew_place = meeting.east + 1
    return make_pair_meeting(
        meeting.round, meeting.table, ns_place, ew_place, meeting.board_group
    )


# Keys are numbers of tables. A route lists the tables that the rover visits from round 2 on,
# without repeated tables, boards or opponents. If an odd number of tables is divisible by
# three, that is only possible with one more sit-out, which is written as 0.
_IRREGULAR_ROVER_ROUTES = {
    4: "3 4",
    6: "5 1 4 6",
    8: "5 1 6 3 7 4",
    9: "8 6 4 1 7 9 3 0",
    10: "8 10 7 3 6 9 1 5",
    12: "2 9 6 8 3 1 10 5 7 4",
    14: "2 5 10 4 11 8 13 3 6 9 7 12",
    15: "2 9 13 4 14 0 15 6 11 7 1 3 12 10",
    16: "11 4 1 7 10 15 3 9 14 8 2 12 6 16",
    18: "12 8 2 7 9 15 5 16 17 6 4 10 14 11 3 1",
    20: "11 1 5 20 10 12 18 9 7 19 15 2 6 8 16 4 13 3",
    21: "11 1 5 19 17 12 10 6 16 3 8 0 18 2 15 20 4 14 9 21",
    22: "11 16 19 2 6 17 14 8 22 3 9 12 4 18 21 13 20 1 7 5",
    24: "15 2 16 21 1 9 17 3 8 22 12 10 18 7 23 4 20 24 14 6 13 5",
    26: "15 20 23 26 12 17 8 10 4 1 9 21 19 14 16 3 7 22 2 18 6 13 11 5",
    27: "24 3 1 0 9 15 23 16 8 12 2 7 25 19 21 27 20 10 26 6 14 5 11 18 22 13",
    28: "4 8 17 20 25 5 28 18 14 7 23 1 24 11 3 12 19 26 10 2 22 27 9 16 6 21",
    30: "27 15 2 8 28 21 19 10 30 20 3 12 16 23 5 18 4 7 26 11 17 1 29 22 24 14 9 13",
}


ROVER_MITCHELL_SYSTEM = MovementSystem(
    name="compass-rover",
    title=gettext_noop("Rover Mitchell"),
    has_short_title=True,
    alias_names=("mitchell", "rover", "rover-mitchell"),
    explanation_cost=1_500,
    can_end_early=False,
    unit=SizeUnit.TABLES,
    sizes=gettext_noop("4 to 30 tables and one extra pair"),
    fits_size=fits_rover,
    build_movement=build_rover_mitchell,
    source=gettext_noop(
        "Ian McKinnon, Duplicate Bridge Schedules (irregular numbers by search)"
    ),
    remarks=gettext_noop("two winners, an odd pair without a half table"),
    extra_pair_count=1,
)
