"""The heading of every page and paper of an evening."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a page or paper."""

    club: str
    event: str
    date: date
    session: int = 1
    sessions: int = 1
    section: str = ""  # the letter, empty if there is only one section
    one: str = ""  # the kind of entry in words: a player or a team; empty for a pair
