"""The edition of printed standings: their version, and the corrections before it."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Correction:
    """A change after a session was closed, for public pages: the text names no author."""

    made_at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Edition:
    """The version of the standings that a paper shows, and the corrections up to it."""

    computed_at: datetime | None  # the time of the stored version, else of the computation
    number: int = 0  # the number of the stored version; 0 before the close
    reason: str = ""  # the reason for that version
    corrections: tuple[Correction, ...] = ()
