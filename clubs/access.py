"""Permissions: the only module that checks a login's roles in clubs."""

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from clubs.models import Act, Club, Membership, Player
from server.errors import PageNotFound
from server.models import User

DIRECTOR_ROLES = (Membership.Role.OWNER, Membership.Role.DIRECTOR)
SCORER_ROLES = (*DIRECTOR_ROLES, Membership.Role.SCORER)


def can_direct(user: object, club: Club) -> bool:
    """Return whether a login directs a club."""
    return (
        isinstance(user, User)
        and user.can_reach(club.pk)
        and club.memberships.filter(user=user, role__in=DIRECTOR_ROLES).exists()
    )


def can_score(user: object, club: Club) -> bool:
    """Return whether a login may enter a club's scores."""
    return (
        isinstance(user, User)
        and user.can_reach(club.pk)
        and club.memberships.filter(user=user, role__in=SCORER_ROLES).exists()
    )


def list_directed_clubs(request: HttpRequest) -> QuerySet[Club]:
    """Return the clubs that the request's login directs."""
    return _list_clubs_by_role(request, DIRECTOR_ROLES)


def get_current_club(request: HttpRequest, slug: str = "") -> Club | None:
    """Return the club that a request names, else the one that its login used last.

    A new club counts as used last; if none was used yet, it is the first by name. None for a
    login that directs no club. Raises PageMissing (404) for a club that the login does not
    direct, because a form for another club must not change the login's own.
    """
    found = {club.slug: club for club in list_directed_clubs(request)}
    if found and slug and slug not in found:
        raise PageNotFound(_("Club not found. Choose one of yours in the menu."))
    if slug or len(found) < 2:
        return found.get(slug) or next(iter(found.values()), None)
    acts = Act.objects.filter(by=get_login(request).get_username(), club__in=found)
    last = acts.order_by("-id").values_list("club", flat=True).first()
    return found.get(last or "") or next(iter(found.values()))


def get_directed_club(request: HttpRequest) -> Club:
    """Return the club named by the parameter `club`, or the default one; raise PageMissing."""
    named = request.POST.get("club", request.GET.get("club", ""))
    club = get_current_club(request, named)
    if club is None:
        raise PageNotFound(_("Your login directs no club."))
    return club


def get_club(slug: str) -> Club:
    """Return a club by its slug, for public pages; raise PageMissing."""
    found = Club.objects.filter(slug=slug).first()
    if found is None:
        raise PageNotFound(_("Club not found."))
    return found


def list_scored_clubs(request: HttpRequest) -> QuerySet[Club]:
    """Return the clubs whose scores the request's login may enter."""
    return _list_clubs_by_role(request, SCORER_ROLES)


def list_owned_clubs(request: HttpRequest) -> QuerySet[Club]:
    """Return the clubs that the request's login owns."""
    return _list_clubs_by_role(request, [Membership.Role.OWNER])


def get_owned_club(request: HttpRequest, slug: str) -> Club:
    """Return one of the login's own clubs by its slug; raise PageMissing."""
    club = next((club for club in list_owned_clubs(request) if club.slug == slug), None)
    if club is None:
        raise PageNotFound(_("There is no such club of yours."))
    return club


def is_club_owner(request: HttpRequest) -> bool:
    """Return whether the request's login owns a club."""
    return list_owned_clubs(request).exists()


def list_managed_club_keys(request: HttpRequest) -> list[int] | None:
    """Return the keys of the clubs whose jobs a login manages; None is every club.

    An administrator of the installation manages all, an owner those of the owned clubs.
    """
    if get_login(request).is_superuser:
        return None
    owned = list(list_owned_clubs(request).values_list("pk", flat=True))
    if not owned:
        raise PermissionDenied(_("Only an owner of a club sees its jobs."))
    return owned


def list_managed_login_keys(request: HttpRequest) -> list[int] | None:
    """Return the keys of the logins whose sign-ins a login manages; None is every login."""
    if get_login(request).is_superuser:
        return None
    owned = list_owned_clubs(request)
    return list(Membership.objects.filter(club__in=owned).values_list("user", flat=True))


def list_accessible_clubs(request: HttpRequest) -> list[tuple[int, str]]:
    """Return the keys and names of the clubs in which the request's login has a role."""
    return list(_list_clubs_by_role(request, SCORER_ROLES).values_list("pk", "name"))


def must_have_factor(user: User) -> bool:
    """Return whether a login needs a second factor on a server: owner, or by club setting."""
    rows = Membership.objects.filter(user=user)
    asked = rows.filter(Q(role=Membership.Role.OWNER) | Q(club__asks_factor=True))
    return user.is_staff or user.is_superuser or asked.exists()


def can_access_all_data(request: HttpRequest) -> bool:
    """Return whether a login may access all data: an administrator, or owner of every club."""
    if get_login(request).is_superuser:
        return True
    owned = list_owned_clubs(request)
    return owned.exists() and not Club.objects.exclude(pk__in=owned).exists()


def get_membership_for_owner(request: HttpRequest, pk: int) -> Membership:
    """Return a membership for an owner of its club; refuse other logins."""
    return get_object_or_404(
        Membership.objects.select_related("club", "user"),
        pk=pk,
        club__in=list_owned_clubs(request),
    )


def get_login(request: HttpRequest) -> User:
    """Return the login of a request that has passed the login middleware."""
    assert isinstance(request.user, User)
    return request.user


def get_player_for_director(request: HttpRequest, pk: int) -> Player:
    """Return a player for a director of the club; refuse other logins."""
    player = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    if not can_direct(request.user, player.club):
        raise PermissionDenied(_("This player belongs to another club."))
    return player


def _list_clubs_by_role(request: HttpRequest, roles: Sequence[str]) -> QuerySet[Club]:
    """Return the clubs in which the request's login has one of these roles, within scope."""
    user = get_login(request)
    found = Club.objects.filter(memberships__user=user, memberships__role__in=roles)
    if user.only_club is not None:
        found = found.filter(pk=user.only_club)
    return found.order_by("name")
