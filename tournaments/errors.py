"""Errors of events, with messages for users."""

from boards.whist import WhistError
from clubs.errors import ActionUnavailable

__all__ = [
    "ActionUnavailable",
    "InvalidDay",
    "InvalidEntry",
    "InvalidRoster",
    "InvalidSeating",
    "InvalidSecondPlay",
    "InvalidTrumps",
]


class InvalidDay(WhistError):
    """A day outside the range that calendars accept."""

    code = "day_refused"


class InvalidEntry(WhistError):
    """An entry is invalid, e.g. a name is missing or a player is already entered."""

    code = "entry_refused"


class InvalidRoster(WhistError):
    """A list of entries has problems, so none of its entries was stored."""

    code = "roster_refused"

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


class InvalidTrumps(WhistError):
    """A trump rule to which not all players agreed, or that the boards do not allow."""

    code = "trumps_refused"


class InvalidSecondPlay(WhistError):
    """A change of the second play's suits that the event or its state does not allow."""

    code = "second_play_refused"


class InvalidSeating(WhistError):
    """A movement that does not match the list of entries."""

    code = "seating_refused"
