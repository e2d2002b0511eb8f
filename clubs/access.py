"""Who may do what: the one place where a login's rights are asked."""

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from clubs.models import Club, Membership, Player
from server.models import User

DIRECTORS = (Membership.Role.OWNER, Membership.Role.DIRECTOR)
SCORERS = (*DIRECTORS, Membership.Role.SCORER)


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
