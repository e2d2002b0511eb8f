"""Mitchell movements: North-South are stationary, East-West move up and boards move down."""

from django.utils.translation import gettext as _

from server.translation import gettext_noop
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_ns_and_ew_labels,
    make_pair_meeting,
)
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.system import (
    MAX_TABLES,
    MovementSystem,
    SizeUnit,
    format_title,
)


def build_mitchell(table_count: int) -> Movement:
    """Build the Mitchell for an odd number of tables.

    East-West move up one table, and the boards move down one. Each pair meets all pairs of the
    other field and plays every board.

    Source: The Standard Hoyle (1912), duplicate bridge (rules K3, K4).
    """
    return _build_mitchell_movement(
        "compass",
        _("Mitchell"),
        table_count,
        [
            make_mitchell_meeting(table_count, round_number, table_number)
            for round_number, table_number in _list_rounds_and_tables(table_count, table_count)
        ],
    )


def build_skip_mitchell(table_count: int) -> Movement:
    """Build the Mitchell for an even number of tables: halfway, East-West skip one table.

    It has one round fewer than tables; another round would repeat the first opponents.

    Source: The Standard Hoyle (1912), duplicate bridge (rules K5, K6).
    """
    return _build_mitchell_movement(
        "compass-skip",
        _("Skip Mitchell"),
        table_count,
        [
            make_mitchell_meeting(table_count, round_number, table_number)
            for round_number, table_number in _list_rounds_and_tables(
                table_count - 1, table_count
            )
        ],
    )


def build_relay_mitchell(table_count: int) -> Movement:
    """Build a Mitchell for an even number of tables with shared boards and a bye-stand.

    The first and last tables share boards, and the bye-stand is halfway. There are as many
    rounds as tables, so that each pair meets all pairs of the other field.

    Source: Ian McKinnon, Duplicate Bridge Schedules: relay and share.
    """
    return _build_mitchell_movement(
        "compass-relay",
        _("Share-and-relay Mitchell"),
        table_count,
        [
            _make_relay_meeting(table_count, round_number, table_number)
            for round_number, table_number in _list_rounds_and_tables(table_count, table_count)
        ],
        allows_sharing=True,
    )


def make_mitchell_meeting(table_count: int, round_number: int, table_number: int) -> Meeting:
    """Return the meeting at a table in a round of the plain Mitchell or the skip Mitchell."""
    move_count = round_number - 1 + (table_count % 2 == 0 and round_number > table_count // 2)
    ew_place = table_count + 1 + (table_number - 1 - move_count) % table_count
    return make_pair_meeting(
        round_number,
        table_number,
        table_number,
        ew_place,
        1 + (table_number + round_number - 2) % table_count,
    )


def _make_relay_meeting(table_count: int, round_number: int, table_number: int) -> Meeting:
    """Return the meeting at a table in a round of the share-and-relay Mitchell.

    After each round every set moves to the next lower stand. The last table plays from table
    1's stand, and the stand in the middle is the bye-stand.
    """
    table_count_before_bye_stand = table_count // 2
    stand_number = (
        table_number if table_number <= table_count_before_bye_stand else table_number + 1
    )
    ew_place = table_count + 1 + (table_number - round_number) % table_count
    return make_pair_meeting(
        round_number,
        table_number,
        table_number,
        ew_place,
        1 + (stand_number + round_number - 2) % table_count,
    )


def _list_rounds_and_tables(round_count: int, table_count: int) -> list[tuple[int, int]]:
    return [
        (round_number, table_number)
        for round_number in range(1, round_count + 1)
        for table_number in range(1, table_count + 1)
    ]


def _build_mitchell_movement(
    system_name: str,
    title: str,
    table_count: int,
    meetings: list[Meeting],
    *,
    allows_sharing: bool = False,
) -> Movement:
    return Movement(
        name=system_name,
        title=format_title(title, SizeUnit.TABLES, table_count),
        contest=Contest.PAIRS,
        meetings=tuple(meetings),
        labels=make_ns_and_ew_labels(table_count, table_count),
        allows_sharing=allows_sharing,
    )


def is_valid_odd_table_count(table_count: int) -> bool:
    """Return whether a number of tables is odd, and from 3 to MAX_TABLES."""
    return 3 <= table_count <= MAX_TABLES and table_count % 2 == 1


def is_valid_even_table_count(table_count: int) -> bool:
    """Return whether a number of tables is even, and from 4 to MAX_TABLES."""
    return 4 <= table_count <= MAX_TABLES and table_count % 2 == 0


def find_last_stationary_pair(movement: Movement) -> int:
    """Return the North-South place at the last table."""
    return movement.table_count


# These texts describe what the `fits_size` functions check; a test compares them.
ODD_SIZES_TEXT = gettext_noop("an odd number of tables from 3 to 59")
EVEN_SIZES_TEXT = gettext_noop("an even number of tables from 4 to 60")

MITCHELL_SYSTEM = MovementSystem(
    name="compass",
    title=gettext_noop("Mitchell"),
    has_short_title=True,
    alias_names=("mitchell",),
    unit=SizeUnit.TABLES,
    sizes=ODD_SIZES_TEXT,
    alternative_systems=("compass-skip", "compass-relay"),
    fits_size=is_valid_odd_table_count,
    build_movement=build_mitchell,
    source=gettext_noop(
        "The Standard Hoyle (1912) and John T. Mitchell, Duplicate Whist (1891)"
    ),
    remarks=gettext_noop("two winners, complete (“compass” in the old books)"),
)

SKIP_MITCHELL_SYSTEM = MovementSystem(
    name="compass-skip",
    title=gettext_noop("Skip Mitchell"),
    has_short_title=True,
    alias_names=("mitchell", "skip", "skip-mitchell"),
    unit=SizeUnit.TABLES,
    sizes=EVEN_SIZES_TEXT,
    alternative_systems=("compass",),
    fits_size=is_valid_even_table_count,
    build_movement=build_skip_mitchell,
    source=gettext_noop("The Standard Hoyle (1912)"),
    remarks=gettext_noop(
        "two winners, one round short, so each pair misses one pair and one set"
    ),
)

RELAY_MITCHELL_SYSTEM = MovementSystem(
    name="compass-relay",
    title=gettext_noop("Share-and-relay Mitchell"),
    has_short_title=True,
    alias_names=("mitchell", "relay", "relay-mitchell", "share-and-relay"),
    explanation_cost=500,
    can_end_early=False,  # for fewer rounds the skip Mitchell needs no shared boards
    unit=SizeUnit.TABLES,
    sizes=EVEN_SIZES_TEXT,
    alternative_systems=("compass",),
    fits_size=is_valid_even_table_count,
    build_movement=build_relay_mitchell,
    source=gettext_noop("Ian McKinnon, Duplicate Bridge Schedules"),
    remarks=gettext_noop("two winners, complete, the first and last tables share boards"),
    find_vacant_place=find_last_stationary_pair,
)
