"""The laws of long whist, which are Pole's laws of whist without the laws on scoring.

Townsend's manual, the program's source for long whist, explains only the scoring.
"""

from dataclasses import replace

from laws.single_table.pole import POLE_LAW_BOOK
from server.translation import gettext_noop as _

_SCORING_LAW_NUMBERS = {str(law_number) for law_number in range(2, 13)}
"""Pole's laws on scoring, which are those of short whist."""

LONG_WHIST_LAW_BOOK = replace(
    POLE_LAW_BOOK,
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
        for chapter in POLE_LAW_BOOK.chapters
        if not _SCORING_LAW_NUMBERS & {rule.number for rule in chapter.rules}
    ),
    law_numbers_by_incident={
        code: remaining_law_numbers
        for code, law_numbers in POLE_LAW_BOOK.law_numbers_by_incident.items()
        if (
            remaining_law_numbers := tuple(
                law_number
                for law_number in law_numbers
                if law_number not in _SCORING_LAW_NUMBERS
            )
        )
    },
)
