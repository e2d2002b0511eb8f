"""Services that move results to other boards after a change of the seating."""

from collections.abc import Iterable

from clubs.audit import Actor
from scoring.models import Doubt, Result
from scoring.services.score_checks import check_saved_results, load_board_groups
from tournaments.models import Sitting


def move_results(
    *, sitting: Sitting, board_number: int, played_board_number: int, by: Actor
) -> None:
    """Move a table's result from `board_number` to the board that was really played.

    The plausibility check runs again. The caller must have locked the sitting, and recorded
    in `Sitting.strays` that `played_board_number` replaced the planned board.
    """
    moved_results = list(sitting.results.filter(board=board_number))
    for result in moved_results:
        result.sitting = sitting
        move_result_to_board(result, played_board_number)
    check_moved_results(moved_results, by=by)


def move_result_to_board(result: Result, board_number: int) -> None:
    """Move a result to another board. Call `check_moved_results` after this."""
    result.board, result.doubt = board_number, Doubt.NONE
    result.save(update_fields=["board", "doubt"])


def check_moved_results(moved_results: Iterable[Result], *, by: Actor) -> None:
    """Run the plausibility check on results that have moved to other boards."""
    results = [result for result in moved_results if result.mark]
    snapshots = load_board_groups(
        (result.sitting.section.session, result.sitting_id, result.board) for result in results
    )
    check_saved_results(snapshots, results, by)
