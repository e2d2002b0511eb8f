"""The acts of an event, or of its club, taken back: each history with its table of inverses."""

from django.db import transaction

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


@transaction.atomic
def take_back_with(*, event: Event, act: Act, since: int, by: Actor) -> int:
    """Put back what one press did in many acts, the last first, or nothing of it.

    They are the acts of the same kind by the same login from `since` to this one; those that
    were taken back already are passed over. Returns how many there are. Raises NotNow as
    `take_back` does.
    """
    alike = audit.history(event).filter(action=act.action, by=act.by, undoes=None)
    found = [act, *alike.filter(pk__gte=since, pk__lt=act.pk)]
    for each in found:
        take_back(event=event, act=each, by=by)
    return len(found)


def take_back_of_club(*, club: Club, act: Act, by: Actor) -> None:
    """Do the same for what was done to a club besides its events."""
    clubs.undoing.take_back(audit.history(club), act, CLUB_INVERSES, club=club, by=by)
