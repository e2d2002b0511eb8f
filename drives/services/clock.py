"""Services for the clock of a drive, which restarts with each round."""

import clubs.evenings.services
from clubs.audit import Actor
from clubs.evenings.timetable import Pace
from clubs.models import RoundClock
from drives.models import Drive, HouseTerms
from drives.services.seat_changes import check_drive_open

MINUTES_PER_HAND = 6
MAX_ROUND_MINUTES = 240
CLOCK_ROUND_COUNT = 1
"""The clock counts only the round in play, not all rounds of the evening."""


def compute_default_round_minutes(hand_count: int) -> int:
    """Return the default minutes of a round: six minutes for each hand.

    We chose six minutes; no book gives a number.
    """
    return min(hand_count * MINUTES_PER_HAND, MAX_ROUND_MINUTES)


def get_round_minutes(drive: Drive) -> int:
    """Return the minutes of a drive's round: the club's setting, or the default."""
    house_terms = HouseTerms.objects.filter(club=drive.club_id).first()
    return (
        house_terms.terms.get("minutes") if house_terms else None
    ) or compute_default_round_minutes(drive.hands)


def set_round_minutes(*, drive: Drive, minutes: int, by: Actor) -> RoundClock:
    """Set the minutes of each round; raise ActionUnavailable for an invalid number."""
    check_drive_open(drive)
    return clubs.evenings.services.set_clock(
        evening=drive.evening, minutes=minutes, moving=0, subject=drive, by=by
    )


def start_clock(*, drive: Drive, by: Actor) -> RoundClock:
    """Start the clock of the round in play, or resume it after a pause."""
    check_drive_open(drive)
    return clubs.evenings.services.start_clock(
        evening=drive.evening,
        round_count=CLOCK_ROUND_COUNT,
        default_pace=Pace(get_round_minutes(drive), 0),
        subject=drive,
        by=by,
        should_shift_start=True,
    )


def pause_clock(*, drive: Drive, by: Actor) -> RoundClock:
    """Pause the clock."""
    return clubs.evenings.services.pause_clock(evening=drive.evening, subject=drive, by=by)


def add_minutes(*, drive: Drive, minutes: int, by: Actor) -> RoundClock:
    """Move the end of the round in play by `minutes`, which may be negative.

    The new end is never in the past.
    """
    return clubs.evenings.services.add_minutes_to_clock(
        evening=drive.evening,
        round_count=CLOCK_ROUND_COUNT,
        minutes=minutes,
        subject=drive,
        by=by,
    )


def stop_clock(*, drive: Drive, by: Actor) -> RoundClock:
    """Turn the clock off."""
    return clubs.evenings.services.reset_clock(evening=drive.evening, subject=drive, by=by)
