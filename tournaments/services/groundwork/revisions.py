"""The revision of a session, which counts the writes that can change the session's scores.

A new revision invalidates stored standings. Each write also replaces the stamps of the sections
whose scores it can change. Sections with an unchanged stamp are not scored again
(scoring.standings_engine.incremental).
"""

from django.db.models import F, QuerySet

from tournaments.models import Event, Section, Session
from tournaments.models.seating import generate_stamp


def increment_revisions(
    session: Session, *, section: Section | None = None, write_count: int = 1
) -> None:
    """Count writes that can change the scores of a session, or of only one of its sections."""
    _increment_revision(Session.objects.filter(pk=session.pk), write_count)
    session_sections = Section.objects.filter(session=session)
    (session_sections if section is None else session_sections.filter(pk=section.pk)).update(
        stamp=generate_stamp()
    )


def count_write_for_event(event: Event) -> None:
    """Count a write that can change all scores of an event."""
    _increment_revision(Session.objects.filter(event=event))
    Section.objects.filter(session__event=event).update(stamp=generate_stamp())


def _increment_revision(sessions: QuerySet[Session], write_count: int = 1) -> None:
    sessions.update(revision=F("revision") + write_count, stamped=F("stamped") + write_count)
