"""The clock of a drive's round in play: each round is called, and begins it anew."""

import clubs.evenings.services
from clubs.audit import Actor
from clubs.evenings.timetable import Pace
from clubs.models import RoundClock
from drives.models import Drive, HouseTerms
from drives.services.changes import still_open

MINUTES_A_HAND = 6
MAX_ROUND_MINUTES = 240
ONE = 1
"""The clock's timetable has the round in play alone."""


def usual_minutes(hands: int) -> int:
    """How long a round is where nobody has said: six minutes a hand. House rule."""
    return min(hands * MINUTES_A_HAND, MAX_ROUND_MINUTES)


def minutes_of(drive: Drive) -> int:
    """How long a round is where nobody has said: as the house has it, or as usual."""
    row = HouseTerms.objects.filter(club=drive.club_id).first()
    return (row.terms.get("minutes") if row else None) or usual_minutes(drive.hands)


def set_minutes(*, drive: Drive, minutes: int, by: Actor) -> RoundClock:
    """Say how many minutes a round has; raise NotNow for what no round has."""
    still_open(drive)
    return clubs.evenings.services.set_clock(
        evening=drive.evening, minutes=minutes, moving=0, about=drive, by=by
    )


def start_clock(*, drive: Drive, by: Actor) -> RoundClock:
    """Begin the round in play by the clock now, or go on after a pause."""
    still_open(drive)
    return clubs.evenings.services.start_clock(
        evening=drive.evening,
        rounds=ONE,
        usual=Pace(minutes_of(drive), 0),
        about=drive,
        by=by,
        stood_still=True,
    )


def pause_clock(*, drive: Drive, by: Actor) -> RoundClock:
    """Stop the clock where it stands."""
    return clubs.evenings.services.pause_clock(evening=drive.evening, about=drive, by=by)


def add_minutes(*, drive: Drive, minutes: int, by: Actor) -> RoundClock:
    """Make the round in play longer or shorter; it ends now at the soonest."""
    return clubs.evenings.services.add_to_clock(
        evening=drive.evening, rounds=ONE, minutes=minutes, about=drive, by=by
    )


def stop_clock(*, drive: Drive, by: Actor) -> RoundClock:
    """Play without a clock from now on."""
    return clubs.evenings.services.reset_clock(evening=drive.evening, about=drive, by=by)
