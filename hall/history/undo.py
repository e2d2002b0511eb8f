"""The acts of an event, or of its club, taken back: each history with its table of inverses."""

import clubs.undoing
from clubs import audit
from clubs.audit import Actor
from clubs.models import Act, Club
from hall.history.inverses import CLUB_INVERSES, INVERSES
from tournaments.models import Event


def take_back(*, event: Event, act: Act, by: Actor) -> None:
    """Put back what stood before an act of an event; raise NotNow where that cannot be."""
    event = Event.objects.select_related("club").get(pk=event.pk)
    clubs.undoing.take_back(audit.history(event), act, INVERSES, event=event, by=by)


def take_back_of_club(*, club: Club, act: Act, by: Actor) -> None:
    """Do the same for what was done to a club besides its events."""
    clubs.undoing.take_back(audit.history(club), act, CLUB_INVERSES, club=club, by=by)
