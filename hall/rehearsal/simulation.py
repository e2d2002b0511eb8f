"""The progress of a rehearsal: each polling request enters some of the due results.

There is no background process. The director's open page polls every few seconds, and the time
determines which results are due. The simulation pauses while no page is open.
"""

from collections.abc import Sequence
from datetime import timedelta
from fractions import Fraction

from django.db import transaction
from django.utils import timezone

from clubs.audit import GuestAuthor
from clubs.evenings.services import call_director
from clubs.models import RoundClock
from hall.models import Rehearsal
from hall.phones.services import create_table_links
from hall.rehearsal.evening import (
    IDEMPOTENCY_KEY,
    ScriptedEvening,
    list_automatic_result_keys,
    load_scripted_evening,
    serialize_mishap,
)
from hall.rehearsal.script import DueResult, Mishap, MishapKind, TableKey, choose_swapped_table
from hall.rehearsal.services import lock_rehearsal, set_elapsed_time
from scoring.models import ResultVersion
from scoring.services.results import NewScore, record_results
from tournaments.errors import ActionUnavailable
from tournaments.models import Sitting

MAX_TIME_STEP = timedelta(minutes=2)
"""The maximum time that the clock advances between two requests.

Browsers poll rarely while a page is in the background.
"""
MAX_RESULTS_PER_REQUEST = 40
"""The maximum number of results entered in one request, which limits its response time."""
LATE_ARRIVAL_FRACTION = Fraction(2, 5)
"""The fraction of the first round that has passed when the late entry arrives."""


def enter_due_results(*, rehearsal: Rehearsal) -> int:
    """Enter the results due by now, and return the number left for the next request."""
    try:
        scripted_evening = _advance_evening(rehearsal)
    except ActionUnavailable:
        return 0
    due_results = _list_due_results(scripted_evening)
    results_by_table: dict[TableKey, list[DueResult]] = {}
    for due_result in due_results[:MAX_RESULTS_PER_REQUEST]:
        results_by_table.setdefault(due_result.sitting.table_key, []).append(due_result)
    for table_key, table_results in results_by_table.items():
        _enter_results(scripted_evening, table_key, table_results)
    return len(due_results[MAX_RESULTS_PER_REQUEST:])


@transaction.atomic
def _advance_evening(rehearsal: Rehearsal) -> ScriptedEvening:
    """Advance the rehearsal's clock, and trigger each due mishap once."""
    rehearsal, session, clock = lock_rehearsal(rehearsal)
    _advance_clock(rehearsal, clock)
    scripted_evening = load_scripted_evening(rehearsal, session, clock)
    rehearsal.script = [
        _trigger_mishap(scripted_evening, mishap, has_happened)
        for mishap, has_happened in scripted_evening.mishaps
    ]
    rehearsal.save(update_fields=["script"])
    return scripted_evening


def _trigger_mishap(
    scripted_evening: ScriptedEvening, mishap: Mishap, has_happened: bool
) -> dict[str, object]:
    """Trigger a mishap if it is due, and return its new JSON form."""
    mishap = _relocate_mishap(scripted_evening, mishap)
    should_happen_now = not has_happened and _is_mishap_due(scripted_evening, mishap)
    if should_happen_now:
        _call_director(scripted_evening, mishap)
    return serialize_mishap(mishap, has_happened or should_happen_now)


def _advance_clock(rehearsal: Rehearsal, clock: RoundClock) -> None:
    """Advance the clock by the time since the last request, times the rehearsal's speed.

    If a director has set the clock back, the simulation continues from that time. Entered
    results are not changed.
    """
    assert clock.started_at is not None
    elapsed_time = (clock.paused_at or timezone.now()) - clock.started_at
    time_since_request = elapsed_time - rehearsal.reached
    previous_elapsed_time = (
        rehearsal.reached if time_since_request >= timedelta() else elapsed_time
    )
    time_step = min(max(time_since_request, timedelta()), MAX_TIME_STEP) * rehearsal.speed
    set_elapsed_time(rehearsal, clock, previous_elapsed_time + time_step)


def _relocate_mishap(scripted_evening: ScriptedEvening, mishap: Mishap) -> Mishap:
    """Return a mishap, moved to another table of the round if no one plays at its table.

    For swapped sides, the table is chosen when the first result of the round is due.
    """
    if mishap.table and mishap.table_key not in scripted_evening.tables_by_key:
        other_tables = [
            table_key
            for table_key in scripted_evening.tables_by_key
            if table_key[:2] == mishap.table_key[:2]
        ]
        return mishap._replace(table=min(other_tables).table_number) if other_tables else mishap
    if mishap.kind is not MishapKind.SWAPPED_SIDES or mishap.table:
        return mishap
    round_results = [
        due_result
        for due_result in scripted_evening.due_results
        if due_result.sitting.table_key[:2] == (mishap.section, mishap.round)
    ]
    if not any(scripted_evening.is_due(due_result) for due_result in round_results):
        return mishap
    tricks_by_table: dict[TableKey, list[int]] = {}
    for due_result in round_results:
        if scripted_evening.find_result(due_result) is None:
            tricks_by_table.setdefault(due_result.sitting.table_key, []).append(
                scripted_evening.get_true_tricks(due_result)
            )
    table_key = choose_swapped_table(tricks_by_table)
    return mishap if table_key is None else mishap._replace(table=table_key.table_number)


def _is_mishap_due(scripted_evening: ScriptedEvening, mishap: Mishap) -> bool:
    if mishap.kind is MishapKind.SLOW_TABLE:
        return False
    if mishap.kind is MishapKind.LATE_ENTRY:
        first_round = scripted_evening.times_by_round[mishap.round]
        elapsed_seconds = scripted_evening.rehearsal.reached.total_seconds()
        return (
            elapsed_seconds
            >= first_round.start_seconds + first_round.length_seconds * LATE_ARRIVAL_FRACTION
        )
    if mishap.kind is MishapKind.SWAPPED_SIDES:
        table_results = [
            due_result
            for due_result in scripted_evening.due_results
            if due_result.sitting.table_key == mishap.table_key
        ]
        return bool(table_results) and scripted_evening.is_due(table_results[-1])
    due_result = scripted_evening.find_due_result(mishap)
    return due_result is not None and scripted_evening.is_due(due_result)


def _call_director(scripted_evening: ScriptedEvening, mishap: Mishap) -> None:
    """Call the director about a fouled board or a revoke, as the table's phone would."""
    if mishap.kind not in (MishapKind.FOULED, MishapKind.REVOKE):
        return
    session = scripted_evening.snapshot.session
    links = session.evening.table_links
    if not links.exists():  # the session was opened on the event's desk
        create_table_links(session=session, by=None)
    link = links.filter(
        section=mishap.section, table=mishap.table, revoked_at__isnull=True
    ).first()
    if link is not None:
        call_director(link=link)


def _list_due_results(scripted_evening: ScriptedEvening) -> Sequence[DueResult]:
    """Return the due results that no one has entered yet, earliest first."""
    board_set = scripted_evening.snapshot.session.board_set
    if board_set is not None and not board_set.is_ready:
        return []  # the tables have no boards yet
    snapshot, withheld_results = (
        scripted_evening.snapshot,
        scripted_evening.list_withheld_results(),
    )
    # results that the director has cleared are not entered again
    entered_plays = {
        automatic_result_key[:2]
        for automatic_result_key in list_automatic_result_keys(snapshot.session)
    }
    finished_plays = (
        snapshot.settled_plays | snapshot.results_by_play.keys() | entered_plays
    ) - snapshot.plays_awaiting_new_deal
    return [
        due_result
        for due_result in scripted_evening.due_results
        if scripted_evening.is_due(due_result)
        and (
            scripted_evening.tables_by_key[due_result.sitting.table_key].sitting_id,
            due_result.board_number,
        )
        not in finished_plays
        and due_result not in withheld_results
    ]


def _enter_results(
    scripted_evening: ScriptedEvening, table_key: TableKey, due_results: Sequence[DueResult]
) -> None:
    """Enter one table's results as its phone would, unless the director has entered them."""
    sitting = Sitting.objects.get(pk=scripted_evening.tables_by_key[table_key].sitting_id)
    record_results(
        scores=[
            NewScore(
                sitting,
                due_result.board_number,
                str(scripted_evening.get_entered_tricks(due_result)),
                seen_score="",
            )
            for due_result in due_results
        ],
        by=GuestAuthor(GuestAuthor.Kind.TABLE, scripted_evening.tables_by_key[table_key].label),
        channel=ResultVersion.InputChannel.REHEARSAL,
        request_key=IDEMPOTENCY_KEY,
    )
