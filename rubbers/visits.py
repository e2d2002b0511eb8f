"""Fetches the rubber night that a page is about, for those who may be there."""

from dataclasses import dataclass, replace

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.access import DIRECTORS, SCORERS
from clubs.models import Membership
from drives.visits import role_in
from rubbers.models import RubberNight
from server.request_log import note_club


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
    role = role_in(request, visit.night.club, roles)
    if role is None:
        raise PermissionDenied(
            _("This night belongs to another club, or your login may not change it.")
        )
    return replace(visit, role=role)
