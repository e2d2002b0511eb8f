"""The progress of a rehearsal: each request enters some of the results that are due.

No process runs for it. The director's open page polls every few seconds, and the server's clock
decides what is due. So it stops while no page is open, and a restart loses nothing.
"""

from collections.abc import Sequence
from datetime import timedelta
from fractions import Fraction

from django.db import transaction
from django.utils import timezone

from clubs.audit import Guest
from clubs.evenings.services import call_director
from clubs.models import RoundClock
from hall.models import Rehearsal
from hall.phones.services import make_links
from hall.rehearsal.evening import KEY, ScriptedEvening, come_in, evening, keep_mishap
from hall.rehearsal.script import At, Due, Kind, Mishap, turned_table
from hall.rehearsal.services import locked, set_clock_to
from scoring.models import ResultVersion
from scoring.services.results import NewScore, record_results
from tournaments.errors import NotNow
from tournaments.models import Sitting

MAX_UNWATCHED = timedelta(minutes=2)
"""The maximum time that passes between two requests: browsers poll rarely in the background."""
RESULTS_A_REQUEST = 40
"""The maximum number of results per request, to limit its response time."""
AT_THE_DOOR = Fraction(2, 5)
"""The elapsed part of the first round when a late entry arrives."""


def play_on(*, rehearsal: Rehearsal) -> int:
    """Enter the results due by now; return how many are left for the next request."""
    try:
        found = _asked(rehearsal)
    except NotNow:
        return 0
    waiting = _waiting(found)
    tables: dict[At, list[Due]] = {}
    for due in waiting[:RESULTS_A_REQUEST]:
        tables.setdefault(due.sat.at, []).append(due)
    for at, together in tables.items():
        _enter(found, at, together)
    return len(waiting[RESULTS_A_REQUEST:])


@transaction.atomic
def _asked(rehearsal: Rehearsal) -> ScriptedEvening:
    """Advance the clock and trigger the mishaps that are due, each only once."""
    rehearsal, session, clock = locked(rehearsal)
    _move_on(rehearsal, clock)
    found = evening(rehearsal, session, clock)
    rehearsal.script = [_followed(found, each, told) for each, told in found.mishaps]
    rehearsal.save(update_fields=["script"])
    return found


def _followed(found: ScriptedEvening, mishap: Mishap, told: bool) -> dict[str, object]:
    """Trigger one mishap if it is due."""
    mishap = _chosen(found, mishap)
    happens = not told and _has_happened(found, mishap)
    if happens:
        _call(found, mishap)
    return keep_mishap(mishap, told or happens)


def _move_on(rehearsal: Rehearsal, clock: RoundClock) -> None:
    """Advance the clock since the last request, at the rehearsal's speed.

    If a director sets the clock back, time starts again there; entered results stay.
    """
    assert clock.started_at is not None
    passed = (clock.paused_at or timezone.now()) - clock.started_at
    since = passed - rehearsal.reached
    before = rehearsal.reached if since >= timedelta() else passed
    gone = min(max(since, timedelta()), MAX_UNWATCHED) * rehearsal.speed
    set_clock_to(rehearsal, clock, before + gone)


def _chosen(found: ScriptedEvening, mishap: Mishap) -> Mishap:
    """Choose another table if the mishap's one is empty, and the table that swaps the sides."""
    if mishap.table and mishap.at not in found.tables:
        others = [at for at in found.tables if at[:2] == mishap.at[:2]]
        return mishap._replace(table=min(others).table) if others else mishap
    if mishap.kind is not Kind.TURNED or mishap.table:
        return mishap
    here = [due for due in found.dues if due.sat.at[:2] == (mishap.section, mishap.round)]
    if not any(found.has_come(due) for due in here):
        return mishap
    made: dict[At, list[int]] = {}
    for due in here:
        if found.result(due) is None:
            made.setdefault(due.sat.at, []).append(found.true_tricks(due))
    at = turned_table(made)
    return mishap if at is None else mishap._replace(table=at.table)


def _has_happened(found: ScriptedEvening, mishap: Mishap) -> bool:
    if mishap.kind is Kind.SLOW:
        return False
    if mishap.kind is Kind.LATE:
        first = found.rounds[mishap.round]
        seconds = found.rehearsal.reached.total_seconds()
        return seconds >= first.begins + first.length * AT_THE_DOOR
    if mishap.kind is Kind.TURNED:
        here = [due for due in found.dues if due.sat.at == mishap.at]
        return bool(here) and found.has_come(here[-1])
    due = found.due_of(mishap)
    return due is not None and found.has_come(due)


def _call(found: ScriptedEvening, mishap: Mishap) -> None:
    """Call the director as the table's phone would."""
    if mishap.kind not in (Kind.FOULED, Kind.REVOKE):
        return
    session = found.seated.session
    links = session.evening.table_links
    if not links.exists():  # play was opened on the evening's page
        make_links(session=session, by=None)
    link = links.filter(
        section=mishap.section, table=mishap.table, revoked_at__isnull=True
    ).first()
    if link is not None:
        call_director(link=link)


def _waiting(found: ScriptedEvening) -> Sequence[Due]:
    """List the due results that are not entered, the earliest first."""
    board_set = found.seated.session.board_set
    if board_set is not None and not board_set.is_ready:
        return []  # the tables have no boards yet
    seated, held = found.seated, found.held_back()
    known = {each[:2] for each in come_in(seated.session)}  # respect cleared results
    answered = (
        seated.settled_plays | seated.results.keys() | known
    ) - seated.plays_awaiting_new_deal
    return [
        due
        for due in found.dues
        if found.has_come(due)
        and (found.tables[due.sat.at].sitting, due.board) not in answered
        and due not in held
    ]


def _enter(found: ScriptedEvening, at: At, together: Sequence[Due]) -> None:
    """Enter results as the table's phone would; results entered by the director before stay."""
    sitting = Sitting.objects.get(pk=found.tables[at].sitting)
    record_results(
        scores=[
            NewScore(sitting, due.board, str(found.written_tricks(due)), seen="")
            for due in together
        ],
        by=Guest(Guest.Kind.TABLE, found.tables[at].label),
        via=ResultVersion.Via.REHEARSAL,
        key=KEY,
    )
