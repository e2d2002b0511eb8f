"""Loads the drive of a request, and checks the user's role."""

from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy

from clubs.activities.visits import ActivityVisit
from drives.models import Drive


@dataclass(frozen=True)
class DriveVisit(ActivityVisit[Drive]):
    """The drive of a request, and the role of the user who sent the request."""

    drive: Drive = field(init=False)

    queryset = Drive.objects.select_related("club", "evening", "rubbers")
    refusal = gettext_lazy("This drive belongs to another club, or you don’t have access.")


public_drive = DriveVisit.public
director_drive = DriveVisit.for_director
scorer_drive = DriveVisit.for_scorer
