"""Locks: every write of results, rulings or seats locks its session first.

The session is locked before its other rows. Closing it, or returning it to setup, therefore
waits for scores that are being entered, and a score that waited finds it closed. Rows are read
only after the lock is acquired. Sessions of a club that has moved to another machine are
read-only here (ClubMoved).
"""

from collections.abc import Iterable, Mapping

from django.db.models import F

from clubs.audit import refuse_moved
from scoring.models import Result
from tournaments.models import Session, Sitting


def lock_session(pk: int) -> Session:
    """Lock a session until the end of the transaction, and return its current row."""
    rows = Session.objects.select_for_update(of=("self",), no_key=True)
    session = rows.select_related("event__club", "board_set").get(pk=pk)
    refuse_moved(session.event.club)
    return session


def lock_sessions_of(sittings: Iterable[int]) -> Mapping[int, Session]:
    """Lock the sessions of some sittings, and return them by the keys of the sittings."""
    rows = Session.objects.select_for_update(of=("self",), no_key=True)
    rows = rows.filter(sections__sittings__in={*sittings}).order_by("pk")
    rows = rows.select_related("event__club", "board_set")
    sessions_by_sitting: dict[int, Session] = {}
    by_sitting: dict[int, Session] = {}
    for each in rows.annotate(sitting=F("sections__sittings")):
        by_sitting[each.sitting] = sessions_by_sitting.setdefault(each.pk, each)
    for session in sessions_by_sitting.values():
        refuse_moved(session.event.club)
    return by_sitting


def lock_sitting(pk: int) -> Sitting:
    """Lock a sitting after its session, and return it."""
    # Two scorers may change the same sitting at once. The rows are locked in the order of
    # `of`, and both are read after that.
    rows = Sitting.objects.select_for_update(of=("section__session", "self"), no_key=True)
    sitting = rows.select_related("section__session__event__club", "north", "east").get(pk=pk)
    refuse_moved(sitting.section.session.event.club)
    return sitting


def lock_result(result: Result) -> Result:
    """Lock a result after its session and sitting, and return it."""
    sitting = lock_sitting(result.sitting_id)
    locked_result = Result.objects.select_for_update(of=("self",)).get(pk=result.pk)
    locked_result.sitting = sitting
    return locked_result
