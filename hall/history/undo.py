"""Undo of the acts of events and clubs, with their tables of inverse functions."""

from django.db import transaction

import clubs.undo
from clubs import audit
from clubs.audit import Actor
from clubs.models import Act, Club
from hall.history.inverses import CLUB_INVERSES, INVERSES
from tournaments.models import Event


def undo_event_act(*, event: Event, act: Act, by: Actor) -> bool:
    """Undo an act of an event; return False if it was already undone.

    Raises ActionUnavailable if the act cannot be undone.
    """
    event = Event.objects.select_related("club").get(pk=event.pk)
    acts = audit.list_acts(event)
    return clubs.undo.undo_recorded_act(acts, act, INVERSES, event=event, by=by)


@transaction.atomic
def undo_request_acts(*, event: Event, act: Act, first_act_pk: int, by: Actor) -> int:
    """Undo all acts of one request, last first; atomic. Return the number of undone acts.

    These are the acts of the same kind by the same user, from the primary key `first_act_pk`
    to `act`. Acts that were already undone are skipped. Raises ActionUnavailable like
    `undo_event_act`.
    """
    similar_acts = audit.list_acts(event).filter(action=act.action, by=act.by, undoes=None)
    request_acts = [act, *similar_acts.filter(pk__gte=first_act_pk, pk__lt=act.pk)]
    return sum(
        undo_event_act(event=event, act=recorded_act, by=by) for recorded_act in request_acts
    )


def undo_club_act(*, club: Club, act: Act, by: Actor) -> bool:
    """Undo an act of a club that belongs to no event; return False if it was already undone.

    Raises ActionUnavailable if the act cannot be undone.
    """
    acts = audit.list_acts(club)
    return clubs.undo.undo_recorded_act(acts, act, CLUB_INVERSES, club=club, by=by)
