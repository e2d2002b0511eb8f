"""An event file once it is read: frozen values, every reference sound."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date as Date
from datetime import datetime
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
    deal: int = 1  # 2 after a new deal at this table, or one that shares its boards
    trump: str = ""  # that the table declared


@dataclass(frozen=True, slots=True)
class FiledRuling:
    """A ruling about a board at a table, or a penalty of an entry; fractions are exact text."""

    kind: str
    round: int = 0
    table: int = 0
    board: int = 0
    deal: int = 1
    entry: int = 0
    side: str = ""
    revokes: int | None = None
    won_before: int | None = None
    full: bool = False
    ns_tricks: str = ""
    ew_tricks: str = ""
    amount: str = ""
    trump_recorded: str = ""
    trump_turned: str = ""
    law: str = ""
    situation: str = ""
    reason: str = ""
    claimed_at: datetime | None = None


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
    rulings: tuple[FiledRuling, ...] = ()
    strays: Mapping[tuple[int, int], Sequence[tuple[int, int]]] = field(default_factory=dict)
    """By round and table, each board of its own and the one of another set played instead."""

    @property
    def entered(self) -> int:
        """How many boards have a result, or a ruling that stands for one."""
        boards = {(it.round, it.table, it.board) for it in self.results}
        for ruling in self.rulings:
            if ruling.kind in ("average", "adjusted"):
                boards.add((ruling.round, ruling.table, ruling.board))
        return len(boards)


@dataclass(frozen=True, slots=True)
class FiledSession:
    """The boards and sections of one session; `deals` is None when no cards are recorded."""

    number: int
    boards_a_round: int
    deals: Mapping[int, Deal] | None
    sections: tuple[FiledSection, ...]
    across_sections: bool = False
    date: Date | None = None  # where it is another than the event's

    @property
    def expected(self) -> int:
        """How many results the session should have."""
        tables = sum(len(section.movement.played) for section in self.sections)
        return tables * self.boards_a_round

    @property
    def entered(self) -> int:
        """How many results it has."""
        return sum(section.entered for section in self.sections)


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
    tie_breaks: tuple[str, ...] = ()
    carry_over: str = "1"
    revokes_read: str = "keep_tricks_above_average"
    whole_averages: bool = False
    unequal_boards: str = "per_board"
    by_corrected: bool = False
    totals_grow: str = "rounds"
    trumps: str = "turned"
    standings_shown: str = "always"
    paper_size: str = "A4"
