"""Whoever writes what happened holds the session first, so that its state is true until then.

A session is locked before anything in it, by everybody: whoever closes it or takes it back to
setup waits for the scores that are being entered, and a score that waited sees it closed. What
is read here is read after the lock was won, never before. Nothing is locked of a club that has
moved to another machine: it only rests here (ClubMoved).
"""

from collections.abc import Iterable, Mapping

from django.db.models import QuerySet

from clubs.audit import refuse_moved
from scoring.models import Result
from server.prepared import prepared
from tournaments.models import Session, Sitting


def lock_session(pk: int) -> Session:
    """Hold a session until the end of the transaction, and return it as it stands now."""
    rows = Session.objects.select_for_update(of=("self",), no_key=True)
    session = rows.select_related("event__club", "board_set").get(pk=pk)
    refuse_moved(session.event.club)
    return session


def locked_sittings(pks: Iterable[int]) -> Mapping[int, Sitting]:
    """Fetch sittings for a change, their sessions locked before them."""
    sittings = {sitting.pk: sitting for sitting in _locked(tuple(sorted({*pks})))}
    for club in {sitting.section.session.event.club for sitting in sittings.values()}:
        refuse_moved(club)
    return sittings


@prepared
def _locked(pks: tuple[int, ...]) -> QuerySet[Sitting]:
    # Two scorers with the same sitting on their screens race here. The rows are locked in the
    # order of `of`, and both are read as they are then.
    of = ("section__session", "self")
    locked = Sitting.objects.select_for_update(of=of, no_key=True).filter(pk__in=pks)
    found = locked.select_related("section__session__event__club", "north", "east")
    return found.order_by("section__session", "pk")


def locked_sitting(pk: int) -> Sitting:
    """Fetch one sitting for a change, its session locked before it."""
    return locked_sittings([pk])[pk]


def locked_result(result: Result) -> Result:
    """Fetch a result for a change, with its sitting and its session, both locked."""
    sitting = locked_sitting(result.sitting_id)
    found = Result.objects.select_for_update(of=("self",)).get(pk=result.pk)
    found.sitting = sitting
    return found
