"""The rows of a club's year."""

from seasons.models.elsewhere import EntryElsewhere, EveningElsewhere, SeatElsewhere
from seasons.models.files import ClubFile
from seasons.models.publishing import Destination, Publication, Received, ReceivedVersion
from seasons.models.seasons import Handicap, Ladder, Season, SeasonVersion

__all__ = [
    "ClubFile",
    "Destination",
    "EntryElsewhere",
    "EveningElsewhere",
    "Handicap",
    "Ladder",
    "Publication",
    "Received",
    "ReceivedVersion",
    "Season",
    "SeasonVersion",
    "SeatElsewhere",
]
