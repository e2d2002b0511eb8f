"""The services for a session's clock that depend on its rounds and its state."""

from django.utils.translation import gettext as _

import clubs.evenings.services
from clubs.audit import Actor
from clubs.errors import ActionUnavailable
from clubs.models import RoundClock
from hall.room.clock import count_rounds, get_default_pace
from tournaments.models import Session


def start_clock(*, session: Session, by: Actor, round_number: int = 1) -> RoundClock:
    """Start the clock with a round now, or resume it after a pause.

    Raises ActionUnavailable unless the session is open. A rehearsal enters no results while its
    clock is paused.
    """
    if session.state != Session.State.OPEN:
        raise ActionUnavailable(_("Start the session before the clock."))
    return clubs.evenings.services.start_clock(
        evening=session.evening,
        round_count=count_rounds(session),
        default_pace=get_default_pace(session),
        subject=session.event,
        by=by,
        round_number=round_number,
        should_shift_start=session.event.is_rehearsal,
    )


def add_minutes_to_clock(*, session: Session, minutes: int, by: Actor) -> RoundClock:
    """Add minutes to the current round or move; with negative minutes, shorten it.

    The phase ends now at the earliest.
    """
    return clubs.evenings.services.add_minutes_to_clock(
        evening=session.evening,
        round_count=count_rounds(session),
        minutes=minutes,
        subject=session.event,
        by=by,
    )


def end_phase(*, session: Session, by: Actor) -> RoundClock:
    """End the current round or move of the clock now."""
    return clubs.evenings.services.end_phase(
        evening=session.evening, round_count=count_rounds(session), subject=session.event, by=by
    )
