"""Plausible results for an event, entered at once for the demo and for benchmarks."""

from django.db import transaction

from clubs.audit import Actor
from hall.rehearsal.evening import list_sittings, load_expected_tricks
from hall.rehearsal.script import draw_tricks
from scoring.models import ResultVersion
from scoring.services.results import NewScore, record_results
from scoring.session_snapshot import load_session_snapshot
from tournaments.models import Session, Sitting


@transaction.atomic
def create_results(*, session: Session, rounds: int, seed: str, by: Actor) -> int:
    """Enter plausible results for the first rounds of an open session; return their number.

    Existing results are not changed.
    """
    snapshot, expected_tricks = load_session_snapshot(session), load_expected_tricks(session)
    sittings = Sitting.objects.in_bulk(table.sitting for table in snapshot.tables)
    by_at = {
        (seated_table.section, seated_table.round, seated_table.table): seated_table.sitting
        for seated_table in snapshot.tables
    }
    scores = [
        NewScore(
            sittings[by_at[sitting.at]],
            board,
            mark=str(draw_tricks(seed, sitting, board, expected_tricks.get(board))),
            seen="",
        )
        for sitting in list_sittings(snapshot)
        if sitting.at.round <= rounds
        for board in sitting.boards
        if (by_at[sitting.at], board) not in snapshot.results
    ]
    recorded = record_results(scores=scores, by=by, via=ResultVersion.Via.DEMO)
    if recorded.errors:
        raise recorded.errors[0]
    return recorded.changed_count
