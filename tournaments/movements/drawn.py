"""Rounds that are drawn one after another: counts and texts where there is no schedule."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

DRAWN = "swiss"
"""The movement name of a section whose rounds are drawn from the scores (tournaments.swiss)."""


def halves_of(kept: Mapping[str, Any]) -> int:
    """Return the number of rounds of the section in which a drawn round is played."""
    return 2 if kept.get("three_way") else 1


def sets_before(kept: Mapping[str, Any], drawn: int) -> int:
    """Return the number of sets of earlier draws, where all matches play the same boards.

    In a bracket only the first round has three-way matches, in each of its segments.
    """
    before = drawn - 1
    if halves_of(kept) == 1:
        return before
    segments: int = kept.get("segments", 1)
    threes = min(before, segments) if kept.get("knockout") else before
    return before * halves_of(kept) + threes


def sets_planned(
    options: Mapping[str, Any], seated: int, *, booked: int = 0, tables: int = 0
) -> int:
    """Return the number of sets of boards of all rounds, drawn or not; elsewhere one a round.

    Where each match has boards of its own, the seated rounds have `booked` sets, and later
    rounds need as many as the `tables` have matches.
    """
    kept = options.get(DRAWN)
    if kept and kept.get("own_boards"):
        return booked + _sets_to_come(kept, seated, tables)
    if not kept or halves_of(kept) == 1:
        return rounds_planned(options, seated)
    return sets_before(kept, kept["rounds"] + 1)


def _sets_to_come(kept: Mapping[str, Any], seated: int, tables: int) -> int:
    """Return the sets that matches with their own boards need in the draws to come."""
    drawn = -(-seated // halves_of(kept))
    left = range(drawn + 1, kept["rounds"] + 1)
    if kept.get("knockout"):
        return sum(_sets_of_a_bracket(kept, number, tables) for number in left)
    three = 3 * (tables % 2)  # a three-way match has three tables, other matches two
    return len(left) * ((tables - three) // 2 * halves_of(kept) + three)


def _sets_of_a_bracket(kept: Mapping[str, Any], drawn: int, tables: int) -> int:
    """Return the sets that one draw of a bracket needs; `tables` are those seated."""
    planned: int = kept["rounds"]
    segments: int = kept.get("segments", 1)
    halves, last, round_ = halves_of(kept), planned // segments, (drawn - 1) // segments
    # Each round of a bracket has half the matches of the round before, the last has one.
    after = 1 << (last - 1)
    if halves == 1 or round_:
        return halves * after >> round_
    # Three-way matches have one or two winners and three tables, other matches two tables.
    threes = tables - 2 * after if tables >= 2 * after else 2 * after - tables
    return (tables - 3 * threes) // 2 * halves + 3 * threes


def rounds_planned(options: Mapping[str, Any], seated: int) -> int:
    """Return the number of rounds: those seated, or those planned where more are drawn."""
    kept = options.get(DRAWN)
    return max(seated, kept["rounds"] * halves_of(kept)) if kept else seated


def is_knockout(options: Mapping[str, Any]) -> bool:
    """Return whether a bracket decides who meets, and not a draw."""
    return bool(options.get(DRAWN, {}).get("knockout"))


def undrawn_words(options: Mapping[str, Any], seated: int) -> str:
    """Describe the rounds that are still to be drawn; return "" if there are none."""
    last = rounds_planned(options, seated)
    if last <= seated:
        return ""
    if is_knockout(options):
        return _(
            "Who plays in a later round is known when the matches before it are won; the list "
            "on the wall and your phone will say where you sit."
        )
    if last == seated + 1:
        words = _(
            "Round %(round)s has not been drawn yet. The list on the wall and your phone will "
            "say where you sit."
        )
        return words % {"round": last}
    words = _(
        "Rounds %(first)s to %(last)s have not been drawn yet. Each is drawn from the scores "
        "before it; the list on the wall and your phone will say where you sit."
    )
    return words % {"first": seated + 1, "last": last}


def drawn_topics(plays: Mapping[int, int]) -> list[str]:
    """Describe the moves where rounds are drawn; `plays` counts the tables of each set."""
    return [
        _("Who plays whom is drawn for each round from the scores so far."),
        _(
            "When a round is over look at the list: it says your table, your side and your "
            "opponents."
        ),
        _boards_in_words(plays),
    ]


def _boards_in_words(plays: Mapping[int, int]) -> str:
    if len(plays) == 1:
        return _("All tables play the same boards in a round.")
    if max(plays.values()) == 2:
        return _(
            "The tables of a match share its boards: play one and pass it on. No other match "
            "plays them."
        )
    return _(
        "The tables of a match play the same boards; the three teams that play each other have "
        "boards that the others have not."
    )
