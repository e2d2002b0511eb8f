"""Open, close and reopen a session.

`scoring.services` calls this module and updates the scores.
"""

from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit import Actor, Undo
from tournaments.board_counts import count_missing_boards
from tournaments.errors import ActionUnavailable
from tournaments.models import Session
from tournaments.services.groundwork.revisions import increment_revisions
from tournaments.session_acts import lock_session, record_session_act


def open_session(*, session: Session, by: Actor) -> Session:
    """Open a session, after which scores can be entered and the seating is fixed."""
    session = lock_session(session)
    if session.state == Session.State.OPEN:
        return session
    if session.state == Session.State.CLOSED:
        raise ActionUnavailable(_("The session is closed. Reopen it first."))
    if not session.sections.exists():
        raise ActionUnavailable(_("Choose the movement first. It sets the seats."))
    if (missing_board_count := count_missing_boards(session)) > 0:
        message = ngettext(
            "%(short)s more board needed. Deal again on the Boards page.",
            "%(short)s more boards needed. Deal again on the Boards page.",
            missing_board_count,
        )
        raise ActionUnavailable(message % {"short": missing_board_count})
    session.state, session.opened_at = Session.State.OPEN, timezone.now()
    session.save(update_fields=["state", "opened_at"])
    increment_revisions(session)
    record_session_act(
        by, "session.opened", session, undo=_build_undo(session, "session.unopen")
    )
    return session


def close_session(*, session: Session, closed_at: datetime | None = None, by: Actor) -> Session:
    """Close a session: its hands become visible, and its scores can no longer be entered.

    If a reopening is undone, `closed_at` is the earlier time of closing.
    """
    session = lock_session(session)
    if session.state == Session.State.CLOSED:
        return session
    if session.state == Session.State.PLANNED:
        raise ActionUnavailable(_("The session hasn’t started."))
    session.state, session.closed_at = Session.State.CLOSED, closed_at or timezone.now()
    session.save(update_fields=["state", "closed_at"])
    increment_revisions(session)
    record_session_act(
        by, "session.closed", session, undo=_build_undo(session, "session.reopen")
    )
    return session


def reopen_session(*, session: Session, by: Actor, reason: str = "") -> Session:
    """Open a closed session again to correct a score; hands that were public remain public.

    After the club's period for corrections a reason is required (rules J8).
    """
    session = lock_session(session)
    if session.state == Session.State.CLOSED:
        deadline, reason = session.corrections_end, " ".join(reason.split())[:200]
        if deadline is not None and deadline <= timezone.now() and not reason:
            raise ActionUnavailable(
                _("The correction period has ended. Enter a reason for reopening.")
            )
        closed_at_iso = session.closed_at.isoformat() if session.closed_at else None
        session.state, session.closed_at = Session.State.OPEN, None
        session.save(update_fields=["state", "closed_at"])
        increment_revisions(session)
        undo = _build_undo(session, "session.close", closed_at=closed_at_iso)
        new_values = {"reason": reason} if reason else {}
        record_session_act(by, "session.reopened", session, new_values=new_values, undo=undo)
    return session


def return_session_to_setup(*, session: Session, by: Actor) -> Session:
    """Undo the opening of a session, so that entries and movement can be changed again."""
    session = lock_session(session)
    if session.state == Session.State.CLOSED:
        raise ActionUnavailable(_("The session is closed. Reopen it first."))
    if session.state == Session.State.OPEN:
        session.state, session.opened_at = Session.State.PLANNED, None
        session.save(update_fields=["state", "opened_at"])
        record_session_act(
            by, "session.unopened", session, undo=_build_undo(session, "session.open")
        )
    return session


def _build_undo(session: Session, inverse_name: str, **arguments: object) -> Undo:
    """Return the undo action of a change of the session's state."""
    subjects: tuple[str, ...] = (f"session {session.pk}",)
    if inverse_name in ("session.unopen", "session.open"):
        # An open session has fixed seats: undo this act before earlier changes of seats.
        subjects += (f"seats {session.pk}", f"play {session.pk}", "play")
    return Undo(subjects, inverse_name, {"session": session.pk, **arguments})
