"""A worker may run twice, be killed midway, or fail: the result is one set."""

import pytest

from boards import batches, services, tasks
from boards.models import Board, BoardSet
from boards.whist import CARDS_BY_CODE, InvalidSecret, Seat
from boards.whist.dealing import deal_board
from tests.solving import count_suits_as_tricks, replace_solver

pytestmark = pytest.mark.django_db


@pytest.fixture
def board_set():
    return services.create_board_set(name="Tuesday", board_count=20)


def test_deals_are_derived_from_the_secret(board_set):
    batches.deal_missing_boards(board_set)
    secret = board_set.secret
    assert board_set.load_deals() == {n: deal_board(secret, n) for n in range(1, 21)}


def test_dealing_missing_boards_is_idempotent(board_set):
    batches.deal_missing_boards(board_set)
    boards_before = list(Board.objects.values())
    batches.deal_missing_boards(board_set)
    assert list(Board.objects.values()) == boards_before


def test_next_run_finishes_a_run_that_was_killed(board_set, monkeypatch):
    boards = batches._deal_batch
    remaining_runs = iter([True])
    with monkeypatch.context() as patch_context:
        patch_context.setattr(
            batches, "_deal_batch", lambda board_set: next(remaining_runs) and boards(board_set)
        )
        with pytest.raises(StopIteration):
            batches.deal_missing_boards(board_set)
    board_set.refresh_from_db()
    assert (board_set.state, board_set.made, Board.objects.count()) == ("making", 8, 8)
    assert tasks.list_unfinished_set_ids() == [board_set.pk]
    batches.deal_missing_boards(board_set)
    board_set.refresh_from_db()
    assert (board_set.state, board_set.made, Board.objects.count()) == ("ready", 20, 20)
    assert board_set.load_deals() == {n: deal_board(board_set.secret, n) for n in range(1, 21)}
    assert tasks.list_unfinished_set_ids() == []


def test_typed_set_is_not_dealt():
    board_set = services.import_board_set(name="Tuesday", deals_by_board={}, board_count=4)
    BoardSet.objects.update(state="wanted")
    batches.deal_missing_boards(board_set)
    assert not Board.objects.exists()
    assert tasks.list_unfinished_set_ids() == []


def test_failed_set_shows_its_error_and_can_be_retried(board_set):
    tasks.DEALING_JOB.on_failure(board_set.pk, "the disk is full")
    board_set.refresh_from_db()
    assert board_set.state == BoardSet.State.FAILED
    assert board_set.error == ("The boards couldn’t be dealt (the disk is full). Try again.")
    tasks.deal_boards(board_set.pk)
    board_set.refresh_from_db()
    assert (board_set.state, board_set.error) == ("ready", "")


def test_error_message_of_the_exception_is_shown(board_set, monkeypatch):
    def fail_to_derive(*_args, **_options):
        raise InvalidSecret("The secret is gone.")

    monkeypatch.setattr(batches, "deal_board", fail_to_derive)
    tasks.deal_boards(board_set.pk)
    board_set.refresh_from_db()
    assert board_set.error == "The secret is gone."


def test_finished_set_never_fails_afterwards(board_set):
    batches.deal_missing_boards(board_set)
    batches.record_failure(board_set, "Too late.")
    board_set.refresh_from_db()
    assert board_set.is_ready


def test_unfinished_sets_are_listed_but_not_those_awaiting_a_public_value(board_set):
    waiting_set = services.create_board_set(
        name="Later", board_count=2, should_use_public_value=True
    )
    assert tasks.list_unfinished_set_ids() == [board_set.pk]
    tasks.deal_boards(board_set.pk)
    assert tasks.list_unfinished_set_ids() == []
    waiting_set.refresh_from_db()
    assert waiting_set.state == "wanted"


@pytest.mark.parametrize("run_task", [tasks.deal_boards, tasks.analyse_boards])
def test_deleted_set_needs_no_work(run_task):
    assert not run_task(404)
    assert not Board.objects.exists()


def test_best_play_is_stored_for_current_boards_without_it(board_set, monkeypatch):
    deal_counts = []

    def solve(deals):
        deal_counts.append(len(deals))
        return list(range(len(deals)))

    def solve_all_leads(deals):
        return [dict.fromkeys(sorted(deal.hands[deal.leader]), 7) for deal in deals]

    monkeypatch.setattr("boards.solver.compute_best_tricks", solve)
    monkeypatch.setattr("boards.solver.compute_tricks_by_lead", solve_all_leads)
    monkeypatch.setattr(batches, "BOARDS_PER_SOLVER_RUN", 12)
    batches.deal_missing_boards(board_set)
    services.replace_deal(board_set=board_set, board_number=1, deal=deal_board(bytes(32), 1))
    analyse_all(board_set)
    analyse_all(board_set)
    assert deal_counts == [12, 8]
    tricks = board_set.boards.current().values_list("best_tricks", flat=True)
    assert list(tricks) == [*range(12), *range(8)]
    assert board_set.boards.get(number=1, version=1).best_tricks is None
    stored_board = board_set.boards.current().first()
    assert {stored_board.as_deal().leader} == {
        seat
        for seat in Seat
        if CARDS_BY_CODE[next(iter(stored_board.leads))] in stored_board.as_deal().hands[seat]
    }
    assert list(stored_board.leads.values()) == [7] * 13


def test_worker_stops_after_a_few_boards_and_reports_more_work(board_set, monkeypatch):
    monkeypatch.setattr("boards.solver.compute_best_tricks", lambda deals: [7] * len(deals))
    batches.deal_missing_boards(board_set)
    assert tasks.analyse_boards(board_set.pk)
    solved_count = board_set.boards.current().exclude(best_tricks=None).count()
    assert solved_count == batches.BOARDS_PER_SOLVER_RUN


def analyse_all(board_set):
    while tasks.analyse_boards(board_set.pk):
        pass


def test_best_play_tables_are_computed_for_every_board_on_request(
    board_set, monkeypatch, django_capture_on_commit_callbacks
):
    replace_solver(monkeypatch)
    batches.deal_missing_boards(board_set)
    analyse_all(board_set)
    assert set(board_set.boards.values_list("table", flat=True)) == {""}
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True) as callbacks:
            services.queue_best_play_tables(board_set=board_set)
    assert callbacks == []
    for board in board_set.boards.current():
        (cells,) = count_suits_as_tricks([board.as_deal()])
        table = iter(board.table)
        for seat in "NESW":
            for word in ("NT", "S", "H", "D", "C"):
                assert int(next(table), 16) == cells[Seat(seat), word]
        assert next(table, None) is None


def test_lost_job_for_best_play_tables_is_found_and_repeated(board_set, monkeypatch):
    replace_solver(monkeypatch)
    batches.deal_missing_boards(board_set)
    analyse_all(board_set)
    assert tasks.list_unanalysed_set_ids() == []
    services.queue_best_play_tables(board_set=board_set)  # its job is lost
    assert tasks.list_unanalysed_set_ids() == [board_set.pk]
    analyse_all(board_set)
    assert tasks.list_unanalysed_set_ids() == []
