"""Undo of acts of an event or a club, each with its own table of inverses."""

from django.db import transaction

import clubs.undoing
from clubs import audit
from clubs.audit import Actor
from clubs.models import Act, Club
from hall.history.inverses import CLUB_INVERSES, INVERSES
from tournaments.models import Event


def take_back(*, event: Event, act: Act, by: Actor) -> None:
    """Undo an act of an event; raise NotNow if that is impossible."""
    event = Event.objects.select_related("club").get(pk=event.pk)
    clubs.undoing.take_back(audit.history(event), act, INVERSES, event=event, by=by)


@transaction.atomic
def take_back_with(*, event: Event, act: Act, since: int, by: Actor) -> int:
    """Undo all acts of one request, the last first, atomically.

    These are the acts of the same kind by the same login from `since` to this one; acts that
    were already undone are skipped. Returns the number of acts. Raises NotNow as `take_back`
    does.
    """
    alike = audit.history(event).filter(action=act.action, by=act.by, undoes=None)
    found = [act, *alike.filter(pk__gte=since, pk__lt=act.pk)]
    for each in found:
        take_back(event=event, act=each, by=by)
    return len(found)


def take_back_of_club(*, club: Club, act: Act, by: Actor) -> None:
    """Undo an act of a club outside its events; raise NotNow if that is impossible."""
    clubs.undoing.take_back(audit.history(club), act, CLUB_INVERSES, club=club, by=by)
