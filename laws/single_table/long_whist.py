"""The laws of long whist, which are Pole's laws of whist without the laws on scoring.

Townsend's manual, the program's source for long whist, explains only the scoring.
"""

from dataclasses import replace

from laws.single_table.pole import POLE
from server.translation import gettext_noop as _

_SCORING_LAW_NUMBERS = {str(number) for number in range(2, 13)}
"""Pole's laws on scoring, which are those of short whist."""

LONG_WHIST = replace(
    POLE,
    code="long",
    short_title=_("Long whist"),
    title=_("Laws of whist (long whist)"),
    note=_(
        "Our source for long whist, Townsend’s manual, has a score but no laws of play. "
        "These are Pole’s, without laws 2–12 on scoring. Game, honours and the penalty for "
        "a revoke follow the night’s terms."
    ),
    chapters=tuple(
        chapter
        for chapter in POLE.chapters
        if not _SCORING_LAW_NUMBERS & {rule.number for rule in chapter.rules}
    ),
    rulings={
        code: remaining_numbers
        for code, numbers in POLE.rulings.items()
        if (
            remaining_numbers := tuple(
                number for number in numbers if number not in _SCORING_LAW_NUMBERS
            )
        )
    },
)
