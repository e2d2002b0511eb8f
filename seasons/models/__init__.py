"""The rows of a club's year."""

from seasons.models.elsewhere import EntryElsewhere, EveningElsewhere, SeatElsewhere
from seasons.models.figures import EntryFigures
from seasons.models.grades import Grade, GradeBook
from seasons.models.seasons import Handicap, Ladder, Season, SeasonVersion

__all__ = [
    "EntryElsewhere",
    "EntryFigures",
    "EveningElsewhere",
    "Grade",
    "GradeBook",
    "Handicap",
    "Ladder",
    "Season",
    "SeasonVersion",
    "SeatElsewhere",
]
