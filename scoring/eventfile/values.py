"""An event file once it is read: frozen values, every reference sound."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date as Date
from typing import Any

from boards.whist import Deal
from tournaments.movements import Movement


@dataclass(frozen=True, slots=True)
class FiledEntry:
    """An entry and the names of its players, in its order."""

    number: int
    name: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FiledResult:
    """The tricks N-S took on one board at one table; None when it was not played."""

    round: int
    table: int
    board: int
    ns_tricks: int | None


@dataclass(frozen=True, slots=True)
class FiledSection:
    """A movement, who took which place of it, and what happened."""

    letter: str
    movement: Movement
    options: Mapping[str, Any]
    """What the movement was built with besides its name, tables and rounds."""
    seating: Mapping[int, int]
    """Entry numbers by the number of the place."""
    results: tuple[FiledResult, ...]


@dataclass(frozen=True, slots=True)
class FiledSession:
    """The boards and sections of one session; `deals` is None when no cards are recorded."""

    number: int
    boards_a_round: int
    deals: Mapping[int, Deal] | None
    sections: tuple[FiledSection, ...]

    @property
    def expected(self) -> int:
        """How many results the session should have."""
        tables = sum(len(section.movement.played) for section in self.sections)
        return tables * self.boards_a_round

    @property
    def entered(self) -> int:
        """How many results it has."""
        return sum(len(section.results) for section in self.sections)


@dataclass(frozen=True, slots=True)
class EventFile:
    """A whole event as one file holds it."""

    club: str
    name: str
    date: Date
    contest: str
    method: str
    players: tuple[str, ...]
    entries: tuple[FiledEntry, ...]
    sessions: tuple[FiledSession, ...]
