"""The services for a session's clock that depend on its rounds and on play."""

from django.utils.translation import gettext as _

import clubs.evenings.services
from clubs.audit import Actor
from clubs.errors import NotNow
from clubs.models import RoundClock
from hall.room.clock import count_rounds, get_default_pace
from tournaments.models import Session


def start_clock(*, session: Session, by: Actor, round_: int = 1) -> RoundClock:
    """Start a round now, or resume after a pause; raise NotNow unless the session is in play.

    In a rehearsal no result is entered while the clock is paused.
    """
    if session.state != Session.State.OPEN:
        raise NotNow(_("Open the session first; then the clock can start."))
    return clubs.evenings.services.start_clock(
        evening=session.evening,
        rounds=count_rounds(session),
        usual=get_default_pace(session),
        about=session.event,
        by=by,
        round_=round_,
        stood_still=session.event.is_rehearsal,
    )


def add_to_clock(*, session: Session, minutes: int, by: Actor) -> RoundClock:
    """Lengthen or shorten the current round or move, which ends now at the earliest."""
    return clubs.evenings.services.add_to_clock(
        evening=session.evening,
        rounds=count_rounds(session),
        minutes=minutes,
        about=session.event,
        by=by,
    )


def end_phase(*, session: Session, by: Actor) -> RoundClock:
    """End the current round or move."""
    return clubs.evenings.services.end_phase(
        evening=session.evening, rounds=count_rounds(session), about=session.event, by=by
    )
