"""A club with an event, a drive and a rubber night, for walks over all states."""

from datetime import date
from typing import Any

import drives.services
import hall.challenges.services
import hall.phones.services
import rubbers.services
import scoring.services
import tournaments.services
from clubs.activities.services import archive
from clubs.archives.relocation import mark_club_as_moved
from clubs.models import Club
from config.archives import ARCHIVE_SPEC
from drives.models import Drive
from rubbers.models import RubberNight
from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tests.browser.drives import NAMES
from tournaments.models import Event
from tournaments.movements import build_named_movement


class ActivityScenario:
    """A club whose event, drive and rubber night change their states together."""

    def __init__(self) -> None:
        event, self.user = evenings.create_event()
        self.club: Club = event.club
        self.event: Event = event
        day = {"club": self.club, "date": date(2026, 3, 10), "by": self.user}
        self.drive: Drive = drives.services.create_drive(
            **day,
            name="Drive",
            form="social",
            rounds=2,
            is_started=False,
            players=[drives.services.NewPlayer(name=name) for name in NAMES],
        )
        self.night: RubberNight = rubbers.services.create_rubber_night(
            **day,
            name="Rubbers",
            code="pole",
            players=[rubbers.services.NewRubberPlayer(name=name) for name in NAMES[:5]],
        )

    def seat(self) -> None:
        """Choose a movement and seat the entries."""
        tournaments.services.seat_section(
            session=self.event.sessions.get(),
            movement=build_named_movement("compass", pairs=6),
            boards_a_round=2,
            by=self.user,
        )

    def begin(self) -> None:
        """Start play, and record one result, one score and one hand."""
        session = scoring.services.open_session(session=self.event.sessions.get(), by=self.user)
        table = next(
            table for table in load_session_snapshot(session).tables if table.is_played
        )
        evenings.enter_result(session, table.sitting_id, table.boards[0], "7", self.user)
        drives.services.begin_next_round(drive=self.drive, shown_round_number=0, by=self.user)
        hall.phones.services.create_table_links(session=session, by=self.user)
        drives.services.enter_sheet(
            drive=self.drive, round_number=1, table=1, score=[7], by=self.user
        )
        table_arguments: dict[str, Any] = {
            "night": self.night,
            "table": 1,
            "spell": 1,
            "by": self.user,
        }
        rubbers.services.seat_next_players(
            **table_arguments, seating_mode="", seats=[1, 2, 3, 4]
        )
        hand = {"tricks": {"A": 9, "B": 4}}
        rubbers.services.record_hand(**table_arguments, number=1, hand=hand)
        hall.challenges.services.create_entry_links(event=self.event, by=self.user)
        drives.services.create_card_links(drive=self.drive, by=self.user)
        rubbers.services.create_marker_links(night=self.night, by=self.user)

    def close(self) -> None:
        """Close everything."""
        scoring.services.close_session(session=self.event.sessions.get(), by=self.user)
        drives.services.close_drive(drive=self.drive, anyway=True, by=self.user)
        rubbers.services.close_rubber_night(night=self.night, by=self.user)

    def archive(self) -> None:
        """Archive everything."""
        tournaments.services.archive_event(event=self.event, by=self.user)
        archive(activity=self.drive, by=self.user)
        archive(activity=self.night, by=self.user)

    def move(self) -> None:
        """Move the club to another server."""
        new_server_url = "https://whist.example.org"
        mark_club_as_moved(
            club=self.club, new_url=new_server_url, spec=ARCHIVE_SPEC, by=self.user
        )
