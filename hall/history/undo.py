"""Any act of a history taken back in one step; that is an act itself."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor
from clubs.models import Act, Club
from clubs.undoing import standing
from hall.history.inverses import INVERSES
from tournaments.errors import NotNow
from tournaments.models import Event
from tournaments.services.inverses import CLUB_INVERSES, Inverse


@transaction.atomic
def take_back(*, event: Event, act: Act, by: Actor) -> None:
    """Put back what stood before an act of an event; taken back twice it is one change.

    Raises NotNow when something newer about the same thing stands, when the act cannot be taken
    back, or with the reason of the act that would undo it.
    """
    event = Event.objects.select_related("club").get(pk=event.pk)
    _take_back(audit.history(event), act, INVERSES, event=event, by=by)


@transaction.atomic
def take_back_of_club(*, club: Club, act: Act, by: Actor) -> None:
    """Do the same for what was done to a club besides its events."""
    _take_back(audit.club_history(club), act, CLUB_INVERSES, club=club, by=by)


def _take_back(
    acts: QuerySet[Act], act: Act, inverses: Mapping[str, Inverse], **to: object
) -> None:
    act = acts.select_for_update().get(pk=act.pk)  # a double click races
    if hasattr(act, "undone_by"):
        return
    if not act.back.get("call"):
        raise NotNow(_("This cannot be taken back; it stands in the history."))
    if act.pk not in standing(acts):
        raise NotNow(
            _("Something newer has changed the same thing. Take that back first: it is above.")
        )
    with audit.taking_back(act):
        inverses[act.back["call"]](**to, **act.back["given"])
    if not Act.objects.filter(undoes=act).exists():
        raise NotNow(_("It is so already; nothing was left to take back."))
