"""Services for results that the plausibility check has queried, and for disputed results."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from scoring.doubts.open_doubts import find_round_correction, load_visible_best_play
from scoring.models import Doubt, Outcome, Result, ResultVersion
from scoring.services.locking import lock_sitting
from scoring.services.results import (
    NewScore,
    confirm_result,
    lock_changeable_result,
    record_result,
    record_results,
)
from scoring.services.score_checks import check_play_can_be_scored
from scoring.session_snapshot import load_session_snapshot
from tournaments.errors import ActionUnavailable
from tournaments.models import Sitting


@transaction.atomic
def accept_result(*, sitting: Sitting, board_number: int, by: Actor) -> Result | None:
    """Accept a queried result as right, and record this decision in the history.

    Returns the board's result at this sitting, even if it was not queried; None if there is
    no result.
    """
    sitting = lock_sitting(sitting.pk)  # another user may be changing the result
    session = sitting.section.session
    check_play_can_be_scored(sitting, session, board_number, by)
    result = sitting.results.filter(board=board_number).order_by("-deal").first()
    if result is None or result.ns_tricks is None or result.doubt == Doubt.KEPT:
        return result
    result.doubt = Doubt.KEPT
    result.save(update_fields=["doubt"])
    audit.record(
        by,
        "result.kept",
        subject=session.event,
        where={**sitting.history_location, "board": board_number},
        before={"doubt": Doubt.QUERIED.value},
        after={"kept": result.mark},
        undo=Undo((f"result {result.pk}",), "result.ask_again", {"result": result.pk}),
    )
    return result


@transaction.atomic
def restore_result_query(*, result: Result, by: Actor) -> Result:
    """Undo `accept_result`: mark the result as queried.

    Raises ActionUnavailable if the result has changed.
    """
    result = lock_changeable_result(result, by)
    if result.doubt != Doubt.KEPT:
        raise ActionUnavailable(_("This score has since been changed."))
    result.doubt = Doubt.QUERIED
    result.save(update_fields=["doubt"])
    audit.record(
        by,
        "result.queried",
        subject=result.sitting.section.session.event,
        where=result.history_location,
        before={"kept": result.mark},
        after={"doubt": Doubt.QUERIED.value},
        undo=Undo((f"result {result.pk}",), "result.keep", {"result": result.pk}),
    )
    return result


@transaction.atomic
def settle_dispute(
    *, sitting: Sitting, board_number: int, mark: str, seen_score: str, by: Actor
) -> Result:
    """Record the right score of a board on which the two sides of a table disagree.

    `mark` is the right score, and `seen_score` is the entered score that the director's page
    showed. If they are equal, the score is confirmed; otherwise `mark` replaces it. Both can be
    undone. Raises EntryConflict if the table has since entered another score.
    """
    sitting = lock_sitting(sitting.pk)
    if mark != seen_score:
        entered_result = record_result(
            sitting=sitting, board_number=board_number, mark=mark, seen_score=seen_score, by=by
        )
        return entered_result.result
    return confirm_result(
        sitting=sitting,
        board_number=board_number,
        seen_score=seen_score,
        by=by,
        action="result.settled",
        channel=ResultVersion.InputChannel.GRID,
    ).result


@transaction.atomic
def swap_result_sides(*, sitting: Sitting, board_number: int, by: Actor) -> Result | None:
    """Exchange the N-S and E-W tricks (or points) of a board's result; None if it has none."""
    result = sitting.results.filter(board=board_number).order_by("-deal").first()
    if result is None or result.outcome != Outcome.PLAYED:
        return result
    mark, seen_mark = result.written_score.swapped_score.mark, result.mark
    return record_result(
        sitting=sitting, board_number=board_number, mark=mark, seen_score=seen_mark, by=by
    ).result


@transaction.atomic
def exchange_results(
    *, sitting: Sitting, board_number: int, other_board_number: int, by: Actor
) -> int:
    """Exchange a table's results of two boards; return the number of changed results.

    If only one board has a result, that result moves to the other board. Raises
    ActionUnavailable if a ruling on either board is in force, because a ruling applies to one
    board.
    """
    sitting = lock_sitting(sitting.pk)
    results_by_board = {
        exchanged_board_number: Result.find_or_create_current_result(
            sitting, exchanged_board_number
        )
        for exchanged_board_number in (board_number, other_board_number)
    }
    for result in results_by_board.values():
        if result.pk and result.rulings.filter(withdrawn_at__isnull=True).exists():
            raise ActionUnavailable(
                _("Board %(board)s has a ruling. Withdraw it before swapping.")
                % {"board": result.board}
            )
    new_scores = [
        NewScore(
            sitting,
            board_number,
            results_by_board[other_board_number].mark,
            results_by_board[board_number].mark,
            results_by_board[other_board_number].trump,
        ),
        NewScore(
            sitting,
            other_board_number,
            results_by_board[board_number].mark,
            results_by_board[other_board_number].mark,
            results_by_board[board_number].trump,
        ),
    ]
    recorded_scores = record_results(scores=new_scores, by=by)
    if recorded_scores.errors:
        raise recorded_scores.errors[0]
    return recorded_scores.changed_count


@transaction.atomic
def correct_round(*, sitting: Sitting, by: Actor) -> int:
    """Correct the one mistake that explains the queried results of a table's round.

    For example, all scores were entered for the wrong side. Returns the number of changed
    results: 0 if no single mistake explains the round.
    """
    session = sitting.section.session
    snapshot = load_session_snapshot(session, board_group=sitting.board_group)
    table = next(
        (
            seated_table
            for seated_table in snapshot.tables
            if seated_table.sitting_id == sitting.pk
        ),
        None,
    )
    table_correction = (
        find_round_correction(snapshot, table, load_visible_best_play(session, by))
        if table
        else None
    )
    if table_correction is None:
        return 0
    round_correction = table_correction.round_correction
    new_scores = [
        NewScore(sitting, corrected_board_number, str(tricks))
        for corrected_board_number, tricks in round_correction.boards_and_tricks
    ]
    recorded_scores = record_results(scores=new_scores, by=by)
    if recorded_scores.errors:
        raise recorded_scores.errors[0]
    return recorded_scores.changed_count
