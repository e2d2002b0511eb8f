"""The rows of a club's year."""

from seasons.models.elsewhere import EntryElsewhere, EveningElsewhere, SeatElsewhere
from seasons.models.seasons import Handicap, Ladder, Season, SeasonVersion

__all__ = [
    "EntryElsewhere",
    "EveningElsewhere",
    "Handicap",
    "Ladder",
    "Season",
    "SeasonVersion",
    "SeatElsewhere",
]
