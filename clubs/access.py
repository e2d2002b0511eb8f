"""Permissions: the only module that checks a login's roles in clubs."""

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from clubs.models import Act, Club, Membership, Player
from server.models import User
from server.refusals import PageMissing

DIRECTORS = (Membership.Role.OWNER, Membership.Role.DIRECTOR)
SCORERS = (*DIRECTORS, Membership.Role.SCORER)


def may_direct(user: object, club: Club) -> bool:
    """Return whether a login directs a club."""
    return (
        isinstance(user, User)
        and user.reaches(club.pk)
        and club.memberships.filter(user=user, role__in=DIRECTORS).exists()
    )


def may_score(user: object, club: Club) -> bool:
    """Return whether a login may enter a club's scores."""
    return (
        isinstance(user, User)
        and user.reaches(club.pk)
        and club.memberships.filter(user=user, role__in=SCORERS).exists()
    )


def clubs_of(request: HttpRequest) -> QuerySet[Club]:
    """Return the clubs that the request's login directs."""
    return _clubs(request, DIRECTORS)


def club_at_hand(request: HttpRequest, slug: str = "") -> Club | None:
    """Return the club that a request names, else the one that its login used last.

    A new club counts as used last; if none was used yet, it is the first by name. None for a
    login that directs no club. Raises PageMissing (404) for a club that the login does not
    direct, because a form for another club must not change the login's own.
    """
    found = {club.slug: club for club in clubs_of(request)}
    if found and slug and slug not in found:
        raise PageMissing(_("Club not found. Choose one of yours in the menu."))
    if slug or len(found) < 2:
        return found.get(slug) or next(iter(found.values()), None)
    acts = Act.objects.filter(by=signed_in(request).get_username(), club__in=found)
    last = acts.order_by("-id").values_list("club", flat=True).first()
    return found.get(last or "") or next(iter(found.values()))


def directed_club(request: HttpRequest) -> Club:
    """Return the club named by the parameter `club`, or the default one; raise PageMissing."""
    named = request.POST.get("club", request.GET.get("club", ""))
    club = club_at_hand(request, named)
    if club is None:
        raise PageMissing(_("Your login directs no club."))
    return club


def club_named(slug: str) -> Club:
    """Return a club by its slug, for public pages; raise PageMissing."""
    found = Club.objects.filter(slug=slug).first()
    if found is None:
        raise PageMissing(_("Club not found."))
    return found


def scored_clubs_of(request: HttpRequest) -> QuerySet[Club]:
    """Return the clubs whose scores the request's login may enter."""
    return _clubs(request, SCORERS)


def owned_clubs_of(request: HttpRequest) -> QuerySet[Club]:
    """Return the clubs that the request's login owns."""
    return _clubs(request, [Membership.Role.OWNER])


def owned_club(request: HttpRequest, slug: str) -> Club:
    """Return one of the login's own clubs by its slug; raise PageMissing."""
    club = next((club for club in owned_clubs_of(request) if club.slug == slug), None)
    if club is None:
        raise PageMissing(_("There is no such club of yours."))
    return club


def owns_a_club(request: HttpRequest) -> bool:
    """Return whether the request's login owns a club."""
    return owned_clubs_of(request).exists()


def looked_after_by(request: HttpRequest) -> list[int] | None:
    """Return the keys of the clubs whose jobs a login manages; None is every club.

    An administrator of the installation manages all, an owner those of the owned clubs.
    """
    if signed_in(request).is_superuser:
        return None
    owned = list(owned_clubs_of(request).values_list("pk", flat=True))
    if not owned:
        raise PermissionDenied(_("Only an owner of a club sees its jobs."))
    return owned


def logins_looked_after(request: HttpRequest) -> list[int] | None:
    """Return the keys of the logins whose sign-ins a login manages; None is every login."""
    if signed_in(request).is_superuser:
        return None
    owned = owned_clubs_of(request)
    return list(Membership.objects.filter(club__in=owned).values_list("user", flat=True))


def reached_clubs(request: HttpRequest) -> list[tuple[int, str]]:
    """Return the keys and names of the clubs in which the request's login has a role."""
    return list(_clubs(request, SCORERS).values_list("pk", "name"))


def must_have_factor(user: User) -> bool:
    """Return whether a login needs a second factor on a server: owner, or by club setting."""
    rows = Membership.objects.filter(user=user)
    asked = rows.filter(Q(role=Membership.Role.OWNER) | Q(club__asks_factor=True))
    return user.is_staff or user.is_superuser or asked.exists()


def looks_after_all(request: HttpRequest) -> bool:
    """Return whether a login may access all data: an administrator, or owner of every club."""
    if signed_in(request).is_superuser:
        return True
    owned = owned_clubs_of(request)
    return owned.exists() and not Club.objects.exclude(pk__in=owned).exists()


def owner_member(request: HttpRequest, pk: int) -> Membership:
    """Return a membership for an owner of its club; refuse other logins."""
    return get_object_or_404(
        Membership.objects.select_related("club", "user"),
        pk=pk,
        club__in=owned_clubs_of(request),
    )


def signed_in(request: HttpRequest) -> User:
    """Return the login of a request that has passed the login middleware."""
    assert isinstance(request.user, User)
    return request.user


def director_player(request: HttpRequest, pk: int) -> Player:
    """Return a player for a director of the club; refuse other logins."""
    player = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    if not may_direct(request.user, player.club):
        raise PermissionDenied(_("This player belongs to another club."))
    return player


def _clubs(request: HttpRequest, roles: Sequence[str]) -> QuerySet[Club]:
    """Return the clubs in which the request's login has one of these roles, within scope."""
    user = signed_in(request)
    found = Club.objects.filter(memberships__user=user, memberships__role__in=roles)
    if user.only_club is not None:
        found = found.filter(pk=user.only_club)
    return found.order_by("name")
