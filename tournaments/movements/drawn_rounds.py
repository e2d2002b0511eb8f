"""Rounds that are drawn one after another: counts and texts for sections without a schedule."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

DRAWN_KEY = "swiss"
"""The movement name of a section whose rounds are drawn from the scores (tournaments.swiss)."""


def count_halves(kept: Mapping[str, Any]) -> int:
    """Return the number of section rounds in which one drawn round is played."""
    return 2 if kept.get("three_way") else 1


def count_earlier_sets(kept: Mapping[str, Any], drawn: int) -> int:
    """Return the number of sets of earlier draws, if all matches play the same boards.

    In a bracket only the first round has three-way matches, in each of its segments.
    """
    before = drawn - 1
    if count_halves(kept) == 1:
        return before
    segments: int = kept.get("segments", 1)
    threes = min(before, segments) if kept.get("knockout") else before
    return before * count_halves(kept) + threes


def count_planned_sets(
    options: Mapping[str, Any], seated: int, *, booked: int = 0, tables: int = 0
) -> int:
    """Return the number of board sets for `rounds` rounds, of which `seated` already have
    `booked` sets.

    With own boards for each match, each later round adds one set per match at `tables`.
    """
    kept = options.get(DRAWN_KEY)
    if kept and kept.get("own_boards"):
        return booked + _count_coming_sets(kept, seated, tables)
    if not kept or count_halves(kept) == 1:
        return count_planned_rounds(options, seated)
    return count_earlier_sets(kept, kept["rounds"] + 1)


def _count_coming_sets(kept: Mapping[str, Any], seated: int, tables: int) -> int:
    """Return the number of sets for undrawn rounds, if each match has its own boards."""
    drawn = -(-seated // count_halves(kept))
    left = range(drawn + 1, kept["rounds"] + 1)
    if kept.get("knockout"):
        return sum(_count_bracket_sets(kept, number, tables) for number in left)
    three = 3 * (tables % 2)  # a three-way match has three tables, other matches two
    return len(left) * ((tables - three) // 2 * count_halves(kept) + three)


def _count_bracket_sets(kept: Mapping[str, Any], drawn: int, tables: int) -> int:
    """Return the number of sets that one draw of a bracket needs; `tables` are those seated."""
    planned: int = kept["rounds"]
    segments: int = kept.get("segments", 1)
    halves, last, round_ = count_halves(kept), planned // segments, (drawn - 1) // segments
    # Each round of a bracket has half the matches of the round before, the last has one.
    after = 1 << (last - 1)
    if halves == 1 or round_:
        return halves * after >> round_
    # Three-way matches have one or two winners and three tables, other matches two tables.
    threes = tables - 2 * after if tables >= 2 * after else 2 * after - tables
    return (tables - 3 * threes) // 2 * halves + 3 * threes


def count_planned_rounds(options: Mapping[str, Any], seated: int) -> int:
    """Return the number of rounds: those seated, or those planned where more are drawn."""
    kept = options.get(DRAWN_KEY)
    return max(seated, kept["rounds"] * count_halves(kept)) if kept else seated


def is_knockout(options: Mapping[str, Any]) -> bool:
    """Return whether a bracket instead of a draw decides the opponents."""
    return bool(options.get(DRAWN_KEY, {}).get("knockout"))


def describe_undrawn_rounds(options: Mapping[str, Any], seated: int) -> str:
    """Describe the rounds that are still to be drawn; return "" if there are none."""
    last = count_planned_rounds(options, seated)
    if last <= seated:
        return ""
    if is_knockout(options):
        return _(
            "Later rounds depend on the matches before them. The list on "
            "the wall and your phone will show your seat."
        )
    if last == seated + 1:
        words = _(
            "Round %(round)s hasn't been drawn yet. The list on the wall "
            "and your phone will show your seat."
        )
        return words % {"round": last}
    words = _(
        "Rounds %(first)s–%(last)s haven't been drawn yet. Each is "
        "drawn from the scores before it. The list on the wall and "
        "your phone will show your seat."
    )
    return words % {"first": seated + 1, "last": last}


def list_drawn_topics(plays: Mapping[int, int]) -> list[str]:
    """Describe the moves if rounds are drawn; `plays` has the number of tables of each set."""
    return [
        _("Each round is drawn from the scores so far."),
        _("After each round look at the list. It shows your table, side and opponents."),
        _describe_boards(plays),
    ]


def _describe_boards(plays: Mapping[int, int]) -> str:
    if len(plays) == 1:
        return _("All tables play the same boards in a round.")
    if max(plays.values()) == 2:
        return _(
            "The tables of a match share its boards. Play one and pass "
            "it on. No other match plays them."
        )
    return _(
        "The tables of a match play the same boards. Three teams "
        "that play each other have boards of their own."
    )
