"""What every page and paper of an evening says first."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Heading:
    """What every page and paper says first."""

    club: str
    event: str
    date: date
    session: int = 1
    sessions: int = 1
    section: str = ""  # the letter, empty where there is only one section
    one: str = ""  # what takes part, in words: a pair unless it says a player or a team
