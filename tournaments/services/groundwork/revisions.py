"""A counter of writes that can change a score, by which standings know that they are stale.

Each write also renews the stamps of the sections that it can change. They show which sections
need not be scored again (scoring.reckoning.apart).
"""

from django.db.models import F, QuerySet

from tournaments.models import Event, Section, Session
from tournaments.models.seating import fresh_stamp


def touch(session: Session, *, section: Section | None = None, writes: int = 1) -> None:
    """Count writes that can change a score of a session, or only of one section."""
    _count(Session.objects.filter(pk=session.pk), writes)
    changed = Section.objects.filter(session=session)
    (changed if section is None else changed.filter(pk=section.pk)).update(stamp=fresh_stamp())


def touch_all(event: Event) -> None:
    """Count a write that can change every score of an event."""
    _count(Session.objects.filter(event=event))
    Section.objects.filter(session__event=event).update(stamp=fresh_stamp())


def _count(sessions: QuerySet[Session], writes: int = 1) -> None:
    sessions.update(revision=F("revision") + writes, stamped=F("stamped") + writes)
