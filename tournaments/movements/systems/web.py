"""The web: a Mitchell with many tables, few rounds, and several copies of the boards.

North-South are stationary and East-West move one table up. Each pair plays all sets against
different opponents. One part of the room plays the sets in ascending order, the other in
descending order.

Source: John "Spider" Harris, 1970s; the rule is derived here for an odd number of rounds.
"""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import gettext_noop
from tournaments.movements.formatting import format_number, join_alternatives
from tournaments.movements.meetings import Contest, make_ns_and_ew_labels, make_pair_meeting
from tournaments.movements.schedule import Movement, UnplayableMovement
from tournaments.movements.systems.system import MAX_TABLES, MovementSystem, SizeUnit

MIN_ROUNDS, MAX_ROUNDS = 5, 13
MAX_COPIES = 4


def build_web_mitchell(
    table_count: int, rounds: int | None = None, copies: int | None = None
) -> Movement:
    """Build the web with these rounds, or with the highest possible number up to thirteen.

    There are t tables and r rounds. Tables and rounds are numbered from 0 here. In round k,
    table i of the first m tables plays set i + k modulo r, and table i of the others plays set
    2m - 2 - i - k modulo r. As 2m = t modulo r, no pair meets a set twice. Each copy moves one
    table down each round within a block of at most r tables. In a smaller block it rests in
    some rounds.
    """
    rounds = rounds if rounds is not None else list_round_counts(table_count)[-1]
    _check_round_count(table_count, rounds)
    ascending_table_count = count_ascending_tables(table_count, rounds)
    needed_copy_count = count_board_copies(table_count, rounds)
    if copies is not None and copies < needed_copy_count:
        raise UnplayableMovement(
            _(
                "A Web Mitchell of %(tables)s tables and %(rounds)s rounds "
                "needs %(needed)s copies of each board, not %(copies)s."
            )
            % {
                "tables": table_count,
                "rounds": rounds,
                "needed": format_number(needed_copy_count),
                "copies": copies,
            }
        )
    meetings = []
    for round_index in range(rounds):
        for table_index in range(table_count):
            if table_index < ascending_table_count:
                set_index = (table_index + round_index) % rounds
            else:
                set_index = (2 * ascending_table_count - 2 - table_index - round_index) % rounds
            ew_place = table_count + 1 + (table_index - round_index) % table_count
            meetings.append(
                make_pair_meeting(
                    round_index + 1, table_index + 1, table_index + 1, ew_place, set_index + 1
                )
            )
    return Movement(
        name="web",
        title=ngettext(
            "Web Mitchell, %(tables)s table, %(rounds)s rounds",
            "Web Mitchell, %(tables)s tables, %(rounds)s rounds",
            table_count,
        )
        % {"tables": table_count, "rounds": rounds},
        contest=Contest.PAIRS,
        meetings=tuple(meetings),
        labels=make_ns_and_ew_labels(table_count, table_count),
        copy_count=needed_copy_count,
        blocks=(
            *range(1, ascending_table_count + 1, rounds),
            *range(ascending_table_count + 1, table_count + 1, rounds),
        ),
    )


def count_ascending_tables(table_count: int, round_count: int) -> int:
    """Return how many tables should play the sets in ascending order to need fewest copies."""
    # tables / 2 modulo r: (r + 1) / 2 is the inverse of 2
    min_ascending_table_count = table_count * (round_count + 1) // 2 % round_count
    possible_ascending_table_counts = (
        possible_ascending_table_count
        for possible_ascending_table_count in range(
            min_ascending_table_count, table_count + 1, round_count
        )
        if possible_ascending_table_count >= 1
    )
    return min(
        possible_ascending_table_counts,
        key=lambda possible_ascending_table_count: (
            _count_copies_for_table_split(
                possible_ascending_table_count, table_count, round_count
            ),
            abs(2 * possible_ascending_table_count - table_count),
        ),
    )


def count_board_copies(table_count: int, round_count: int) -> int:
    """Return the number of copies of each board that a web needs."""
    return _count_copies_for_table_split(
        count_ascending_tables(table_count, round_count), table_count, round_count
    )


def list_round_counts(table_count: int) -> list[int]:
    """Return the possible numbers of rounds of a web with a number of tables."""
    return [
        round_count
        for round_count in range(MIN_ROUNDS, min(MAX_ROUNDS, table_count - 1) + 1, 2)
        if count_board_copies(table_count, round_count) <= MAX_COPIES
    ]


def _count_copies_for_table_split(
    ascending_set_table_count: int, table_count: int, round_count: int
) -> int:
    return -(-ascending_set_table_count // round_count) + -(
        -(table_count - ascending_set_table_count) // round_count
    )


def _check_round_count(table_count: int, requested_round_count: int) -> None:
    known_round_counts = list_round_counts(table_count)
    if requested_round_count >= 1 and requested_round_count % 2 == 0:
        smallest_difference = min(
            abs(round_count - requested_round_count) for round_count in known_round_counts
        )
        nearest_round_counts = [
            str(round_count)
            for round_count in known_round_counts
            if abs(round_count - requested_round_count) == smallest_difference
        ]
        raise UnplayableMovement(
            _("A Web Mitchell needs an odd number of rounds: %(rounds)s.")
            % {"rounds": join_alternatives(nearest_round_counts)}
        )
    if requested_round_count >= table_count:
        raise UnplayableMovement(
            _(
                "A Web Mitchell needs more tables than rounds. For "
                "%(tables)s tables use a Mitchell."
            )
            % {"tables": table_count}
        )
    if requested_round_count not in known_round_counts:
        raise UnplayableMovement(
            _("A Web Mitchell of %(tables)s tables has %(known)s rounds, not %(rounds)s.")
            % {
                "tables": table_count,
                "known": join_alternatives(
                    [str(round_count) for round_count in known_round_counts]
                ),
                "rounds": requested_round_count,
            }
        )


WEB_SYSTEM = MovementSystem(
    name="web",
    title=gettext_noop("Web Mitchell"),
    has_short_title=True,
    alias_names=("mitchell", "web-mitchell"),
    explanation_cost=1_400,
    unit=SizeUnit.TABLES,
    sizes=gettext_noop("6 to 52 tables with two to four copies of each board"),
    alternative_systems=("compass", "compass-skip"),
    fits_size=lambda table_count: (
        6 <= table_count <= MAX_TABLES and bool(list_round_counts(table_count))
    ),
    build_movement=build_web_mitchell,
    source=gettext_noop("John “Spider” Harris, worked out again"),
    remarks=gettext_noop("two winners, all play the same boards (copies needed)"),
    options=("rounds", "copies"),
    list_round_counts=list_round_counts,
    can_end_early=False,
    max_tables=40,
)
