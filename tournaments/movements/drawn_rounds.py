"""Counts and texts for sections whose rounds are drawn one after another."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

DRAWN_KEY = "swiss"
"""The movement name of a section whose rounds are drawn from the scores (tournaments.swiss)."""


def count_halves(plan: Mapping[str, Any]) -> int:
    """Return 2 if each drawn round is played in two halves, as in three-way matches, else 1."""
    return 2 if plan.get("three_way") else 1


def count_earlier_sets(plan: Mapping[str, Any], drawn_round: int) -> int:
    """Return the number of board sets that the rounds before `drawn_round` use.

    All matches of a round play the same boards. A plan with `own_boards` does not use this
    function. In a bracket, only the first round has three-way matches, in all its segments.
    """
    earlier_round_count = drawn_round - 1
    if count_halves(plan) == 1:
        return earlier_round_count
    segments: int = plan.get("segments", 1)
    three_way_rounds = (
        min(earlier_round_count, segments) if plan.get("knockout") else earlier_round_count
    )
    return earlier_round_count * count_halves(plan) + three_way_rounds


def count_planned_sets(
    options: Mapping[str, Any],
    seated_rounds: int,
    *,
    used_set_count: int = 0,
    table_count: int = 0,
) -> int:
    """Return the number of board sets that all planned rounds need.

    The first `seated_rounds` rounds are already seated and use `used_set_count` sets. If each
    match has its own boards, the sets of later rounds follow from the number of tables.
    """
    plan = options.get(DRAWN_KEY)
    if plan and plan.get("own_boards"):
        return used_set_count + _count_sets_of_undrawn_rounds(plan, seated_rounds, table_count)
    if not plan or count_halves(plan) == 1:
        return count_planned_rounds(options, seated_rounds)
    return count_earlier_sets(plan, plan["rounds"] + 1)


def _count_sets_of_undrawn_rounds(
    plan: Mapping[str, Any], seated_rounds: int, table_count: int
) -> int:
    """Return the number of sets for later rounds, if each match has its own boards."""
    drawn_rounds = -(-seated_rounds // count_halves(plan))
    remaining_rounds = range(drawn_rounds + 1, plan["rounds"] + 1)
    if plan.get("knockout"):
        return sum(
            _count_bracket_sets(plan, round_number, table_count)
            for round_number in remaining_rounds
        )
    # A three-way match has three tables, and any other match has two.
    three_way_tables = 3 * (table_count % 2)
    return len(remaining_rounds) * (
        (table_count - three_way_tables) // 2 * count_halves(plan) + three_way_tables
    )


def _count_bracket_sets(plan: Mapping[str, Any], drawn_round: int, table_count: int) -> int:
    """Return the number of board sets that one drawn round of a bracket needs.

    `table_count` is the number of tables in the first round of the bracket.
    """
    planned_rounds: int = plan["rounds"]
    segments: int = plan.get("segments", 1)
    halves, last_round, round_index = (
        count_halves(plan),
        planned_rounds // segments,
        (drawn_round - 1) // segments,
    )
    # Each round of a bracket has half as many matches as the one before; the last has one.
    later_match_count = 1 << (last_round - 1)
    if halves == 1 or round_index:
        return halves * later_match_count >> round_index
    # Three-way matches have one or two winners and three tables, other matches two tables.
    three_way_count = (
        table_count - 2 * later_match_count
        if table_count >= 2 * later_match_count
        else 2 * later_match_count - table_count
    )
    return (table_count - 3 * three_way_count) // 2 * halves + 3 * three_way_count


def count_planned_rounds(options: Mapping[str, Any], seated_rounds: int) -> int:
    """Return the planned number of rounds, or `seated_rounds` if no rounds are drawn."""
    plan = options.get(DRAWN_KEY)
    return max(seated_rounds, plan["rounds"] * count_halves(plan)) if plan else seated_rounds


def is_knockout(options: Mapping[str, Any]) -> bool:
    """Return whether a bracket decides the opponents."""
    return bool(options.get(DRAWN_KEY, {}).get("knockout"))


def describe_undrawn_rounds(options: Mapping[str, Any], seated_rounds: int) -> str:
    """Describe the rounds still to be drawn, or return "" if there are none."""
    last_round = count_planned_rounds(options, seated_rounds)
    if last_round <= seated_rounds:
        return ""
    if is_knockout(options):
        return _(
            "Later rounds depend on the matches before them. The list on "
            "the wall and your phone will show your seat."
        )
    if last_round == seated_rounds + 1:
        message = _(
            "Round %(round)s hasn’t been drawn yet. The list on the wall and your phone "
            "will show your seat."
        )
        return message % {"round": last_round}
    message = _(
        "Rounds %(first)s–%(last)s haven’t been drawn yet. Each is drawn from the scores "
        "before it. The list on the wall and your phone will show your seat."
    )
    return message % {"first": seated_rounds + 1, "last": last_round}


def list_drawn_topics(table_counts: Mapping[int, int]) -> list[str]:
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
