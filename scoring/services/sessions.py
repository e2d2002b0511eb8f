"""Services that open, close and reopen a session, and recompute its event's standings."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.models import Evening
from scoring.models import Result
from scoring.secrecy import can_director_see_cards
from scoring.services.locking import lock_session
from scoring.services.recompute import enqueue_recomputation
from server.backups.tasks import AFTER_SESSION_BACKUP_KEY, enqueue_backup
from tournaments.errors import ActionUnavailable
from tournaments.models import Session
from tournaments.services import seal_boards
from tournaments.services.groundwork import play


@transaction.atomic
def open_session(*, session: Session, is_director_playing: bool = False, by: Actor) -> Session:
    """Open a session: scores can be entered, and the seating is fixed.

    If the director plays, known cards are sealed until the close (`seal_boards`). Raises
    ActionUnavailable without a movement or with too few boards, and for a closed session.
    """
    if Evening.objects.filter(pk=session.evening_id, check_in_state="open").exists():
        raise ActionUnavailable(
            _("Check-in is open. Start the session there, or cancel check-in.")
        )
    if is_director_playing and can_director_see_cards(session):
        seal_boards(session=session, by=by)
    session = play.open_session(session=session, by=by)
    enqueue_recomputation(session.event)
    return session


@transaction.atomic
def close_session(*, session: Session, closed_at: datetime | None = None, by: Actor) -> Session:
    """Close a session: its hands become public, and no more scores are entered.

    `closed_at` is the earlier closing time, if a reopening is undone. The standings are stored
    as a version. Raises ActionUnavailable for a session that has not been opened.
    """
    session = play.close_session(session=session, closed_at=closed_at, by=by)
    enqueue_recomputation(session.event)
    enqueue_backup(AFTER_SESSION_BACKUP_KEY)
    return session


@transaction.atomic
def reopen_session(*, session: Session, by: Actor, reason: str = "") -> Session:
    """Open a closed session again to correct a score; the hands remain public.

    Raises ActionUnavailable after the club's period for corrections if there is no `reason`
    (rules J8).
    """
    session = play.reopen_session(session=session, by=by, reason=reason)
    enqueue_recomputation(session.event)
    return session


@transaction.atomic
def return_session_to_setup(*, session: Session, by: Actor) -> Session:
    """Undo the opening, so that entries and movement can be changed.

    Raises ActionUnavailable once a score has been entered, and for a closed session.
    """
    lock_session(session.pk)  # wait for a score that is being entered
    if Result.objects.filter(sitting__section__session=session).exists():
        raise ActionUnavailable(_("Scores have been entered, so the seating can’t change."))
    session = play.return_session_to_setup(session=session, by=by)
    enqueue_recomputation(session.event)
    return session
