"""The clock of a session: what its acts need to know of the rounds and of play."""

from django.utils.translation import gettext as _

import clubs.evenings.services
from clubs.audit import Actor
from clubs.errors import NotNow
from clubs.models import RoundClock
from hall.room.clock import rounds_of, usual_pace
from tournaments.models import Session


def start_clock(*, session: Session, by: Actor, round_: int = 1) -> RoundClock:
    """Begin a round now, or go on after a pause. Raises NotNow unless the session is in play.

    In a rehearsal nobody plays on while the clock is paused.
    """
    if session.state != Session.State.OPEN:
        raise NotNow(_("Open the session first; then the clock can start."))
    return clubs.evenings.services.start_clock(
        evening=session.evening,
        rounds=rounds_of(session),
        usual=usual_pace(session),
        about=session.event,
        by=by,
        round_=round_,
        stood_still=session.event.is_rehearsal,
    )


def add_to_clock(*, session: Session, minutes: int, by: Actor) -> RoundClock:
    """Make the round or the move that is on longer or shorter; it ends now at the soonest."""
    return clubs.evenings.services.add_to_clock(
        evening=session.evening,
        rounds=rounds_of(session),
        minutes=minutes,
        about=session.event,
        by=by,
    )


def end_phase(*, session: Session, by: Actor) -> RoundClock:
    """End the round, or the move, that is on now."""
    return clubs.evenings.services.end_phase(
        evening=session.evening, rounds=rounds_of(session), about=session.event, by=by
    )
