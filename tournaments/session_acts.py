"""Functions to lock a session and to record acts, for all services that change sessions."""

from clubs import audit
from clubs.audit import Actor, AuditData, Undo
from tournaments.models import Session


def lock_session(session: Session) -> Session:
    """Lock a session until the transaction ends, against changes on two screens at once."""
    return Session.objects.select_for_update().get(pk=session.pk)


def record_session_act(
    by: Actor,
    action: str,
    session: Session,
    *,
    location_data: AuditData | None = None,
    old_values: AuditData | None = None,
    new_values: AuditData | None = None,
    undo: Undo | None = None,
) -> None:
    """Record an action of one session in the history of its event; see `clubs.audit.record`."""
    location = {"session": session.number, **(location_data or {})}
    audit.record(
        by,
        action,
        subject=session.event,
        where=location,
        before=old_values,
        after=new_values,
        undo=undo,
    )
