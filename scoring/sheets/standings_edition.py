"""Which standings a paper shows, for it does not follow what changes."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Correction:
    """One change after the closing: when, and what in words; nobody's login is named."""

    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Edition:
    """Which standings a paper was printed from, and what was corrected before that."""

    at: datetime | None  # when they were kept, or computed where none are kept
    number: int = 0  # of the version that was kept; 0 before the close
    reason: str = ""  # what made that version
    corrections: tuple[Correction, ...] = ()
