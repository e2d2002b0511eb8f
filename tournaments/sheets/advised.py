"""The adviser's list for an event, shared by its page and the API."""

from collections.abc import Mapping
from typing import Any

from tournaments.entry_words import MIN_ENTRIES
from tournaments.models import Event
from tournaments.movements import Suggestion, UnplayableMovement
from tournaments.movements.suggest import advise, advised_changes, evening_of
from tournaments.sheets.options import unlike

Contest = Event.Contest
UNITS = {
    Contest.PAIRS: "pairs",
    Contest.TEAMS: "teams",
    Contest.INDIVIDUAL: "players",
    Contest.MEMORY: "pairs",
}


def advised(
    event: Event, count: int, wishes: Mapping[str, Any]
) -> tuple[list[Suggestion], list[str]]:
    """List what suits a number of entries, best first, and what would let all play more.

    With an empty list the second value explains why and what would help. Both are empty where
    fewer are entered than any movement needs, or where the contest has no movements. `wishes`
    are those of `tournaments.movements.suggest.evening_of`, None for one not given.
    """
    contest = Contest(event.contest)
    if count < MIN_ENTRIES[contest]:
        return [], []
    asked = {name: value for name, value in wishes.items() if value is not None}
    try:
        evening = evening_of(**(asked | {UNITS[contest]: count}))
        found = advise(evening)
    except UnplayableMovement as refused:
        return [], [str(refused)]
    fitting = [each for each in found if str(each.movement.contest) == event.contest]
    return unlike(fitting), advised_changes(evening, found) if fitting else []
