"""Services that archive and restore events, and set the visibility of their standings."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import archive, lock_activity, restore_activity
from clubs.audit import Actor, Undo
from tournaments.errors import ActionUnavailable
from tournaments.models import Event, Session


def archive_event(*, event: Event, by: Actor, also: Sequence[int] = ()) -> Event:
    """Archive an event; its URL and all its data remain.

    `also` has the primary keys of events that were created with this one, such as finals from
    the same file. Raises ActionUnavailable while a session is in play, because the players look
    for the event in the list.
    """

    def archive_other_events(locked_event: Event) -> None:
        if locked_event.sessions.filter(state=Session.State.OPEN).exists():
            raise ActionUnavailable(
                _("%(event)s is in play. Close the session before archiving.")
                % {"event": locked_event.name}
            )
        for other_event in _query_related_events(locked_event, also).filter(put_away_at=None):
            archive_event(event=other_event, by=by)

    return archive(
        activity=event,
        check=archive_other_events,
        undo_arguments=_build_undo_arguments(also),
        by=by,
    )


def restore_event(*, event: Event, by: Actor, also: Sequence[int] = ()) -> Event:
    """Restore an archived event to the lists, with the events in `also`."""

    def restore_other_events(locked_event: Event) -> None:
        for other_event in _query_related_events(locked_event, also).exclude(put_away_at=None):
            restore_event(event=other_event, by=by)

    return restore_activity(
        activity=event,
        check=restore_other_events,
        undo_arguments=_build_undo_arguments(also),
        by=by,
    )


def _query_related_events(event: Event, related_pks: Sequence[int]) -> QuerySet[Event]:
    return Event.objects.filter(club=event.club_id, pk__in=related_pks).exclude(pk=event.pk)


def _build_undo_arguments(related_pks: Sequence[int]) -> dict[str, list[int]]:
    return {"also": list(related_pks)} if related_pks else {}


@transaction.atomic
def set_standings_visibility(*, event: Event, shown: str, by: Actor) -> Event:
    """Set when players can see an event's standings: always, after the session, or never."""
    # Load the event again, because another request may have changed it. The history needs the
    # value that is really replaced.
    event = lock_activity(event)
    old_visibility, event.standings_shown = event.standings_shown, shown
    event.full_clean()
    if old_visibility != shown:
        event.save(update_fields=["standings_shown"])
        audit.record(
            by,
            "standings.shown",
            subject=event,
            before={"standings_shown": old_visibility},
            after={"standings_shown": shown},
            undo=Undo(("event standings_shown",), "event.show", {"shown": old_visibility}),
        )
    return event
