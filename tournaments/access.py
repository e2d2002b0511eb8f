"""Who may do what: the one place where a login's rights are asked."""

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.addresses import parted
from tournaments.models import Club, Event, Membership, Player, Session

DIRECTORS = (Membership.Role.OWNER, Membership.Role.DIRECTOR)
SCORERS = (*DIRECTORS, Membership.Role.SCORER)


def public_event(address: str) -> Event:
    """Fetch the event of an address for anybody, and show times in its club's zone."""
    slug, number = parted(address)
    event = get_object_or_404(Event.objects.with_sessions(), slug=slug)
    if number not in {session.number for session in event.sessions.all()}:
        raise Http404(_("This event has no session %(number)s.") % {"number": number})
    event.at_session = number
    timezone.activate(event.club.zone)
    return event


def director_event(request: HttpRequest, slug: str) -> Event:
    """Fetch an event for a director of its club; others are refused."""
    return _event_for(request, slug, DIRECTORS)


def scorer_event(request: HttpRequest, slug: str) -> Event:
    """Fetch an event for anybody who may enter its scores."""
    return _event_for(request, slug, SCORERS)


def may_direct(user: object, club: Club) -> bool:
    """Say whether a login directs a club."""
    return (
        isinstance(user, User)
        and club.memberships.filter(user=user, role__in=DIRECTORS).exists()
    )


def may_score(user: object, club: Club) -> bool:
    """Say whether a login may enter a club's scores."""
    return (
        isinstance(user, User) and club.memberships.filter(user=user, role__in=SCORERS).exists()
    )


def clubs_of(request: HttpRequest) -> QuerySet[Club]:
    """The clubs that the request's login directs."""
    return Club.objects.filter(
        memberships__user=signed_in(request), memberships__role__in=DIRECTORS
    ).order_by("name")


def scored_clubs_of(request: HttpRequest) -> QuerySet[Club]:
    """The clubs whose scores the request's login may enter."""
    return Club.objects.filter(
        memberships__user=signed_in(request), memberships__role__in=SCORERS
    ).order_by("name")


def owned_clubs_of(request: HttpRequest) -> QuerySet[Club]:
    """The clubs that the request's login owns."""
    return Club.objects.filter(
        memberships__user=signed_in(request), memberships__role=Membership.Role.OWNER
    ).order_by("name")


def owner_member(request: HttpRequest, pk: int) -> Membership:
    """Fetch a membership for an owner of its club; others are refused."""
    return get_object_or_404(
        Membership.objects.select_related("club", "user"),
        pk=pk,
        club__in=owned_clubs_of(request),
    )


def signed_in(request: HttpRequest) -> User:
    """The login of a request that the login wall has let through."""
    assert isinstance(request.user, User)
    return request.user


def director_player(request: HttpRequest, pk: int) -> Player:
    """Fetch a player for a director of the club; others are refused."""
    player = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    if not may_direct(request.user, player.club):
        raise PermissionDenied(_("This player belongs to another club."))
    return player


def session_of(event: Event, number: int | None = None) -> Session:
    """Fetch a session of an event by its number; without one, the session of the address."""
    asked = event.at_session if number is None else number
    found = get_object_or_404(event.sessions.select_related("board_set"), number=asked)
    event.at_session = found.number
    found.event = event
    return found


def _event_for(request: HttpRequest, slug: str, roles: tuple[Membership.Role, ...]) -> Event:
    event = public_event(slug)
    found = event.club.memberships.filter(user=signed_in(request), role__in=roles)
    role = found.values_list("role", flat=True).first()
    if role is None:
        raise PermissionDenied(
            _("This event belongs to another club, or your login may not change it.")
        )
    event.is_directed = role in DIRECTORS
    return event
