"""The events in which a person may still query a score, with links to the person's entries."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from clubs.models import Player
from tournaments.models import EntryLink, Session


@dataclass(frozen=True, slots=True)
class QueryableEvent:
    """An event in which a person may query a score: name, path of the page, and deadline."""

    name: str
    path: str
    deadline: datetime


def list_queryable_events(player: Player) -> list[QueryableEvent]:
    """Return the events whose period for corrections is not over, in one database query.

    The newest event is first. Only events whose director has created links for the entries are
    included.
    """
    now = timezone.now()
    links = EntryLink.objects.filter(
        entry__players=player,
        entry__event__put_away_at=None,
        entry__event__is_rehearsal=False,
        entry__event__sessions__state=Session.State.CLOSED,
        entry__event__sessions__closed_at__gt=now
        - timedelta(hours=player.club.correction_hours),
        revoked_at=None,
    )
    sorted_links = (
        links.annotate(last_closed=Max("entry__event__sessions__closed_at"))
        .select_related("entry__event")
        .order_by("-last_closed", "-pk")
    )
    return [
        QueryableEvent(
            link.entry.event.name,
            path,
            link.last_closed + timedelta(hours=player.club.correction_hours),
        )
        for link in sorted_links
        if link.is_live(now) and (path := link.path)
    ]
