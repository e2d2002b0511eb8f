"""Any act of an event's history taken back in one step; that is an act itself."""

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.services.inverses import INVERSES
from tournaments import audit
from tournaments.audit import Actor
from tournaments.errors import NotNow
from tournaments.models import AuditEntry, Event
from tournaments.undoing import standing


@transaction.atomic
def take_back(*, event: Event, act: AuditEntry, by: Actor) -> None:
    """Put back what stood before an act; taken back twice it is one change.

    Raises NotNow when something newer about the same thing stands, when the act cannot be taken
    back, or with the reason of the act that would undo it.
    """
    # A double click races; the row of the event is left to the services, which lock in turn.
    act = audit.history(event).select_for_update().get(pk=act.pk)
    if hasattr(act, "undone_by"):
        return
    if not act.back.get("call"):
        raise NotNow(_("This cannot be taken back; it stands in the history."))
    if act.pk not in standing(audit.history(event)):
        raise NotNow(
            _("Something newer has changed the same thing. Take that back first: it is above.")
        )
    event = Event.objects.select_related("club").get(pk=event.pk)
    with audit.taking_back(act):
        INVERSES[act.back["call"]](event=event, by=by, **act.back["given"])
    if not AuditEntry.objects.filter(undoes=act).exists():
        raise NotNow(_("It is so already; nothing was left to take back."))
