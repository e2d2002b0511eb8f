"""Tonight: the room with what to do next, as the director's page and its live parts show it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from hall.phones.calls import WaitingCall, calls_in_play, seen_calls
from hall.room.clock import ClockFace, clock_face, moves_between
from hall.room.next_bar import NextBar, next_bar
from hall.room.tiles import (
    WITH_NAMES,
    Hall,
    SectionLine,
    Tile,
    columns_of,
    section_lines,
    shown_section,
    tiles,
)
from hall.room.to_check import ResultToCheck, checks
from scoring.doubts.reading import best_of
from scoring.models import Agreement, Doubt, Result
from scoring.sheets.doubts import Doubts, doubts
from scoring.sittings import read_sittings
from tournaments.models import Session
from tournaments.visits import Visit

CHECKED_HERE = 5
"""Results to look at that stand on the page; of more there is a number, and the score page."""


@dataclass(frozen=True, slots=True)
class Tonight:
    """All that the page shows of a session in its room."""

    hall: Hall
    bar: NextBar
    calls: list[WaitingCall]
    doubts: Doubts
    checks: tuple[ResultToCheck, ...]  # what is to be looked at
    tiles: list[Tile]
    section: str  # the one shown; "" where all tables are
    sections: list[SectionLine]  # of a large hall
    stamp: str  # changes whenever anything on the page does

    @property
    def to_check(self) -> tuple[ResultToCheck, ...]:
        """The first few of what is to be looked at."""
        return self.checks[:CHECKED_HERE]

    @property
    def detail(self) -> str:
        """How much a tile says: "names", or its number and pips alone."""
        return "names" if len(self.hall.found.by_table) <= WITH_NAMES else "pips"

    @property
    def columns(self) -> int:
        """How many columns of tables the plan of the hall has; 0 where it has none."""
        return columns_of(self.hall, [(it.section, it.table) for it in self.tiles])

    @property
    def to_call(self) -> list[str]:
        """What is called out at the end of the round, sentence by sentence."""
        return moves_between(self.hall.found, self.hall.round) if self.next_round else []

    @property
    def next_round(self) -> int:
        """The round that is called next; 0 after the last."""
        return self.hall.round + 1 if self.hall.round < self.hall.last else 0

    @property
    def still_playing(self) -> str:
        """The tables that still play the round, where they are few enough to be named."""
        tables = self.hall.still_playing
        is_telling = self.hall.entered > 0 and len(tables) <= WITH_NAMES
        return ", ".join(tables) if is_telling else ""


def stamp_of(session: Session, face: ClockFace, calls: Sequence[WaitingCall]) -> str:
    """Write down what a page of the room shows: it is the same while nothing there changes."""
    told = Result.objects.filter(sitting__section__session=session).aggregate(
        kept=Count("pk", filter=Q(doubt=Doubt.KEPT)),
        awaited=Count("pk", filter=Q(agreement=Agreement.AWAITED)),
    )
    clock = f"{face.state}.{face.round}.{face.phase}"
    parts = (session.state, session.revision, told["kept"], told["awaited"], clock)
    return "-".join(map(str, (*parts, seen_calls(calls))))


def tonight(visit: Visit, session: Session, *, section: str = "") -> Tonight:
    """Read the room of a session: its tiles, what waits there, and what comes first."""
    calls = calls_in_play(session)
    face = clock_face(session)
    found = read_sittings(session)
    asked = doubts(found, best_of(session) if visit.is_directed else None)
    waits = checks(visit, found, asked)
    hall = Hall(
        found=found,
        face=face,
        asked={(each.sitting, each.board) for each in asked.asked},
        calling={each.table[1:] for each in calls},
        plan=session.event.club.room_plan,
    )
    shown = shown_section(hall, section)
    return Tonight(
        hall=hall,
        bar=next_bar(visit, hall, calls, asked, waits),
        calls=calls,
        doubts=asked,
        checks=waits,
        tiles=tiles(hall, shown),
        section=shown,
        sections=section_lines(hall) if shown else [],
        stamp=stamp_of(session, face, calls),
    )


def stamp_now(session: Session) -> str:
    """Write down the room as it is now, without reading all of it."""
    return stamp_of(session, clock_face(session), calls_in_play(session))
