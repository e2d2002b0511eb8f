"""A setting of memory duplicate: whether a board's second play has other trump suits."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import lock_activity
from clubs.audit import Actor, Undo
from tournaments.errors import InvalidSecondPlay
from tournaments.models import Event, Session


@transaction.atomic
def set_second_play(*, event: Event, other_suits: bool, by: Actor) -> Event:
    """Set whether the second play of every board has other trump suits; idempotent.

    Raises InvalidSecondPlay if the event is not memory duplicate, or if each table declares
    trumps. It is also raised after a session was opened, because record cards may be in use.
    Source: R. F. Foster, *Complete Hoyle*, duplicate whist, system for the Utica Trophy.
    """
    # Two directors may change the setting at once, or one may open the session.
    event = lock_activity(event)
    if other_suits == event.other_suits:
        return event
    if other_suits:
        check_second_play(event.contest, event.trumps)
    if event.sessions.exclude(state=Session.State.PLANNED).exists():
        raise InvalidSecondPlay(
            _("Play has started. Choose the suits of the second play before it starts.")
        )
    event.other_suits = other_suits
    event.save(update_fields=["other_suits"])
    audit.record(
        by,
        "second_play.settled",
        subject=event,
        before={"other_suits": not other_suits},
        after={"other_suits": other_suits},
        undo=Undo(
            ("event second play",), "second_play.settle", {"other_suits": not other_suits}
        ),
    )
    return event


def check_second_play(contest: str, trumps: str) -> None:
    """Raise InvalidSecondPlay if an event with these settings cannot have other trump suits."""
    if contest != Event.Contest.MEMORY:
        raise InvalidSecondPlay(_("Only memory duplicate has a second play in other suits."))
    if trumps == Event.Trumps.DECLARED:
        raise InvalidSecondPlay(_("Each table declares trumps. Change the trumps first."))
