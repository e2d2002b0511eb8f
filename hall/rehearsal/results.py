"""Enter plausible results of an event, for the demo club and for benchmarks."""

from django.db import transaction

from clubs.audit import Actor
from hall.rehearsal.evening import list_sittings, load_expected_tricks
from hall.rehearsal.script import simulate_ns_tricks
from scoring.models import ResultVersion
from scoring.services.results import NewScore, record_results
from scoring.session_snapshot import load_session_snapshot
from tournaments.models import Session, Sitting


@transaction.atomic
def create_results(*, session: Session, round_count: int, random_seed: str, by: Actor) -> int:
    """Enter plausible results for the first rounds of an open session; return their number.

    Existing results are not changed.
    """
    snapshot, expected_tricks_by_board = (
        load_session_snapshot(session),
        load_expected_tricks(session),
    )
    sittings_by_pk = Sitting.objects.in_bulk(table.sitting_id for table in snapshot.tables)
    sitting_pks_by_table = {
        (
            seated_table.section,
            seated_table.round,
            seated_table.table_number,
        ): seated_table.sitting_id
        for seated_table in snapshot.tables
    }
    scores = [
        NewScore(
            sittings_by_pk[sitting_pks_by_table[sitting.table_key]],
            board_number,
            mark=str(
                simulate_ns_tricks(
                    random_seed,
                    sitting,
                    board_number,
                    expected_tricks_by_board.get(board_number),
                )
            ),
            seen_score="",
        )
        for sitting in list_sittings(snapshot)
        if sitting.table_key.round_number <= round_count
        for board_number in sitting.board_numbers
        if (sitting_pks_by_table[sitting.table_key], board_number)
        not in snapshot.results_by_play
    ]
    entered_results = record_results(
        scores=scores, by=by, channel=ResultVersion.InputChannel.DEMO
    )
    if entered_results.errors:
        raise entered_results.errors[0]
    return entered_results.changed_count
