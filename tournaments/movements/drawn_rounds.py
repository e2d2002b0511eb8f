"""Counts and texts for sections whose rounds are drawn one after another."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

DRAWN_MOVEMENT_NAME = "swiss"
"""The movement name of a section whose rounds are drawn from the scores (tournaments.swiss).

It is also the key of the plan in the options of such a section.
"""


def count_round_halves(plan_data: Mapping[str, Any]) -> int:
    """Return 2 if each drawn round is played in two halves, as in three-way matches, else 1."""
    return 2 if plan_data.get("three_way") else 1


def count_earlier_board_sets(plan_data: Mapping[str, Any], drawn_round_number: int) -> int:
    """Return the number of board sets that the rounds before `drawn_round_number` use.

    All matches of a round play the same boards. A plan with `own_boards` does not use this
    function. In a bracket, only the first round has three-way matches, in all its segments.
    """
    earlier_round_count = drawn_round_number - 1
    if count_round_halves(plan_data) == 1:
        return earlier_round_count
    segment_count: int = plan_data.get("segments", 1)
    three_way_round_count = (
        min(earlier_round_count, segment_count)
        if plan_data.get("knockout")
        else earlier_round_count
    )
    return earlier_round_count * count_round_halves(plan_data) + three_way_round_count


def count_planned_board_sets(
    options: Mapping[str, Any],
    seated_round_count: int,
    *,
    used_set_count: int = 0,
    table_count: int = 0,
) -> int:
    """Return the number of board sets that all planned rounds need.

    The first `seated_round_count` rounds are already seated and use `used_set_count` sets. If
    each match has its own boards, the sets of later rounds follow from the number of tables.
    """
    plan_data = options.get(DRAWN_MOVEMENT_NAME)
    if plan_data and plan_data.get("own_boards"):
        return used_set_count + _count_board_sets_of_undrawn_rounds(
            plan_data, seated_round_count, table_count
        )
    if not plan_data or count_round_halves(plan_data) == 1:
        return count_planned_rounds(options, seated_round_count)
    return count_earlier_board_sets(plan_data, plan_data["rounds"] + 1)


def _count_board_sets_of_undrawn_rounds(
    plan_data: Mapping[str, Any], seated_round_count: int, table_count: int
) -> int:
    """Return the number of sets for later rounds, if each match has its own boards."""
    drawn_round_count = -(-seated_round_count // count_round_halves(plan_data))
    remaining_rounds = range(drawn_round_count + 1, plan_data["rounds"] + 1)
    if plan_data.get("knockout"):
        return sum(
            _count_bracket_board_sets(plan_data, round_number, table_count)
            for round_number in remaining_rounds
        )
    # A three-way match has three tables, and any other match has two.
    three_way_table_count = 3 * (table_count % 2)
    return len(remaining_rounds) * (
        (table_count - three_way_table_count) // 2 * count_round_halves(plan_data)
        + three_way_table_count
    )


def _count_bracket_board_sets(
    plan_data: Mapping[str, Any], drawn_round_number: int, table_count: int
) -> int:
    """Return the number of board sets that one drawn round of a bracket needs.

    `table_count` is the number of tables in the first round of the bracket.
    """
    planned_round_count: int = plan_data["rounds"]
    segment_count: int = plan_data.get("segments", 1)
    half_count, bracket_round_count, round_index = (
        count_round_halves(plan_data),
        planned_round_count // segment_count,
        (drawn_round_number - 1) // segment_count,
    )
    # Each round of a bracket has half as many matches as the one before; the last has one.
    first_round_winner_count = 1 << (bracket_round_count - 1)
    if half_count == 1 or round_index:
        return half_count * first_round_winner_count >> round_index
    # Three-way matches have one or two winners and three tables, other matches two tables.
    three_way_match_count = (
        table_count - 2 * first_round_winner_count
        if table_count >= 2 * first_round_winner_count
        else 2 * first_round_winner_count - table_count
    )
    return (
        table_count - 3 * three_way_match_count
    ) // 2 * half_count + 3 * three_way_match_count


def count_planned_rounds(options: Mapping[str, Any], seated_round_count: int) -> int:
    """Return the planned number of rounds, or `seated_round_count` if no rounds are drawn."""
    plan_data = options.get(DRAWN_MOVEMENT_NAME)
    return (
        max(seated_round_count, plan_data["rounds"] * count_round_halves(plan_data))
        if plan_data
        else seated_round_count
    )


def is_knockout(options: Mapping[str, Any]) -> bool:
    """Return whether a bracket decides the opponents."""
    return bool(options.get(DRAWN_MOVEMENT_NAME, {}).get("knockout"))


def describe_undrawn_rounds(options: Mapping[str, Any], seated_round_count: int) -> str:
    """Describe the rounds still to be drawn, or return "" if there are none."""
    last_round_number = count_planned_rounds(options, seated_round_count)
    if last_round_number <= seated_round_count:
        return ""
    if is_knockout(options):
        return _(
            "Later rounds depend on the matches before them. The list on "
            "the wall and your phone will show your seat."
        )
    if last_round_number == seated_round_count + 1:
        message = _(
            "Round %(round)s hasn’t been drawn yet. The list on the wall and your phone "
            "will show your seat."
        )
        return message % {"round": last_round_number}
    message = _(
        "Rounds %(first)s–%(last)s haven’t been drawn yet. Each is drawn from the scores "
        "before it. The list on the wall and your phone will show your seat."
    )
    return message % {"first": seated_round_count + 1, "last": last_round_number}


def list_drawn_round_topics(table_counts: Mapping[int, int]) -> list[str]:
    """Describe the moves if rounds are drawn, with the number of tables of each board set."""
    return [
        _("Each round is drawn from the scores so far."),
        _("After each round look at the list. It shows your table, side and opponents."),
        _describe_boards(table_counts),
    ]


def _describe_boards(table_counts: Mapping[int, int]) -> str:
    if len(table_counts) == 1:
        return _("All tables play the same boards in a round.")
    if max(table_counts.values()) == 2:
        return _(
            "The tables of a match share its boards. Play one and pass "
            "it on. No other match plays them."
        )
    return _(
        "The tables of a match play the same boards. Three teams that play each other have "
        "their own boards."
    )
