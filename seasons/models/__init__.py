"""The rows of a club's year."""

from seasons.models.elsewhere import EntryElsewhere, EveningElsewhere, SeatElsewhere
from seasons.models.fetches import BookingFetch
from seasons.models.figures import EntryFigures, EventTables
from seasons.models.files import ClubFile
from seasons.models.grades import (
    Grade,
    GradeBook,
    GradeCheckpoint,
    GradeConstants,
    GradeEvening,
    GradeStep,
    HiddenGrade,
    Why,
)
from seasons.models.handicaps import EntryHandicap, HandicapByHand, SeasonHandicap
from seasons.models.mails import ResultsMail
from seasons.models.publishing import Destination, Publication, Received, ReceivedVersion
from seasons.models.seasons import Handicap, Ladder, Season, SeasonVersion
from seasons.models.trophies import EngravedName, Engraving, Trophy

__all__ = [
    "BookingFetch",
    "ClubFile",
    "Destination",
    "EngravedName",
    "Engraving",
    "EntryElsewhere",
    "EntryFigures",
    "EntryHandicap",
    "EveningElsewhere",
    "EventTables",
    "Grade",
    "GradeBook",
    "GradeCheckpoint",
    "GradeConstants",
    "GradeEvening",
    "GradeStep",
    "Handicap",
    "HandicapByHand",
    "HiddenGrade",
    "Ladder",
    "Publication",
    "Received",
    "ReceivedVersion",
    "ResultsMail",
    "Season",
    "SeasonHandicap",
    "SeasonVersion",
    "SeatElsewhere",
    "Trophy",
    "Why",
]
