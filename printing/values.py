"""The heading of pages and papers of an event."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a page or paper."""

    club_name: str
    event_name: str
    date: date
    session_number: int = 1
    session_count: int = 1
    section_letter: str = ""  # the section's letter, or "" if there is only one section
    entry_kind: str = ""  # the kind of entry, "a player" or "a team"; "" for a pair
