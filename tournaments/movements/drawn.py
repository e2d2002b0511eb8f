"""Rounds that are drawn one after another: what is said where a schedule would stand."""

from collections.abc import Mapping
from typing import Any

from boards.whist.words import gettext as _

DRAWN = "swiss"
"""The movement of a section whose rounds are drawn from the scores (tournaments.swiss)."""


SETS_OF_A_DRAW = 3
"""Where three play each other a draw needs three sets: two for every match, one for them."""


def halves_of(kept: Mapping[str, Any]) -> int:
    """In how many rounds of the section a round that is drawn is played."""
    return 2 if kept.get("three_way") else 1


def sets_planned(options: Mapping[str, Any], seated: int) -> int:
    """How many sets of boards all the rounds need, drawn or not; one for each elsewhere."""
    kept = options.get(DRAWN)
    if not kept or halves_of(kept) == 1:
        return rounds_planned(options, seated)
    return int(kept["rounds"]) * SETS_OF_A_DRAW


def rounds_planned(options: Mapping[str, Any], seated: int) -> int:
    """How many rounds are to be played: those seated, or those planned where more are drawn."""
    kept = options.get(DRAWN)
    return max(seated, kept["rounds"] * halves_of(kept)) if kept else seated


def undrawn_words(options: Mapping[str, Any], seated: int) -> str:
    """Say which rounds are still to be drawn; "" where none is."""
    last = rounds_planned(options, seated)
    if last <= seated:
        return ""
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


def drawn_topics() -> list[str]:
    """Say how everybody moves where rounds are drawn."""
    return [
        _("Who plays whom is drawn for each round from the scores so far."),
        _(
            "When a round is over look at the list: it says your table, your side and your "
            "opponents."
        ),
        _("All tables play the same boards in a round."),
    ]
