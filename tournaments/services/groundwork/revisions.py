"""Writes that can change a score are counted, so that standings know they are behind.

Each also draws anew the stamps of the sections that it can change, by which is known what need
not be counted again (scoring.reckoning.apart).
"""

from django.db.models import F, QuerySet

from tournaments.models import Event, Section, Session
from tournaments.models.seating import fresh_stamp


def touch(session: Session, *, section: Section | None = None, writes: int = 1) -> None:
    """Count writes that can change a score of a session, or of one section alone."""
    _count(Session.objects.filter(pk=session.pk), writes)
    changed = Section.objects.filter(session=session)
    (changed if section is None else changed.filter(pk=section.pk)).update(stamp=fresh_stamp())


def touch_all(event: Event) -> None:
    """Count a write that can change every score of an event."""
    _count(Session.objects.filter(event=event))
    Section.objects.filter(session__event=event).update(stamp=fresh_stamp())


def _count(sessions: QuerySet[Session], writes: int = 1) -> None:
    sessions.update(revision=F("revision") + writes, stamped=F("stamped") + writes)
