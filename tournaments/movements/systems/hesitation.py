"""The hesitation: a Mitchell with one winner, in which each moving pair waits a round."""

from collections.abc import Collection
from itertools import product

from django.utils.translation import gettext as _

from server.translation import gettext_noop
from tournaments.movements.arrow import find_best_switched_rounds, switch_arrows
from tournaments.movements.meetings import Contest, make_numeric_labels, make_pair_meeting
from tournaments.movements.schedule import Movement, shorten_movement
from tournaments.movements.systems.system import (
    MAX_TABLES,
    MovementSystem,
    SizeUnit,
    format_title,
)

MIN_TABLES_FOR_SWITCH = 4  # at three tables an arrow switch makes comparisons less even
MIN_TABLES_FOR_TWO_SWITCHES = 11  # from this number of tables, two or more rounds are switched


def build_hesitation_mitchell(
    table_count: int, rounds: int | None = None, switch: Collection[int] = (), edition: int = 2
) -> Movement:
    """Build a Mitchell in which each moving pair waits a round, North-South at the last table.

    All other tables have a stationary pair. There is one more board group than tables, and one
    more round. One of the groups waits on a bye-stand in the middle of the room. With an even
    number of tables, one bye-stand cannot complete the cycles of both pairs and boards. So two
    groups wait there, and the last table shares the boards of table 1.

    All pairs are one field: the stationary pairs have the low numbers, the moving pairs the
    high ones. In the second edition sides are exchanged in the rounds of `switch`, or in the
    best rounds if it is empty. This halves the unevenness. At three tables no sides are
    exchanged.

    Source: a descendant of Mitchell's movement; the bye-stand's position is derived here.
    """
    cycle_length = table_count + 1
    meetings = []
    for round_number, table_number in product(
        range(1, cycle_length + 1), range(1, table_count + 1)
    ):
        ew_place = table_count + (table_number - round_number) % cycle_length
        ns_place = (
            table_number
            if table_number < table_count
            else table_count + (table_count + 1 - round_number) % cycle_length
        )
        board_group = (
            1
            + (_find_board_stand_number(table_count, table_number) + round_number - 2)
            % cycle_length
        )
        meetings.append(
            make_pair_meeting(round_number, table_number, ns_place, ew_place, board_group)
        )
    unswitched_movement = Movement(
        name="compass-hesitation",
        title=format_title(_("Hesitation Mitchell"), SizeUnit.TABLES, table_count),
        contest=Contest.PAIRS,
        meetings=tuple(meetings),
        labels=make_numeric_labels(2 * table_count),
        allows_sharing=table_count % 2 == 0,
        edition=2 if edition > 1 and (switch or table_count >= MIN_TABLES_FOR_SWITCH) else 1,
    )
    curtailed_movement = (
        unswitched_movement if rounds is None else shorten_movement(unswitched_movement, rounds)
    )
    return switch_arrows(
        curtailed_movement,
        switch
        if edition == 1 or switch
        else find_best_switch_rounds(table_count, curtailed_movement),
    )


def find_best_switch_rounds(table_count: int, movement: Movement) -> tuple[int, ...]:
    """Return the rounds to switch for the most even influence.

    For full movements they are in SWITCH_ROUNDS_BY_TABLE_COUNT, or else they are the last
    rounds. For shorter movements they are searched.
    """
    if table_count < MIN_TABLES_FOR_SWITCH:
        return ()
    if movement.round_count <= table_count:
        return find_best_switched_rounds(movement)
    if table_count in SWITCH_ROUNDS_BY_TABLE_COUNT:
        return tuple(
            int(round_text) for round_text in SWITCH_ROUNDS_BY_TABLE_COUNT[table_count].split()
        )
    return (
        (table_count + 1,)
        if table_count < MIN_TABLES_FOR_TWO_SWITCHES
        else (table_count, table_count + 1)
    )


def _find_board_stand_number(table_count: int, table_number: int) -> int:
    """Return the stand of a table's boards; a stand without a table is a bye-stand."""
    if table_count % 2:
        return table_number if table_number < (table_count + 1) // 2 else table_number + 1
    if table_number == table_count:
        return 1
    return table_number if table_number <= table_count // 2 else table_number + 2


# The best rounds to switch, if they are not simply the last ones. They were found by
# `find_best_switched_rounds`, which takes too long to run for each evening.
SWITCH_ROUNDS_BY_TABLE_COUNT = {
    12: "9 13",
    14: "11 15",
    16: "13 17",
    18: "14 17 19",
    19: "16 19 20",
    20: "13 19 21",
    21: "17 21 22",
    22: "15 21 23",
    23: "19 23 24",
    24: "18 23 25",
    25: "18 25 26",
    26: "20 25 27",
    27: "20 23 27 28",
    28: "18 25 28 29",
    29: "3 8 29 30",
    30: "18 23 29 31",
    31: "9 28 31 32",
    32: "7 28 31 33",
    33: "5 26 31 32",
    34: "19 22 24 31 32",
    35: "20 22 32 35 36",
    36: "21 24 26 33 34",
    37: "8 24 34 37 38",
    38: "26 27 34 36 39",
    39: "10 27 36 39 40",
    40: "9 25 36 37 40 41",
    41: "11 28 37 38 41 42",
    42: "1 8 11 12 36 38",
    43: "1 8 27 39 41 44",
    44: "10 29 38 40 41 45",
    45: "10 29 41 42 45 46",
    46: "9 11 16 42 45 46",
    47: "9 13 30 35 42 43 45",
    48: "27 29 34 35 44 45 48",
    49: "11 17 31 44 45 46 49",
    50: "8 11 31 45 46 50 51",
    51: "8 29 32 46 47 51 52",
    52: "29 32 39 47 51 52 53",
    53: "6 11 31 35 51 53 54",
    54: "7 12 15 37 47 48 49 53",
    55: "6 15 30 38 51 52 55 56",
    56: "4 13 36 39 50 55 56 57",
    57: "9 19 36 42 51 53 57 58",
    58: "8 11 19 20 52 53 57 59",
    59: "7 16 41 44 54 55 56 60",
    60: "5 15 39 41 54 55 58 61",
}

HESITATION_MITCHELL_SYSTEM = MovementSystem(
    name="compass-hesitation",
    title=gettext_noop("Hesitation Mitchell"),
    has_short_title=True,
    alias_names=("hesitation", "hesitation-mitchell"),
    explanation_cost=500,
    rate_unevenness=lambda _tables: 2_500,
    unit=SizeUnit.TABLES,
    sizes=gettext_noop("3 to 60 tables"),
    options=("rounds", "switch"),
    edition_count=2,
    leaves_fairest_place_empty=True,
    fits_size=lambda table_count: 3 <= table_count <= MAX_TABLES,
    build_movement=build_hesitation_mitchell,
    source=gettext_noop("after Mitchell"),
    remarks=gettext_noop(
        "one winner, one round and one set more than tables, arrow "
        "switch in a few rounds. At an even number of tables, the "
        "first and last share boards"
    ),
)
