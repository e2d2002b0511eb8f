"""Undo of acts of an event or a club, each with its own table of inverses."""

from django.db import transaction

import clubs.undo
from clubs import audit
from clubs.audit import Actor
from clubs.models import Act, Club
from hall.history.inverses import CLUB_INVERSES, INVERSES
from tournaments.models import Event


def undo_event_act(*, event: Event, act: Act, by: Actor) -> None:
    """Undo an act of an event; raise NotNow if that is impossible."""
    event = Event.objects.select_related("club").get(pk=event.pk)
    clubs.undo.undo_recorded_act(audit.list_acts(event), act, INVERSES, event=event, by=by)


@transaction.atomic
def undo_request_acts(*, event: Event, act: Act, since: int, by: Actor) -> int:
    """Undo all acts of one request, the last first, atomically.

    These are the acts of the same kind by the same login from `since` to this one; acts that
    were already undone are skipped. Returns the number of acts. Raises NotNow as
    `undo_event_act` does.
    """
    alike = audit.list_acts(event).filter(action=act.action, by=act.by, undoes=None)
    found = [act, *alike.filter(pk__gte=since, pk__lt=act.pk)]
    for each in found:
        undo_event_act(event=event, act=each, by=by)
    return len(found)


def undo_club_act(*, club: Club, act: Act, by: Actor) -> None:
    """Undo an act of a club outside its events; raise NotNow if that is impossible."""
    clubs.undo.undo_recorded_act(audit.list_acts(club), act, CLUB_INVERSES, club=club, by=by)
