"""Fetches the drive or the rubber night that a page is about, for those who may be there."""

from dataclasses import dataclass, replace

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.access import DIRECTORS, SCORERS, signed_in
from clubs.models import Club, Membership
from drives.models import Drive, RubberNight
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
    role = _role(request, visit.drive.club, roles)
    if role is None:
        raise PermissionDenied(
            _("This drive belongs to another club, or your login may not change it.")
        )
    return replace(visit, role=role)


def _role(
    request: HttpRequest, club: Club, roles: tuple[Membership.Role, ...]
) -> Membership.Role | None:
    user = signed_in(request)
    found = club.memberships.filter(user=user, role__in=roles)
    role = found.values_list("role", flat=True).first() if user.reaches(club.pk) else None
    return None if role is None else Membership.Role(role)


@dataclass(frozen=True)
class RubberVisit:
    """A page's visit to a rubber night, and who is there."""

    night: RubberNight
    role: Membership.Role | None = None  # in the night's club; None where nobody was asked

    def __post_init__(self) -> None:
        """Let the log say whose page it is."""
        note_club(self.night.club_id)

    @property
    def address(self) -> str:
        """What the addresses of the night's pages are made of."""
        return self.night.slug

    @property
    def is_directed(self) -> bool:
        """Whether whom the page is for directs the night."""
        return self.role in DIRECTORS


def public_night(slug: str) -> RubberVisit:
    """Fetch a rubber night for anybody, and show times in its club's zone."""
    nights = RubberNight.objects.select_related(
        "club", "evening", "drive__club", "drive__evening"
    )
    visit = RubberVisit(get_object_or_404(nights, slug=slug))
    timezone.activate(visit.night.club.zone)
    return visit


def director_night(request: HttpRequest, slug: str) -> RubberVisit:
    """Fetch a rubber night for a director of its club; others are refused."""
    return _night(request, slug, DIRECTORS)


def scorer_night(request: HttpRequest, slug: str) -> RubberVisit:
    """Fetch a rubber night for anybody who may mark its hands."""
    return _night(request, slug, SCORERS)


def _night(request: HttpRequest, slug: str, roles: tuple[Membership.Role, ...]) -> RubberVisit:
    visit = public_night(slug)
    role = _role(request, visit.night.club, roles)
    if role is None:
        raise PermissionDenied(
            _("This night belongs to another club, or your login may not change it.")
        )
    return replace(visit, role=role)
