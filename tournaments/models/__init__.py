"""The rows of clubs, events, seatings and their history."""

from tournaments.models.audit import AuditEntry
from tournaments.models.clubs import Club, Membership, Player
from tournaments.models.events import Entry, EntryPlayer, Event, Session
from tournaments.models.plans import SavedMovement, SeatingChange
from tournaments.models.seating import Place, Section, Sitting

__all__ = [
    "AuditEntry",
    "Club",
    "Entry",
    "EntryPlayer",
    "Event",
    "Membership",
    "Place",
    "Player",
    "SavedMovement",
    "SeatingChange",
    "Section",
    "Session",
    "Sitting",
]
