"""The life of a session below its scores: it opens, it closes, it opens again."""

from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit import Actor, Back
from tournaments.board_counts import boards_short
from tournaments.errors import NotNow
from tournaments.models import Session
from tournaments.services.groundwork.revisions import touch
from tournaments.session_acts import lock_session, record_act


def open_session(*, session: Session, by: Actor) -> Session:
    """Let play begin: scores can be entered, and the seating stands."""
    session = lock_session(session)
    if session.state == Session.State.OPEN:
        return session
    if session.state == Session.State.CLOSED:
        raise NotNow(_("The session is closed. Open it again from its page."))
    if not session.sections.exists():
        raise NotNow(_("Choose the movement first: it says who sits where."))
    if (short := boards_short(session)) > 0:
        words = ngettext(
            "%(short)s board more is needed than are dealt. Deal again on the page Boards.",
            "%(short)s boards more are needed than are dealt. Deal again on the page Boards.",
            short,
        )
        raise NotNow(words % {"short": short})
    session.state, session.opened_at = Session.State.OPEN, timezone.now()
    session.save(update_fields=["state", "opened_at"])
    touch(session)
    record_act(by, "session.opened", session, back=_back(session, "session.unopen"))
    return session


def close_session(*, session: Session, closed_at: datetime | None = None, by: Actor) -> Session:
    """End the session: the hands may be seen from now on, and scores are no longer entered.

    `closed_at` is when it had been closed, where opening it again is taken back.
    """
    session = lock_session(session)
    if session.state == Session.State.CLOSED:
        return session
    if session.state == Session.State.PLANNED:
        raise NotNow(_("The session has not been opened yet."))
    session.state, session.closed_at = Session.State.CLOSED, closed_at or timezone.now()
    session.save(update_fields=["state", "closed_at"])
    touch(session)
    record_act(by, "session.closed", session, back=_back(session, "session.reopen"))
    return session


def reopen_session(*, session: Session, by: Actor, reason: str = "") -> Session:
    """Open a closed session again, to put a score right; what was seen stays seen.

    When the club's period for corrections is over, it takes a reason (rules J8).
    """
    session = lock_session(session)
    if session.state == Session.State.CLOSED:
        until, reason = session.corrections_until, " ".join(reason.split())[:200]
        if until is not None and until <= timezone.now() and not reason:
            raise NotNow(
                _("The time for corrections is over. Give the reason for opening it again.")
            )
        closed = session.closed_at.isoformat() if session.closed_at else None
        session.state, session.closed_at = Session.State.OPEN, None
        session.save(update_fields=["state", "closed_at"])
        touch(session)
        back = _back(session, "session.close", closed_at=closed)
        after = {"reason": reason} if reason else {}
        record_act(by, "session.reopened", session, after=after, back=back)
    return session


def return_to_setup(*, session: Session, by: Actor) -> Session:
    """Take the opening back, so that entries and movement can be changed."""
    session = lock_session(session)
    if session.state == Session.State.CLOSED:
        raise NotNow(_("The session is closed. Open it again first."))
    if session.state == Session.State.OPEN:
        session.state, session.opened_at = Session.State.PLANNED, None
        session.save(update_fields=["state", "opened_at"])
        record_act(by, "session.unopened", session, back=_back(session, "session.open"))
    return session


def _back(session: Session, call: str, **given: object) -> Back:
    """What takes a step of a session's life back."""
    about: tuple[str, ...] = (f"session {session.pk}",)
    if call in ("session.unopen", "session.open"):  # seats are fixed while play is open
        about += (f"seats {session.pk}", f"play {session.pk}", "play")
    return Back(about, call, {"session": session.pk, **given})
