"""Loads the drive of a request, and checks the user's role."""

from dataclasses import dataclass, field

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy

from clubs.activities.activity_access import ActivityAccess
from clubs.permissions import can_score
from drives.models import Drive


@dataclass(frozen=True)
class DriveAccess(ActivityAccess[Drive]):
    """The drive of a request, and the role of the user who sent the request."""

    drive: Drive = field(init=False)

    queryset = Drive.objects.select_related("club", "evening", "rubbers")
    refusal = gettext_lazy("This drive belongs to another club, or you don’t have access.")


load_public_drive_access = DriveAccess.load_for_public
load_director_drive_access = DriveAccess.load_for_director
load_scorer_drive_access = DriveAccess.load_for_scorer


def find_room_url(request: HttpRequest, drive: Drive) -> str:
    """Return the URL of the drive's Room for users who may enter scores, "" for others."""
    if not can_score(request.user, drive.club):
        return ""
    return reverse("drive_desk", args=[drive.slug])
