"""A counter of writes that can change a score, which invalidates stored standings.

Each write also renews the stamps of the sections that it can change. Sections with an unchanged
stamp need not be scored again (scoring.standings_engine.incremental).
"""

from django.db.models import F, QuerySet

from tournaments.models import Event, Section, Session
from tournaments.models.seating import generate_stamp


def count_write(session: Session, *, section: Section | None = None, writes: int = 1) -> None:
    """Count writes that can change a score of a session, or of only one section."""
    _increment_revision(Session.objects.filter(pk=session.pk), writes)
    changed = Section.objects.filter(session=session)
    (changed if section is None else changed.filter(pk=section.pk)).update(
        stamp=generate_stamp()
    )


def count_write_for_event(event: Event) -> None:
    """Count a write that can change every score of an event."""
    _increment_revision(Session.objects.filter(event=event))
    Section.objects.filter(session__event=event).update(stamp=generate_stamp())


def _increment_revision(sessions: QuerySet[Session], writes: int = 1) -> None:
    sessions.update(revision=F("revision") + writes, stamped=F("stamped") + writes)
