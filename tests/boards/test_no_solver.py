"""Without the library for best play, requests say so and jobs return nothing."""

from typing import Any

import pytest

from boards import batches, dds, services, solver, tasks
from boards.models import Board
from boards.solver import SolverMissing
from boards.whist import Play
from boards.whist.dealing import deal_board
from tests.solving import count_trumps_as_tricks

DEALS = {number: deal_board(bytes(32), number) for number in range(1, 4)}
MISSING_SOLVER_TEXT = "Best play needs the solver, which isn’t installed on this computer."


@pytest.fixture(autouse=True, params=[None, __file__], ids=["absent", "broken"])
def remove_solver_library(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Simulate a system without the library, or with a file that it cannot load."""
    monkeypatch.setattr(dds, "find_library", lambda: request.param)
    monkeypatch.setattr(dds, "load_library", dds.load_library.__wrapped__)


def test_each_request_raises_the_message_about_the_missing_solver() -> None:
    deals = list(DEALS.values())
    with pytest.raises(SolverMissing, match=MISSING_SOLVER_TEXT):
        solver.compute_best_tricks(deals)
    with pytest.raises(SolverMissing, match=MISSING_SOLVER_TEXT):
        solver.compute_tricks_by_lead(deals)
    with pytest.raises(SolverMissing, match=MISSING_SOLVER_TEXT):
        solver.compute_best_play_tables(deals)
    with pytest.raises(SolverMissing, match=MISSING_SOLVER_TEXT):
        solver.compute_tricks_in_play(Play(deals[0], ()))


@pytest.mark.django_db
def test_boards_have_no_best_play_and_no_task_fails_without_a_solver(
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        board_set = services.import_board_set(
            name="Tuesday", deals_by_board=DEALS, board_count=3
        )
    with django_capture_on_commit_callbacks(execute=True):
        services.queue_best_play_tables(board_set=board_set)
    assert not batches.analyse_batch(board_set)
    board_set.refresh_from_db()
    assert (board_set.state, board_set.error) == ("ready", "")
    assert not Board.objects.exclude(best_tricks=None, leads={}, table="").exists()


@pytest.mark.django_db
def test_best_play_is_computed_once_a_solver_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board_set = services.import_board_set(name="Tuesday", deals_by_board=DEALS, board_count=3)
    assert not batches.analyse_batch(board_set)
    monkeypatch.setattr(solver, "compute_best_tricks", count_trumps_as_tricks)
    assert batches.analyse_batch(board_set)
    assert not board_set.boards.filter(best_tricks=None).exists()


@pytest.mark.django_db
def test_nothing_is_queued_again_without_a_solver() -> None:
    services.import_board_set(name="Tuesday", deals_by_board=DEALS, board_count=3)
    assert not solver.is_available()
    assert solver.get_missing_solver_message() == MISSING_SOLVER_TEXT
    assert tasks.list_unanalysed_set_ids() == []
