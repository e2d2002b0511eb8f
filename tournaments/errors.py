"""Errors of events, with messages for users."""

from boards.whist import WhistError
from clubs.errors import NotNow

__all__ = [
    "DayRefused",
    "EntryRefused",
    "NotNow",
    "RosterRefused",
    "SeatingRefused",
    "SecondPlayRefused",
    "TrumpsRefused",
]


class DayRefused(WhistError):
    """A day outside the range that calendars accept."""

    code = "day_refused"


class EntryRefused(WhistError):
    """An invalid entry: a name missing, a name twice, a player entered already."""

    code = "entry_refused"


class RosterRefused(WhistError):
    """A list of entries with problems; nothing of it was stored."""

    code = "roster_refused"

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


class TrumpsRefused(WhistError):
    """A way of finding trumps that not all players agreed to, or that the boards rule out."""

    code = "trumps_refused"


class SecondPlayRefused(WhistError):
    """A change of the second play's suits that the event or its state does not allow."""

    code = "second_play_refused"


class SeatingRefused(WhistError):
    """A movement and a list of entries that do not match."""

    code = "seating_refused"
