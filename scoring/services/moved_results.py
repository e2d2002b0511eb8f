"""Services that move results to other boards after a change of the seating."""

from collections.abc import Iterable

from clubs.audit import Actor
from scoring.models import Doubt, Result
from scoring.services.plausibility import check_saved_results, load_board_groups
from tournaments.models import Sitting


def move_results(*, sitting: Sitting, board: int, really: int, by: Actor) -> None:
    """Move a table's result to the board really played, and check it again there.

    The sitting must be locked, and its data must already have the board really played.
    """
    moved_results = list(sitting.results.filter(board=board))
    for result in moved_results:
        result.sitting = sitting
        move_result_to_board(result, really)
    check_moved_results(moved_results, by=by)


def move_result_to_board(result: Result, board: int) -> None:
    """Move a result to another board. Call `check_moved_results` after this."""
    result.board, result.doubt = board, Doubt.NONE
    result.save(update_fields=["board", "doubt"])


def check_moved_results(moved_results: Iterable[Result], *, by: Actor) -> None:
    """Check results moved to other boards, after the seating was changed."""
    results = [result for result in moved_results if result.mark]
    snapshots = load_board_groups(
        (result.sitting.section.session, result.sitting_id, result.board) for result in results
    )
    check_saved_results(snapshots, results, by)
