"""Loads the rubber night of a request, and checks the user's role."""

from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy

from clubs.activities.activity_access import ActivityAccess
from rubbers.models import RubberNight


@dataclass(frozen=True)
class RubberAccess(ActivityAccess[RubberNight]):
    """The rubber night of a request, and the user's role in its club."""

    night: RubberNight = field(init=False)

    queryset = RubberNight.objects.select_related(*RubberNight.select_related_fields)
    refusal = gettext_lazy("This night belongs to another club, or you don’t have access.")


load_public_night_access = RubberAccess.load_for_public
load_director_night_access = RubberAccess.load_for_director
load_scorer_night_access = RubberAccess.load_for_scorer
