"""The rows of a club's year: each feature has its own, imported here for Django to find."""

from seasons.calendar import models as calendar
from seasons.grades import models as grades
from seasons.ladders import models as ladders
from seasons.people import models as people
from seasons.publishing import models as publishing

__all__ = ["calendar", "grades", "ladders", "people", "publishing"]
