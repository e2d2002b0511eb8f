"""The permission checks for logins; no other module checks the role of a login in a club."""

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
"""The roles that may direct the events of a club."""
SCORER_ROLES = (*DIRECTOR_ROLES, Membership.Role.SCORER)
"""The roles that may enter scores in a club."""
MEMBERSHIPS_KEY = "overplay.memberships"
"""The key in `request.META` under which a request caches the user's memberships."""


def list_memberships(request: HttpRequest) -> Sequence[Membership]:
    """Return the user's memberships with their clubs, cached for the rest of the request."""
    user = get_logged_in_user(request)
    user_pk, loaded_memberships = request.META.get(MEMBERSHIPS_KEY, (None, ()))
    if user_pk != user.pk:
        memberships = Membership.objects.filter(user=user).select_related("club")
        loaded_memberships = tuple(memberships.order_by("club__name"))
        request.META[MEMBERSHIPS_KEY] = (user.pk, loaded_memberships)
    return [
        membership
        for membership in loaded_memberships
        if user.can_access_club(membership.club_id)
    ]


def find_role(request: HttpRequest, club_id: int) -> Membership.Role | None:
    """Return the user's role in a club, or None if the user has no role there."""
    roles = (
        membership.role
        for membership in list_memberships(request)
        if membership.club_id == club_id
    )
    role = next(roles, None)
    return Membership.Role(role) if role else None


def can_direct(user: object, club: Club) -> bool:
    """Return whether a user has the role of owner or director in a club."""
    return (
        isinstance(user, User)
        and user.can_access_club(club.pk)
        and club.memberships.filter(user=user, role__in=DIRECTOR_ROLES).exists()
    )


def can_score(user: object, club: Club) -> bool:
    """Return whether a user may enter the scores of a club."""
    return (
        isinstance(user, User)
        and user.can_access_club(club.pk)
        and club.memberships.filter(user=user, role__in=SCORER_ROLES).exists()
    )


def list_directed_clubs(request: HttpRequest) -> QuerySet[Club]:
    """Return the clubs in which the logged-in user is an owner or a director."""
    return _list_clubs_by_role(request, DIRECTOR_ROLES)


def get_current_club(request: HttpRequest, slug: str = "") -> Club | None:
    """Return the club with this slug, or without a slug the club that the user changed last.

    If the user has changed no club, the result is the user's first club by name. The result is
    None if the user directs no club. Raises PageNotFound (404) if `slug` is given and the user
    does not direct that club.
    """
    clubs_by_slug = {club.slug: club for club in list_directed_clubs(request)}
    if clubs_by_slug and slug and slug not in clubs_by_slug:
        raise PageNotFound(_("Club not found. Choose one of yours in the menu."))
    if slug or len(clubs_by_slug) < 2:
        return clubs_by_slug.get(slug) or next(iter(clubs_by_slug.values()), None)
    acts = Act.objects.filter(
        by=get_logged_in_user(request).get_username(), club__in=clubs_by_slug
    )
    last_club_slug = acts.order_by("-id").values_list("club", flat=True).first()
    return clubs_by_slug.get(last_club_slug or "") or next(iter(clubs_by_slug.values()))


def get_directed_club(request: HttpRequest) -> Club:
    """Return the club in the request parameter `club`, or the user's current club.

    Raises PageNotFound if the user does not direct it, or directs no club.
    """
    requested_slug = request.POST.get("club", request.GET.get("club", ""))
    club = get_current_club(request, requested_slug)
    if club is None:
        raise PageNotFound(_("You don’t direct a club with this login."))
    return club


def get_club(slug: str) -> Club:
    """Return the club with this slug for a public page; raise PageNotFound if there is none."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise PageNotFound(_("Club not found."))
    return club


def list_scorable_clubs(request: HttpRequest) -> QuerySet[Club]:
    """Return the clubs in which the logged-in user may enter scores."""
    return _list_clubs_by_role(request, SCORER_ROLES)


def list_owned_clubs(request: HttpRequest) -> QuerySet[Club]:
    """Return the clubs that the logged-in user owns."""
    return _list_clubs_by_role(request, [Membership.Role.OWNER])


def get_owned_club(request: HttpRequest, slug: str) -> Club:
    """Return the club with this slug if the logged-in user owns it.

    Raises PageNotFound otherwise.
    """
    club = next((club for club in list_owned_clubs(request) if club.slug == slug), None)
    if club is None:
        raise PageNotFound(_("You don’t own that club."))
    return club


def is_club_owner(request: HttpRequest) -> bool:
    """Return whether the logged-in user owns at least one club."""
    return any(
        membership.role == Membership.Role.OWNER for membership in list_memberships(request)
    )


def is_director_of_any_club(request: HttpRequest) -> bool:
    """Return whether the logged-in user is an owner or a director of a club."""
    return any(membership.role in DIRECTOR_ROLES for membership in list_memberships(request))


def has_congress_club(request: HttpRequest) -> bool:
    """Return whether the user is an administrator or has a role in a club with congress
    features.
    """
    congress_clubs = _list_clubs_by_role(request, SCORER_ROLES).filter(
        has_congress_features=True
    )
    return get_logged_in_user(request).is_superuser or congress_clubs.exists()


def list_managed_club_pks(request: HttpRequest) -> list[int] | None:
    """Return the primary keys of the clubs whose background jobs the user manages.

    None means all clubs.

    An administrator manages the jobs of all clubs, an owner those of the owned clubs. Raises
    PermissionDenied for other users.
    """
    if get_logged_in_user(request).is_superuser:
        return None
    owned_club_pks = list(list_owned_clubs(request).values_list("pk", flat=True))
    if not owned_club_pks:
        raise PermissionDenied(_("Only club owners can see background tasks."))
    return owned_club_pks


def list_managed_user_pks(request: HttpRequest) -> list[int] | None:
    """Return the primary keys of the users whose sign-ins the logged-in user manages.

    None means all users, for an administrator. An owner manages the members of the owned clubs.
    """
    if get_logged_in_user(request).is_superuser:
        return None
    owned_clubs = list_owned_clubs(request)
    return list(Membership.objects.filter(club__in=owned_clubs).values_list("user", flat=True))


def list_accessible_clubs(request: HttpRequest) -> list[tuple[int, str]]:
    """Return the primary keys and names of the clubs in which the logged-in user has a role."""
    return list(_list_clubs_by_role(request, SCORER_ROLES).values_list("pk", "name"))


def is_second_factor_required(user: User) -> bool:
    """Return whether a user must sign in with a second factor on a server.

    This applies to owners, administrators, and members of a club that requires it.
    """
    memberships = Membership.objects.filter(user=user)
    memberships_requiring_second_factor = memberships.filter(
        Q(role=Membership.Role.OWNER) | Q(club__asks_factor=True)
    )
    return user.is_staff or user.is_superuser or memberships_requiring_second_factor.exists()


def can_access_all_data(request: HttpRequest) -> bool:
    """Return whether the user is an administrator or owns every club of this installation."""
    if get_logged_in_user(request).is_superuser:
        return True
    owned_clubs = list_owned_clubs(request)
    return owned_clubs.exists() and not Club.objects.exclude(pk__in=owned_clubs).exists()


def get_membership_for_owner(request: HttpRequest, pk: int) -> Membership:
    """Return the membership with this primary key if the user owns its club.

    Raises Http404 otherwise.
    """
    return get_object_or_404(
        Membership.objects.select_related("club", "user"),
        pk=pk,
        club__in=list_owned_clubs(request),
    )


def get_logged_in_user(request: HttpRequest) -> User:
    """Return the logged-in user of a request that has passed the login middleware."""
    assert isinstance(request.user, User)
    return request.user


def get_player_for_director(request: HttpRequest, pk: int) -> Player:
    """Return the player with this primary key if the user directs the player's club.

    Raises Http404 for an unknown player, and PermissionDenied for a player of another club.
    """
    player = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    if not can_direct(request.user, player.club):
        raise PermissionDenied(_("This player belongs to another club."))
    return player


def _list_clubs_by_role(request: HttpRequest, allowed_roles: Sequence[str]) -> QuerySet[Club]:
    """Return the clubs in which the user has one of these roles, by name.

    A request with an API token of one club sees only that club.
    """
    user = get_logged_in_user(request)
    clubs = Club.objects.filter(memberships__user=user, memberships__role__in=allowed_roles)
    if user.only_club is not None:
        clubs = clubs.filter(pk=user.only_club)
    return clubs.order_by("name")
