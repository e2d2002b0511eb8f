"""The events in play, which the frame of every director's page shows."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from clubs.permissions import DIRECTOR_ROLES, SCORER_ROLES
from server.models import User
from tournaments.addresses import format_event_address
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class EventInPlay:
    """An event with an open session."""

    club_pk: int
    event_slug: str
    event_name: str
    session_number: int
    call_count: int  # the number of open calls for the director
    is_rehearsal: bool
    can_direct: bool  # whether the user may direct it; scorers see less

    @property
    def address(self) -> str:
        """The part of the event's URLs that identifies the event and its session."""
        return format_event_address(self.event_slug, self.session_number)


def _query_open_sessions(
    user_pk: int,
) -> QuerySet[Session, tuple[int, str, str, int, int, bool, str]]:
    open_call_count = Count(
        "evening__calls", filter=Q(evening__calls__answered_at__isnull=True)
    )
    open_sessions = Session.objects.filter(
        state=Session.State.OPEN,
        event__put_away_at__isnull=True,
        event__club__memberships__user=user_pk,
        event__club__memberships__role__in=SCORER_ROLES,
    )
    return (
        open_sessions.annotate(waiting=open_call_count)
        .values_list(
            "event__club",
            "event__slug",
            "event__name",
            "number",
            "waiting",
            "event__is_rehearsal",
            F("event__club__memberships__role"),
        )
        .order_by("-event__date", "-event_id", "-number")
    )


def list_events_in_play(user: User) -> list[EventInPlay]:
    """Return the open sessions of the events that a user directs or scores, latest first."""
    return [
        EventInPlay(
            club_pk,
            event_slug,
            event_name,
            session_number,
            call_count,
            is_rehearsal,
            role in DIRECTOR_ROLES,
        )
        for (
            club_pk,
            event_slug,
            event_name,
            session_number,
            call_count,
            is_rehearsal,
            role,
        ) in _query_open_sessions(user.pk)
    ]
