"""The movement adviser's suggestions for an event, for its page and the API."""

from collections.abc import Mapping
from typing import Any

from tournaments.entry_words import MIN_ENTRIES
from tournaments.models import Event
from tournaments.movements import Suggestion, UnplayableMovement
from tournaments.movements.suggest import (
    build_turnout,
    list_helpful_changes,
    list_suggestions_or_raise,
)
from tournaments.sheets.options import drop_duplicate_suggestions

Contest = Event.Contest
UNIT_BY_CONTEST = {
    Contest.PAIRS: "pairs",
    Contest.TEAMS: "teams",
    Contest.INDIVIDUAL: "players",
    Contest.MEMORY: "pairs",
}


def list_suggestions_for_event(
    event: Event, entry_count: int, limits: Mapping[str, Any]
) -> tuple[list[Suggestion], list[str]]:
    """Return the suggested movements for a number of entries, and hints.

    The hints explain why there are no suggestions, and what would help. Both lists are empty
    if every movement needs more entries, or if the contest has no movements. `limits` are
    arguments of `tournaments.movements.suggest.build_turnout`. A value of None is ignored.
    """
    contest = Contest(event.contest)
    if entry_count < MIN_ENTRIES[contest]:
        return [], []
    given_limits = {
        limit_name: limit_value
        for limit_name, limit_value in limits.items()
        if limit_value is not None
    }
    try:
        turnout = build_turnout(**(given_limits | {UNIT_BY_CONTEST[contest]: entry_count}))
        suggestions = list_suggestions_or_raise(turnout)
    except UnplayableMovement as error:
        return [], [str(error)]
    fitting_suggestions = [
        suggestion
        for suggestion in suggestions
        if str(suggestion.movement.contest) == event.contest
    ]
    return drop_duplicate_suggestions(fitting_suggestions), list_helpful_changes(
        turnout, suggestions
    ) if fitting_suggestions else []
