"""Whoever writes what happened holds the session first, so that its state is true until then.

A session is locked before anything in it, by everybody: whoever closes it or takes it back to
setup waits for the scores that are being entered, and a score that waited sees it closed. What
is read here is read after the lock was won, never before. Nothing is locked of a club that has
moved to another machine: it only rests here (ClubMoved).
"""

from collections.abc import Iterable, Mapping

from django.db.models import F

from clubs.audit import refuse_moved
from scoring.models import Result
from tournaments.models import Session, Sitting


def lock_session(pk: int) -> Session:
    """Hold a session until the end of the transaction, and return it as it stands now."""
    rows = Session.objects.select_for_update(of=("self",), no_key=True)
    session = rows.select_related("event__club", "board_set").get(pk=pk)
    refuse_moved(session.event.club)
    return session


def lock_sessions_of(sittings: Iterable[int]) -> Mapping[int, Session]:
    """Lock the sessions of some sittings, and return each by the keys of its sittings."""
    rows = Session.objects.select_for_update(of=("self",), no_key=True)
    rows = rows.filter(sections__sittings__in={*sittings}).order_by("pk")
    rows = rows.select_related("event__club", "board_set")
    found: dict[int, Session] = {}
    by_sitting: dict[int, Session] = {}
    for each in rows.annotate(sitting=F("sections__sittings")):
        by_sitting[each.sitting] = found.setdefault(each.pk, each)
    for session in found.values():
        refuse_moved(session.event.club)
    return by_sitting


def locked_sitting(pk: int) -> Sitting:
    """Fetch one sitting for a change, its session locked before it."""
    # Two scorers with the same sitting on their screens race here. The rows are locked in the
    # order of `of`, and both are read as they are then.
    rows = Sitting.objects.select_for_update(of=("section__session", "self"), no_key=True)
    sitting = rows.select_related("section__session__event__club", "north", "east").get(pk=pk)
    refuse_moved(sitting.section.session.event.club)
    return sitting


def locked_result(result: Result) -> Result:
    """Fetch a result for a change, with its sitting and its session, both locked."""
    sitting = locked_sitting(result.sitting_id)
    found = Result.objects.select_for_update(of=("self",)).get(pk=result.pk)
    found.sitting = sitting
    return found
