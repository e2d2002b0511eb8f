"""Locks: every write of results, rulings or seats locks its session first.

Closing a session, or returning it to setup, therefore waits for scores that are being entered.
A score that waits for the lock reads the new state of the session. Rows are read only after the
lock is acquired. Each function raises ClubMoved for a club that has moved to another machine,
because its data is read-only here.
"""

from collections.abc import Iterable, Mapping

from django.db.models import F

from clubs.audit import check_not_moved
from scoring.models import Result
from tournaments.models import Session, Sitting


def lock_session(session_id: int) -> Session:
    """Lock a session until the end of the transaction, and return its current row."""
    sessions = Session.objects.select_for_update(of=("self",), no_key=True)
    session = sessions.select_related("event__club", "board_set").get(pk=session_id)
    check_not_moved(session.event.club)
    return session


def lock_sessions_of_sittings(sitting_ids: Iterable[int]) -> Mapping[int, Session]:
    """Lock the sessions of some sittings; return the session of each sitting, by key."""
    sessions = Session.objects.select_for_update(of=("self",), no_key=True)
    sessions = sessions.filter(sections__sittings__in={*sitting_ids}).order_by("pk")
    sessions = sessions.select_related("event__club", "board_set")
    session_by_id: dict[int, Session] = {}
    session_by_sitting: dict[int, Session] = {}
    for locked_session in sessions.annotate(sitting=F("sections__sittings")):
        session_by_sitting[locked_session.sitting] = session_by_id.setdefault(
            locked_session.pk, locked_session
        )
    for session in session_by_id.values():
        check_not_moved(session.event.club)
    return session_by_sitting


def lock_sitting(sitting_id: int) -> Sitting:
    """Lock a sitting after its session, and return it."""
    # Two scorers may change the same sitting at once. The rows are locked in the order of
    # `of`: the session first. Both rows are read after that.
    sittings = Sitting.objects.select_for_update(of=("section__session", "self"), no_key=True)
    sitting = sittings.select_related("section__session__event__club", "north", "east").get(
        pk=sitting_id
    )
    check_not_moved(sitting.section.session.event.club)
    return sitting


def lock_result(result: Result) -> Result:
    """Lock a result after its session and sitting, and return it."""
    sitting = lock_sitting(result.sitting_id)
    locked_result = Result.objects.select_for_update(of=("self",)).get(pk=result.pk)
    locked_result.sitting = sitting
    return locked_result
