"""Fetches the drive that a page is about, for those who may be there."""

from dataclasses import dataclass, replace

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.access import DIRECTORS, SCORERS, signed_in
from clubs.models import Club, Membership
from drives.models import Drive
from server.request_log import note_club


@dataclass(frozen=True)
class DriveVisit:
    """A page's visit to a drive, and who is there."""

    drive: Drive
    role: Membership.Role | None = None  # in the drive's club; None where nobody was asked

    def __post_init__(self) -> None:
        """Let the log say whose page it is."""
        note_club(self.drive.club_id)

    @property
    def address(self) -> str:
        """What the addresses of the drive's pages are made of."""
        return self.drive.slug

    @property
    def is_directed(self) -> bool:
        """Whether whom the page is for directs the drive."""
        return self.role in DIRECTORS


def public_drive(slug: str) -> DriveVisit:
    """Fetch a drive for anybody, and show times in its club's zone."""
    drives = Drive.objects.select_related("club", "evening", "rubbers")
    visit = DriveVisit(get_object_or_404(drives, slug=slug))
    timezone.activate(visit.drive.club.zone)
    return visit


def director_drive(request: HttpRequest, slug: str) -> DriveVisit:
    """Fetch a drive for a director of its club; others are refused."""
    return _visit(request, slug, DIRECTORS)


def scorer_drive(request: HttpRequest, slug: str) -> DriveVisit:
    """Fetch a drive for anybody who may enter its scores."""
    return _visit(request, slug, SCORERS)


def _visit(request: HttpRequest, slug: str, roles: tuple[Membership.Role, ...]) -> DriveVisit:
    visit = public_drive(slug)
    role = role_in(request, visit.drive.club, roles)
    if role is None:
        raise PermissionDenied(
            _("This drive belongs to another club, or your login may not change it.")
        )
    return replace(visit, role=role)


def role_in(
    request: HttpRequest, club: Club, roles: tuple[Membership.Role, ...]
) -> Membership.Role | None:
    """Return the role that the request's login has in a club, if it is one of `roles`."""
    user = signed_in(request)
    found = club.memberships.filter(user=user, role__in=roles)
    role = found.values_list("role", flat=True).first() if user.reaches(club.pk) else None
    return None if role is None else Membership.Role(role)
