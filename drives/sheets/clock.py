"""Builds the clock of a drive's round in play for pages and their JSON data."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from clubs.models import RoundClock
from drives.models import Drive
from drives.sheets.desk import format_movement_rule
from drives.snapshot import load_drive_snapshot


@dataclass(frozen=True, slots=True)
class DriveClock:
    """The clock at one moment; the names of the fields are keys of the JSON for pages."""

    state: str  # "off", "running", "paused", "over"
    round: int
    rounds: int | None
    left: int  # the number of seconds until the end of the round
    now: datetime
    until: datetime | None  # the end of the round; None if the clock is not running
    minutes: int  # the length of a round in minutes; 0 if it is not set
    phase: str = "playing"  # or "closed" after the close
    moves: tuple[str, ...] = ()  # the moves after the round, in words
    late: tuple[str, ...] = ()  # always empty; the JSON of duplicate events has this key too
    following: tuple[str, ...] = ()  # always empty: the organiser calls the next round
    begun: bool = False  # whether play has begun while the clock is off


def build_clock(drive: Drive, moves: tuple[str, ...] = ()) -> DriveClock:
    """Return the clock of a drive; `moves` are sentences about the moves after the round."""
    clock = RoundClock.objects.filter(evening=drive.evening_id).first()
    now = timezone.now()
    minutes = clock.minutes if clock else 0
    is_clock_off = clock is None or clock.started_at is None or not drive.at_round
    if is_clock_off or drive.is_closed or clock is None:
        clock_state = "over" if drive.is_closed else "off"
        return DriveClock(
            state=clock_state,
            round=drive.at_round,
            rounds=drive.rounds,
            left=0,
            now=now,
            until=None,
            minutes=minutes,
            phase="closed" if drive.is_closed else "playing",
            begun=drive.state == Drive.State.OPEN and drive.at_round > 0,
        )
    clock_moment = clock.compute_moment(1, now)
    clock_state = (
        "over" if clock_moment.phase == "over" else "paused" if clock.paused_at else "running"
    )
    return DriveClock(
        state=clock_state,
        round=drive.at_round,
        rounds=drive.rounds,
        left=round(clock_moment.time_left.total_seconds()),
        now=now,
        until=now + clock_moment.time_left if clock_state == "running" else None,
        minutes=minutes,
        moves=moves,
    )


def load_clock(drive: Drive) -> DriveClock:
    """Return the clock of a drive, with the moves after the round unless it is the last one."""
    is_last_round = drive.rounds is not None and drive.at_round >= drive.rounds
    return build_clock(
        drive, () if is_last_round else (format_movement_rule(load_drive_snapshot(drive)),)
    )
