"""A small championship in stages, created only through the services."""

from datetime import date

import scoring.services
import tournaments.services
from scoring.tasks import recompute_standings
from server.models import User
from tests import evenings
from tests.copies import build_once
from tournaments.models import Event, Session
from tournaments.movements import build_named_movement
from tournaments.stages.rules import StageRules


@build_once
def play_qualifying(pairs: int = 12, movement: str = "howell") -> tuple[Event, User]:
    """Return a qualifying session that is played and closed."""
    session, user = evenings.play_session(pairs, movement=movement)
    scoring.services.close_session(session=session, by=user)
    recompute_standings(session.event_id)
    return Event.objects.select_related("club", "terms").get(pk=session.event_id), user


RULE = StageRules(finals=(("A final", 4), ("B final", 4), ("Consolation", None)))


def seat_event(event: Event, user: User, pairs: int, movement: str = "howell") -> Session:
    """Seat an event of this many pairs by a movement and start it."""
    session = event.sessions.get()
    tournaments.services.seat_section(
        session=session,
        movement=build_named_movement(movement, pairs=pairs),
        boards_a_round=2,
        by=user,
    )
    session.refresh_from_db()
    return session


NEXT_DAY = date(2026, 3, 11)
