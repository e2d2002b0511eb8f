"""Loads the rubber night of a request, and checks the user's role."""

from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy

from clubs.activities.visits import ActivityVisit
from rubbers.models import RubberNight


@dataclass(frozen=True)
class RubberVisit(ActivityVisit[RubberNight]):
    """The rubber night of a request, and the user's role in its club."""

    night: RubberNight = field(init=False)

    queryset = RubberNight.objects.select_related(*RubberNight.related_fields)
    refusal = gettext_lazy("This night belongs to another club, or you don’t have access.")


load_public_night_visit = RubberVisit.load_public
load_director_night_visit = RubberVisit.load_for_director
load_scorer_night_visit = RubberVisit.load_for_scorer
