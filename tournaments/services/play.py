"""The life of a session: its boards are prepared, it opens, it closes."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _

import boards.services
from boards.models import BoardSet
from boards.whist import Deal
from tournaments import audit
from tournaments.audit import Actor
from tournaments.errors import NotNow
from tournaments.models import Session, Sitting


@transaction.atomic
def prepare_boards(*, session: Session, awaits_public: bool = False, by: Actor) -> BoardSet:
    """Have the session's boards dealt; asked for twice, it is the same one set.

    With `awaits_public` they are sealed now and dealt when a value is named. A set that failed
    is asked for again. Raises NotNow before a movement says how many
    boards are needed.
    """
    session = _locked(session)
    if session.board_set is not None:
        return boards.services.retry_board_set(board_set=session.board_set)
    board_set = boards.services.make_board_set(
        name=str(session), size=number_of_boards(session), awaits_public=awaits_public
    )
    _keep(session, board_set)
    _record(by, "boards.ordered", session, after=f"{board_set.size} boards")
    return board_set


@transaction.atomic
def import_deals(
    *,
    session: Session,
    deals: Mapping[int, Deal],
    source: BoardSet.Source = BoardSet.Source.TYPED,
    by: Actor,
) -> BoardSet:
    """Keep deals typed or read from a file; a board that has a deal keeps the old one too."""
    session = _locked(session)
    if session.board_set is None:
        board_set = boards.services.import_board_set(
            name=str(session), deals=deals, size=number_of_boards(session), source=source
        )
        _keep(session, board_set)
    else:
        board_set = session.board_set
        standing = board_set.deals()
        for number, deal in sorted(deals.items()):
            if standing.get(number) != deal:
                boards.services.replace_deal(board_set=board_set, number=number, deal=deal)
    numbers = ", ".join(str(number) for number in sorted(deals))
    _record(by, "deals.entered", session, after=f"boards {numbers}")
    return board_set


@transaction.atomic
def correct_deal(*, session: Session, number: int, deal: Deal, by: Actor) -> None:
    """Give one board another deal; the one it replaces is kept (rules E5)."""
    session = _locked(session)
    if session.board_set is None:
        raise NotNow(_("This session has no recorded deals."))
    boards.services.replace_deal(board_set=session.board_set, number=number, deal=deal)
    _record(by, "deal.replaced", session, subject=f"board {number}")


@transaction.atomic
def shuffle_at_table(*, session: Session, by: Actor) -> Session:
    """Decide that the players shuffle and deal at the tables: no hands are recorded."""
    session = _locked(session)
    if session.deals == Session.Deals.NONE:
        return session
    if session.board_set is not None:
        raise NotNow(_("This session's boards are recorded already; they stand."))
    session.deals = Session.Deals.NONE
    session.save(update_fields=["deals"])
    _record(by, "deals.left_out", session)
    return session


@transaction.atomic
def open_session(*, session: Session, by: Actor) -> Session:
    """Let play begin: scores can be entered, and the seating stands."""
    session = _locked(session)
    if session.state == Session.State.OPEN:
        return session
    if session.state == Session.State.CLOSED:
        raise NotNow(_("The session is closed. Open it again from its page."))
    if not session.sections.exists():
        raise NotNow(_("Choose the movement first: it says who sits where."))
    if (short := boards_short(session)) > 0:
        raise NotNow(
            _("%(short)s boards more are needed than are dealt. Deal anew on the page Boards.")
            % {"short": short}
        )
    session.state, session.opened_at = Session.State.OPEN, timezone.now()
    session.save(update_fields=["state", "opened_at"])
    touch(session)
    _record(by, "session.opened", session)
    return session


@transaction.atomic
def close_session(*, session: Session, by: Actor) -> Session:
    """End the session: the hands may be seen from now on, and scores are no longer entered."""
    session = _locked(session)
    if session.state == Session.State.CLOSED:
        return session
    if session.state == Session.State.PLANNED:
        raise NotNow(_("The session has not been opened yet."))
    session.state, session.closed_at = Session.State.CLOSED, timezone.now()
    session.save(update_fields=["state", "closed_at"])
    touch(session)
    _record(by, "session.closed", session)
    return session


@transaction.atomic
def reopen_session(*, session: Session, by: Actor, reason: str = "") -> Session:
    """Open a closed session again, to put a score right; what was seen stays seen.

    When the club's period for corrections is over, it takes a reason (rules J8).
    """
    session = _locked(session)
    if session.state == Session.State.CLOSED:
        until, reason = session.corrections_until, " ".join(reason.split())[:200]
        if until is not None and until <= timezone.now() and not reason:
            raise NotNow(
                _("The time for corrections is over. Give the reason for opening it again.")
            )
        session.state, session.closed_at = Session.State.OPEN, None
        session.save(update_fields=["state", "closed_at"])
        touch(session)
        _record(by, "session.reopened", session, after=reason)
    return session


@transaction.atomic
def return_to_setup(*, session: Session, by: Actor) -> Session:
    """Take the opening back, so that entries and movement can be changed.

    The app above refuses this once scores have been entered.
    """
    session = _locked(session)
    if session.state == Session.State.CLOSED:
        raise NotNow(_("The session is closed. Open it again first."))
    if session.state == Session.State.OPEN:
        session.state, session.opened_at = Session.State.PLANNED, None
        session.save(update_fields=["state", "opened_at"])
        _record(by, "session.unopened", session)
    return session


def touch(session: Session) -> None:
    """Count a write that can change a score, so that standings know they are behind."""
    Session.objects.filter(pk=session.pk).update(revision=F("revision") + 1)


def number_of_boards(session: Session) -> int:
    """Count the boards that the session's movement needs; raise NotNow before there is one."""
    groups = Sitting.objects.filter(section__session=session).aggregate(most=Max("board_group"))
    if groups["most"] is None:
        raise NotNow(_("Choose the movement first: it says how many boards are needed."))
    return int(groups["most"]) * session.boards_a_round


def boards_short(session: Session) -> int:
    """Say how many boards the movement needs beyond those that are recorded; none is 0."""
    if session.board_set is None or not session.sections.exists():
        return 0
    return max(0, number_of_boards(session) - session.board_set.size)


def _locked(session: Session) -> Session:
    # Two screens of one director, or a double click, race here.
    return Session.objects.select_for_update().get(pk=session.pk)


def _keep(session: Session, board_set: BoardSet) -> None:
    session.board_set, session.deals = board_set, Session.Deals.RECORDED
    session.save(update_fields=["board_set", "deals"])


def _record(
    by: Actor, action: str, session: Session, subject: str = "", after: str = ""
) -> None:
    audit.record(
        by,
        action,
        club=session.event.club,
        event=session.event,
        subject=subject or f"session {session.number}",
        after=after,
    )
