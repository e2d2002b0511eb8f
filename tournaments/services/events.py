"""Events in the lists and out of them, and when their standings are shown."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Back
from tournaments.errors import NotNow
from tournaments.models import Event, Session

IN_LISTS = ("event in lists",)
"""What the acts are about that take an event out of the lists and bring it back."""


@transaction.atomic
def put_away_event(*, event: Event, by: Actor, also: Sequence[int] = ()) -> Event:
    """Take an event out of every list; it keeps its address and all that belongs to it.

    `also` are the keys of events that came with it, such as finals read from the same file.
    Raises NotNow while a session is in play: its players look for it in the list.
    """
    event = Event.objects.select_for_update().get(pk=event.pk)
    if event.put_away_at is not None:
        return event
    if event.sessions.filter(state=Session.State.OPEN).exists():
        raise NotNow(
            _("%(event)s is in play. Close the session first, then archive the event.")
            % {"event": event.name}
        )
    event.put_away_at = timezone.now()
    event.save(update_fields=["put_away_at"])
    for other in _came_with(event, also).filter(put_away_at=None):
        put_away_event(event=other, by=by)
    audit.record(
        by,
        "event.put_away",
        subject=event,
        back=Back(IN_LISTS, "event.bring_back", _with(also)),
    )
    return event


@transaction.atomic
def bring_back_event(*, event: Event, by: Actor, also: Sequence[int] = ()) -> Event:
    """Show an event in the lists again, with those that came with it."""
    event = Event.objects.select_for_update().get(pk=event.pk)
    if event.put_away_at is None:
        return event
    event.put_away_at = None
    event.save(update_fields=["put_away_at"])
    for other in _came_with(event, also).exclude(put_away_at=None):
        bring_back_event(event=other, by=by)
    audit.record(
        by,
        "event.brought_back",
        subject=event,
        back=Back(IN_LISTS, "event.put_away", _with(also)),
    )
    return event


def _came_with(event: Event, also: Sequence[int]) -> QuerySet[Event]:
    return Event.objects.filter(club=event.club_id, pk__in=also).exclude(pk=event.pk)


def _with(also: Sequence[int]) -> dict[str, list[int]]:
    return {"also": list(also)} if also else {}


@transaction.atomic
def show_standings(*, event: Event, shown: str, by: Actor) -> Event:
    """Decide when players see the standings: always, after the session, never."""
    # Another screen may have decided meanwhile; what it said is told as what stood before.
    event = Event.objects.select_for_update().get(pk=event.pk)
    before, event.standings_shown = event.standings_shown, shown
    event.full_clean()
    if before != shown:
        event.save(update_fields=["standings_shown"])
        audit.record(
            by,
            "standings.shown",
            subject=event,
            before={"standings_shown": before},
            after={"standings_shown": shown},
            back=Back(("event standings_shown",), "event.show", {"shown": before}),
        )
    return event
