"""The definition of a play form: its texts, and the functions that seat its rounds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.draw.evening import DrawPlan
from drives.draw.participants import Participants, PlayerId, SeatedRound
from drives.errors import UnplayableDrive
from drives.moves.table_result import TableResult
from server.translation import TranslatedField

MIN_MOVING_TABLES = 3


class SeatingTime(StrEnum):
    """When the seats of a round are known.

    BEFORE_PLAY is before the first round, ONE_ROUND_AHEAD is while the round before is played,
    and AFTER_RESULT is after the results of the round before.
    """

    BEFORE_PLAY = "ahead"
    ONE_ROUND_AHEAD = "one-round"
    AFTER_RESULT = "result"


RoundPlanner = Callable[[Participants, int, bytes], DrawPlan]
"""A function that draws an evening from participants, a number of rounds, and a secret."""

RoundDrawer = Callable[
    [Participants, bytes, Sequence[SeatedRound], Sequence[PlayerId]], SeatedRound
]
"""A function that draws the next round from participants, secret, rounds and standings."""

RoundMover = Callable[
    [Sequence[TableResult], dict[str, Any], Mapping[PlayerId, int] | None], SeatedRound
]
"""A function that returns the next round from table results, terms, and rests so far."""

CallFormatter = Callable[[dict[str, Any]], str]
"""A function that returns the call for the given terms."""


def give_no_warning(_player_count: int) -> str:
    """Return "", because the play form suits any number of players."""
    return ""


def format_draw_call(_terms: dict[str, Any]) -> str:
    """Return the call for play forms in which a draw seats all players."""
    return _("New partners: find your table and seat on the list.")


def format_partners_call(_terms: dict[str, Any]) -> str:
    """Return the call for play forms in which partners stay together."""
    return _("Partners stay together: find your table and seat on the list.")


def format_below_three_tables_warning(player_count: int) -> str:
    """Return a warning if there are too few tables for moves by results."""
    table_count = player_count // 4
    if table_count >= MIN_MOVING_TABLES:
        return ""
    message = ngettext(
        "With %(tables)s table, no one moves. Choose the social drive.",
        "With %(tables)s tables, up and down are the same. Choose social or progressive.",
        table_count,
    )
    return message % {"tables": table_count}


@dataclass(frozen=True, kw_only=True)
class DriveForm:
    """A play form of a drive, with all its texts for pages, commands and papers.

    `drawbacks` is shown before users choose a form. `format_warning` returns a warning for a
    number of players, or "". `terms` are the settings that a club may change, with their
    defaults. `plan_rounds` draws all rounds that can be known before play. A form whose seats
    are known one round ahead also has `draw_next_round`. A form in which results decide who
    moves has `move_players`. If `has_roles` is true, firsts sit in seats 1 and 2, and seconds
    in seats 3 and 4. If `has_fixed_partners` is true, pairs or forts stay together, and a new
    player can only take over the seats of another player.
    """

    code: str
    seating_time: SeatingTime
    plan_rounds: RoundPlanner
    title: TranslatedField = TranslatedField()
    blurb: TranslatedField = TranslatedField()
    drawbacks: TranslatedField = TranslatedField()
    terms: Mapping[str, object]
    has_roles: bool
    draw_next_round: RoundDrawer | None = None
    move_players: RoundMover | None = None
    format_call: CallFormatter = format_draw_call
    format_warning: Callable[[int], str] = give_no_warning
    has_fixed_partners: bool = False


def check_no_terms(form_code: str, terms: Mapping[str, Any]) -> None:
    """Raise UnplayableDrive if there are terms for a play form that has no settings."""
    for term in terms:
        message = _("Type “%(form)s” has no setting “%(term)s”.")
        raise UnplayableDrive(message % {"form": form_code, "term": term})
