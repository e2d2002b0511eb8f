"""The data of Tonight: the hall and the next task, for the page and its live parts."""

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
from scoring.doubts.open_queries import load_best_play
from scoring.models import Agreement, Doubt, Result
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.doubts import SessionQueries, list_session_queries
from tournaments.models import Session
from tournaments.visits import Visit

CHECKED_HERE = 5
"""The maximum number of results to check on the page; the rest is a count with a link."""


@dataclass(frozen=True, slots=True)
class Tonight:
    """The contents of Tonight for one session."""

    hall: Hall
    bar: NextBar
    calls: list[WaitingCall]
    doubts: SessionQueries
    checks: tuple[ResultToCheck, ...]  # results to check
    tiles: list[Tile]
    section: str  # the one shown; "" if all tables are
    sections: list[SectionLine]  # of a large hall
    stamp: str  # changes whenever anything on the page does

    @property
    def to_check(self) -> tuple[ResultToCheck, ...]:
        """The first few results to check."""
        return self.checks[:CHECKED_HERE]

    @property
    def detail(self) -> str:
        """The level of detail of the tiles: "names", or only number and pips."""
        return "names" if len(self.hall.found.rounds_by_table) <= WITH_NAMES else "pips"

    @property
    def columns(self) -> int:
        """The number of table columns in the plan of the hall; 0 without a plan."""
        return columns_of(self.hall, [(it.section, it.table) for it in self.tiles])

    @property
    def to_call(self) -> list[str]:
        """The sentences to call out at the end of the round."""
        return moves_between(self.hall.found, self.hall.round) if self.next_round else []

    @property
    def next_round(self) -> int:
        """The next round to call; 0 after the last."""
        return self.hall.round + 1 if self.hall.round < self.hall.last else 0

    @property
    def still_playing(self) -> str:
        """The tables that still play the round, if they are few enough to name."""
        tables = self.hall.still_playing
        is_telling = self.hall.entered > 0 and len(tables) <= WITH_NAMES
        return ", ".join(tables) if is_telling else ""


def stamp_of(session: Session, face: ClockFace, calls: Sequence[WaitingCall]) -> str:
    """Return a version stamp of the page, which changes with its contents."""
    told = Result.objects.filter(sitting__section__session=session).aggregate(
        kept=Count("pk", filter=Q(doubt=Doubt.KEPT)),
        awaited=Count("pk", filter=Q(agreement=Agreement.AWAITED)),
    )
    clock = f"{face.state}.{face.round}.{face.phase}"
    parts = (session.state, session.revision, told["kept"], told["awaited"], clock)
    return "-".join(map(str, (*parts, seen_calls(calls))))


def tonight(visit: Visit, session: Session, *, section: str = "") -> Tonight:
    """Return the contents of Tonight for a session: its tiles, open tasks, and the next one."""
    calls = calls_in_play(session)
    face = clock_face(session)
    found = load_session_snapshot(session)
    asked = list_session_queries(found, load_best_play(session) if visit.is_directed else None)
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
    """Return the current version stamp without loading the whole page."""
    return stamp_of(session, clock_face(session), calls_in_play(session))
