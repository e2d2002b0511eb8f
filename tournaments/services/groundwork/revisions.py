"""Writes that can change a score are counted, so that standings know they are behind."""

from django.db.models import F

from tournaments.models import Event, Session


def touch(session: Session) -> None:
    """Count a write that can change a score of a session."""
    Session.objects.filter(pk=session.pk).update(revision=F("revision") + 1)


def touch_all(event: Event) -> None:
    """Count a write that can change every score of an event."""
    event.sessions.update(revision=F("revision") + 1)
