"""The movement adviser's suggestions for an event, for its page and the API."""

from collections.abc import Mapping
from typing import Any

from tournaments.entry_words import MIN_ENTRIES
from tournaments.models import Event
from tournaments.movements import Suggestion, UnplayableMovement
from tournaments.movements.suggest import advise, build_turnout, list_helpful_changes
from tournaments.sheets.options import drop_same_seating

Contest = Event.Contest
UNIT_BY_CONTEST = {
    Contest.PAIRS: "pairs",
    Contest.TEAMS: "teams",
    Contest.INDIVIDUAL: "players",
    Contest.MEMORY: "pairs",
}


def list_advised(
    event: Event, count: int, preferences: Mapping[str, Any]
) -> tuple[list[Suggestion], list[str]]:
    """Return the suggested movements for a number of entries, and hints.

    The hints explain why there are no suggestions, and what would help. Both lists are empty
    if every movement needs more entries, or if the contest has no movements. `preferences` are
    those of `tournaments.movements.suggest.build_turnout`; None means a wish that is not
    given.
    """
    contest = Contest(event.contest)
    if count < MIN_ENTRIES[contest]:
        return [], []
    given_preferences = {
        name: value for name, value in preferences.items() if value is not None
    }
    try:
        evening = build_turnout(**(given_preferences | {UNIT_BY_CONTEST[contest]: count}))
        suggestions = advise(evening)
    except UnplayableMovement as error:
        return [], [str(error)]
    fitting = [
        suggestion
        for suggestion in suggestions
        if str(suggestion.movement.contest) == event.contest
    ]
    return drop_same_seating(fitting), list_helpful_changes(
        evening, suggestions
    ) if fitting else []
