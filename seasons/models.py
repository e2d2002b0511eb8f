"""The models of a club's year, imported from all features so that Django finds them."""

from seasons.calendar import models as calendar
from seasons.grades import models as grades
from seasons.ladders import models as ladders
from seasons.people import models as people
from seasons.publishing import models as publishing

__all__ = ["calendar", "grades", "ladders", "people", "publishing"]
