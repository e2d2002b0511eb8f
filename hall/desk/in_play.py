"""The evenings in play, for the frame of each director's page."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from clubs.access import DIRECTORS, SCORERS
from server.models import User
from tournaments.addresses import format_address
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class InPlay:
    """An evening with an open session."""

    club: int  # by its key
    slug: str
    name: str
    number: int  # of the session
    calls: int  # not answered yet
    is_rehearsal: bool
    is_directed: bool  # by the current login; scorers see less

    @property
    def address(self) -> str:
        """The part of its pages' URLs that identifies the event and session."""
        return format_address(self.slug, self.number)


def _open_now(user: int) -> QuerySet[Session, tuple[int, str, str, int, int, bool, str]]:
    waiting = Count("evening__calls", filter=Q(evening__calls__answered_at__isnull=True))
    rows = Session.objects.filter(
        state=Session.State.OPEN,
        event__put_away_at__isnull=True,
        event__club__memberships__user=user,
        event__club__memberships__role__in=SCORERS,
    )
    return (
        rows.annotate(waiting=waiting)
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


def in_play(user: User) -> list[InPlay]:
    """List the open sessions that a login directs or scores, the latest first."""
    return [
        InPlay(club, slug, name, number, calls, is_rehearsal, role in DIRECTORS)
        for club, slug, name, number, calls, is_rehearsal, role in _open_now(user.pk)
    ]
