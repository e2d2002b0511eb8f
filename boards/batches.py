"""Functions that deal the boards of a set in batches and compute best play for them."""

from collections.abc import Callable, Sequence

from django.db import transaction
from django.db.models import Q

from boards import solver
from boards.models import Board, BoardSet
from boards.whist import Seat
from boards.whist.dealing import deal_board

BOARDS_PER_TRANSACTION = 8
"""The number of boards dealt in one transaction; pages then show the new progress."""

HAS_TURN_UP = ~Q(turn_up="")
"""The filter for boards with a turn-up.

For boards with declared trumps, a best-play table of all suits replaces the single number.
"""

BOARDS_PER_SOLVER_RUN = 4
"""The number of boards solved in one run of the job, after which other jobs may run.

A board that is hard to solve takes a third of a second.
"""


def deal_missing_boards(board_set: BoardSet) -> None:
    """Deal the missing boards of a set; idempotent.

    Every deal is determined by the set's secret and the board's number. If a run is killed, the
    next run completes the set. Two concurrent runs write identical boards.
    """
    while _deal_batch(board_set):
        pass


def record_failure(board_set: BoardSet, error: str) -> None:
    """Store the error with which dealing a set failed; the set can be queued again."""
    BoardSet.objects.filter(pk=board_set.pk).exclude(state=BoardSet.State.READY).update(
        state=BoardSet.State.FAILED, error=error
    )


def analyse_batch(board_set: BoardSet) -> bool:
    """Store best play for a few boards; return whether other boards may still lack it.

    The function first computes the tricks with the turn-up's suit as trumps, because pages wait
    for these. Then it computes the tricks after each opening lead, which takes twice as long.
    It computes best-play tables last, and only if they were requested. If the solver is not
    installed, nothing is stored.
    """
    analyses: list[tuple[Callable[[Sequence[Board]], None], Q, int]] = [
        (_solve_best_play, Q(best_tricks=None) & HAS_TURN_UP, BOARDS_PER_SOLVER_RUN),
        (_solve_leads, Q(leads={}) & HAS_TURN_UP, BOARDS_PER_SOLVER_RUN),
    ]
    if board_set.wants_tables:
        # A table of all suits takes ten times as long as one trump suit.
        analyses.append((_solve_tables, Q(table=""), 1))
    for solve, missing_condition, batch_size in analyses:
        boards = list(board_set.boards.current().filter(missing_condition)[:batch_size])
        if boards:
            try:
                solve(boards)
            except solver.SolverMissing:
                return False
            return True
    return False


@transaction.atomic
def _deal_batch(board_set: BoardSet) -> bool:
    """Deal one batch of boards; return whether more boards may be missing."""
    # Without the lock, two workers could deal the same set, each from an outdated count.
    board_set = BoardSet.objects.select_for_update().get(pk=board_set.pk)
    if board_set.is_ready or board_set.secret is None or board_set.is_waiting_for_public_value:
        return False
    present_numbers = set(board_set.boards.values_list("number", flat=True))
    missing_numbers = [
        board_number
        for board_number in board_set.board_numbers
        if board_number not in present_numbers
    ]
    Board.objects.bulk_create(
        [
            _create_board(board_set, board_number)
            for board_number in missing_numbers[:BOARDS_PER_TRANSACTION]
        ],
        ignore_conflicts=True,
    )
    board_set.made = board_set.size - len(missing_numbers[BOARDS_PER_TRANSACTION:])
    is_complete = board_set.made == board_set.size
    board_set.state = BoardSet.State.READY if is_complete else BoardSet.State.DEALING
    board_set.error = ""
    board_set.save(update_fields=["made", "state", "error"])
    return not is_complete


def _create_board(board_set: BoardSet, board_number: int) -> Board:
    assert board_set.secret is not None
    deal = deal_board(
        bytes(board_set.secret), board_number, public_value=board_set.public_value
    )
    return Board.from_deal(board_set, board_number, deal)


def _solve_leads(boards: Sequence[Board]) -> None:
    tricks_by_card_list = solver.compute_tricks_by_lead([board.as_deal() for board in boards])
    for board, tricks_by_card in zip(boards, tricks_by_card_list, strict=True):
        board.leads = {card.code: tricks for card, tricks in tricks_by_card.items()}
    Board.objects.bulk_update(boards, ["leads"])


def _solve_tables(boards: Sequence[Board]) -> None:
    best_play_tables = solver.compute_best_play_tables([board.as_deal() for board in boards])
    for board, best_play_table in zip(boards, best_play_tables, strict=True):
        board.table = "".join(
            f"{best_play_table[seat, denomination]:x}"
            for seat in Seat
            for denomination in solver.DENOMINATIONS
        )
    Board.objects.bulk_update(boards, ["table"])


def _solve_best_play(boards: Sequence[Board]) -> None:
    best_tricks_list = solver.compute_best_tricks([board.as_deal() for board in boards])
    for board, best_tricks in zip(boards, best_tricks_list, strict=True):
        board.best_tricks = best_tricks
    Board.objects.bulk_update(boards, ["best_tricks"])
