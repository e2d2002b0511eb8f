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
    return services.make_board_set(name="Tuesday", size=20)


def test_the_deals_are_those_of_the_secret(board_set):
    batches.deal_missing_boards(board_set)
    secret = board_set.secret
    assert board_set.deals() == {n: deal_board(secret, n) for n in range(1, 21)}


def test_filling_twice_is_filling_once(board_set):
    batches.deal_missing_boards(board_set)
    boards_before = list(Board.objects.values())
    batches.deal_missing_boards(board_set)
    assert list(Board.objects.values()) == boards_before


def test_a_run_killed_midway_is_finished_by_the_next(board_set, monkeypatch):
    boards = batches._deal_batch
    runs = iter([True])
    with monkeypatch.context() as patch:
        patch.setattr(
            batches, "_deal_batch", lambda board_set: next(runs) and boards(board_set)
        )
        with pytest.raises(StopIteration):
            batches.deal_missing_boards(board_set)
    board_set.refresh_from_db()
    assert (board_set.state, board_set.made, Board.objects.count()) == ("making", 8, 8)
    assert tasks.list_unfinished() == [board_set.pk]
    batches.deal_missing_boards(board_set)
    board_set.refresh_from_db()
    assert (board_set.state, board_set.made, Board.objects.count()) == ("ready", 20, 20)
    assert board_set.deals() == {n: deal_board(board_set.secret, n) for n in range(1, 21)}
    assert tasks.list_unfinished() == []


def test_a_typed_set_is_left_alone():
    board_set = services.import_board_set(name="Tuesday", deals={}, size=4)
    BoardSet.objects.update(state="wanted")
    batches.deal_missing_boards(board_set)
    assert not Board.objects.exists()
    assert tasks.list_unfinished() == []


def test_what_was_given_up_is_said_on_the_set_and_can_be_asked_for_again(board_set):
    tasks.DEALS.on_failure(board_set.pk, "the disk is full")
    board_set.refresh_from_db()
    assert board_set.state == BoardSet.State.FAILED
    assert board_set.error == ("The boards couldn't be dealt (the disk is full). Try again.")
    tasks.make_boards(board_set.pk)
    board_set.refresh_from_db()
    assert (board_set.state, board_set.error) == ("ready", "")


def test_a_fault_with_words_of_its_own_is_shown_in_them(board_set, monkeypatch):
    def fail_to_derive(*_args, **_options):
        raise InvalidSecret("The secret is gone.")

    monkeypatch.setattr(batches, "deal_board", fail_to_derive)
    tasks.make_boards(board_set.pk)
    board_set.refresh_from_db()
    assert board_set.error == "The secret is gone."


def test_a_finished_set_never_fails_afterwards(board_set):
    batches.deal_missing_boards(board_set)
    batches.record_failure(board_set, "Too late.")
    board_set.refresh_from_db()
    assert board_set.is_ready


def test_what_a_crash_left_is_found_and_what_waits_is_not(board_set):
    waiting = services.make_board_set(name="Later", size=2, awaits_public=True)
    assert tasks.list_unfinished() == [board_set.pk]
    tasks.make_boards(board_set.pk)
    assert tasks.list_unfinished() == []
    waiting.refresh_from_db()
    assert waiting.state == "wanted"


@pytest.mark.parametrize("do", [tasks.make_boards, tasks.analyse_boards])
def test_a_set_that_is_gone_is_no_work(do):
    assert not do(404)
    assert not Board.objects.exists()


def test_best_play_is_stored_for_current_boards_that_lack_it(board_set, monkeypatch):
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
    services.replace_deal(board_set=board_set, number=1, deal=deal_board(bytes(32), 1))
    analyse_all(board_set)
    analyse_all(board_set)
    assert deal_counts == [12, 8]
    tricks = board_set.boards.current().values_list("best_tricks", flat=True)
    assert list(tricks) == [*range(12), *range(8)]
    assert board_set.boards.get(number=1, version=1).best_tricks is None
    stored = board_set.boards.current().first()
    assert {stored.as_deal().leader} == {
        seat
        for seat in Seat
        if CARDS_BY_CODE[next(iter(stored.leads))] in stored.as_deal().hands[seat]
    }
    assert list(stored.leads.values()) == [7] * 13


def test_a_worker_is_told_after_a_few_boards_that_more_are_left(board_set, monkeypatch):
    monkeypatch.setattr("boards.solver.compute_best_tricks", lambda deals: [7] * len(deals))
    batches.deal_missing_boards(board_set)
    assert tasks.analyse_boards(board_set.pk)
    solved = board_set.boards.current().exclude(best_tricks=None).count()
    assert solved == batches.BOARDS_PER_SOLVER_RUN


def analyse_all(board_set):
    while tasks.analyse_boards(board_set.pk):
        pass


def test_whole_tables_are_found_for_every_board_once_somebody_asked(
    board_set, monkeypatch, django_capture_on_commit_callbacks
):
    replace_solver(monkeypatch)
    batches.deal_missing_boards(board_set)
    analyse_all(board_set)
    assert set(board_set.boards.values_list("table", flat=True)) == {""}
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True) as asked:
            services.queue_best_play_tables(board_set=board_set)
    assert asked == []
    for board in board_set.boards.current():
        (cells,) = count_suits_as_tricks([board.as_deal()])
        table = iter(board.table)
        for seat in "NESW":
            for word in ("NT", "S", "H", "D", "C"):
                assert int(next(table), 16) == cells[Seat(seat), word]
        assert next(table, None) is None


def test_a_crash_before_the_tables_are_found_is_made_good(board_set, monkeypatch):
    replace_solver(monkeypatch)
    batches.deal_missing_boards(board_set)
    analyse_all(board_set)
    assert tasks.list_unanalysed() == []
    services.queue_best_play_tables(board_set=board_set)  # its job is lost
    assert tasks.list_unanalysed() == [board_set.pk]
    analyse_all(board_set)
    assert tasks.list_unanalysed() == []
