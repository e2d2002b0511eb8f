"""The models of events and seatings."""

from tournaments.models.events import (
    MAX_POINTS_PER_BOARD,
    Entry,
    EntryPlayer,
    Event,
    EventQuerySet,
    Session,
)
from tournaments.models.links import EntryLink
from tournaments.models.plans import SavedMovement, SeatingChange
from tournaments.models.seating import Place, Section, Sitting
