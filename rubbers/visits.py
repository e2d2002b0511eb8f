"""Load the rubber night of a request and check the visitor's role."""

from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy

from clubs.activities.visits import ActivityVisit
from rubbers.models import RubberNight


@dataclass(frozen=True)
class RubberVisit(ActivityVisit[RubberNight]):
    """A request's visit to a rubber night: the night and the visitor's role."""

    night: RubberNight = field(init=False)

    rows = RubberNight.objects.select_related(*RubberNight.related)
    refusal = gettext_lazy("This night belongs to another club, or you don't have access.")


public_night = RubberVisit.public
director_night = RubberVisit.for_director
scorer_night = RubberVisit.for_scorer
