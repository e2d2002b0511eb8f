"""The data of the room page: the tables, the open tasks and the next task."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from hall.phones.calls import WaitingCall, format_calls_version, list_session_calls
from hall.room.clock import ClockFace, build_clock_face, describe_round_moves
from hall.room.next_bar import NextTaskBar, build_next_task_bar
from hall.room.result_checks import ResultToCheck, list_results_to_check
from hall.room.tiles import (
    MAX_TABLES_WITH_NAMES,
    SectionSummary,
    SessionInPlay,
    Tile,
    build_tiles,
    choose_section,
    count_columns,
    list_section_summaries,
)
from scoring.doubts.open_doubts import load_best_play
from scoring.models import Agreement, Doubt, Result
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.doubts import SessionDoubts, list_session_doubts
from tournaments.event_access import EventAccess
from tournaments.models import Session

MAX_CHECKS_SHOWN = 5
"""The maximum number of results to check on the page; a link leads to the others."""


@dataclass(frozen=True, slots=True)
class RoomPage:
    """The data of the room page for one session."""

    session_in_play: SessionInPlay
    bar: NextTaskBar
    calls: list[WaitingCall]
    session_doubts: SessionDoubts
    checks: tuple[ResultToCheck, ...]  # the results that need a decision
    tiles: list[Tile]
    section_letter: str  # the letter of the section shown; "" for all tables
    sections: list[SectionSummary]  # the summary of each section, only in a large hall
    stamp: str  # a text that changes whenever anything on the page changes

    @property
    def first_checks(self) -> tuple[ResultToCheck, ...]:
        """The first results to check, up to the maximum that the page shows."""
        return self.checks[:MAX_CHECKS_SHOWN]

    @property
    def detail_level(self) -> str:
        """The level of detail of the tiles: "names", or only numbers and pips."""
        return (
            "names"
            if len(self.session_in_play.snapshot.rounds_by_table) <= MAX_TABLES_WITH_NAMES
            else "pips"
        )

    @property
    def column_count(self) -> int:
        """The number of table columns in the plan of the hall; 0 without a plan."""
        return count_columns(
            self.session_in_play,
            [(tile.section_letter, tile.table_number) for tile in self.tiles],
        )

    @property
    def announcements(self) -> list[str]:
        """The sentences that the director announces at the end of the round."""
        return (
            describe_round_moves(self.session_in_play.snapshot, self.session_in_play.round)
            if self.next_round
            else []
        )

    @property
    def next_round(self) -> int:
        """The round that the director calls next; 0 after the last round."""
        return (
            self.session_in_play.round + 1
            if self.session_in_play.round < self.session_in_play.last_round
            else 0
        )

    @property
    def playing_table_names(self) -> str:
        """The names of the tables still playing the round; empty if there are too many."""
        table_names = self.session_in_play.playing_table_names
        is_list_short_enough = (
            self.session_in_play.entered_count > 0 and len(table_names) <= MAX_TABLES_WITH_NAMES
        )
        return ", ".join(table_names) if is_list_short_enough else ""


def compute_version_stamp(
    session: Session, clock_face: ClockFace, calls: Sequence[WaitingCall]
) -> str:
    """Return a version stamp that changes whenever the contents of the room page change."""
    result_counts = Result.objects.filter(sitting__section__session=session).aggregate(
        kept=Count("pk", filter=Q(doubt=Doubt.KEPT)),
        awaited=Count("pk", filter=Q(agreement=Agreement.AWAITED)),
    )
    clock_text = f"{clock_face.state}.{clock_face.round}.{clock_face.phase}"
    stamp_parts = (
        session.state,
        session.revision,
        result_counts["kept"],
        result_counts["awaited"],
        clock_text,
    )
    return "-".join(map(str, (*stamp_parts, format_calls_version(calls))))


def build_room_page(
    access: EventAccess, session: Session, *, section_letter: str = ""
) -> RoomPage:
    """Return the data of the room page for a session, or for one section of it."""
    calls = list_session_calls(session)
    clock_face = build_clock_face(session)
    snapshot = load_session_snapshot(session)
    session_doubts = list_session_doubts(
        snapshot, load_best_play(session) if access.can_direct else None
    )
    checks = list_results_to_check(access, snapshot, session_doubts)
    session_in_play = SessionInPlay(
        snapshot=snapshot,
        clock_face=clock_face,
        queried_plays={
            (queried_result.sitting_id, queried_result.board_number)
            for queried_result in session_doubts.queried_results
        },
        calling_tables={waiting_call.table_key[1:] for waiting_call in calls},
        room_plan=session.event.club.room_plan,
    )
    shown_section_letter = choose_section(session_in_play, section_letter)
    return RoomPage(
        session_in_play=session_in_play,
        bar=build_next_task_bar(access, session_in_play, calls, session_doubts, checks),
        calls=calls,
        session_doubts=session_doubts,
        checks=checks,
        tiles=build_tiles(session_in_play, shown_section_letter),
        section_letter=shown_section_letter,
        sections=list_section_summaries(session_in_play) if shown_section_letter else [],
        stamp=compute_version_stamp(session, clock_face, calls),
    )


def load_current_version_stamp(session: Session) -> str:
    """Return the current version stamp of the room page without loading all its data."""
    return compute_version_stamp(
        session, build_clock_face(session), list_session_calls(session)
    )
