"""The worker's entry points accept their input and recover after a crash."""

import pytest

from boards import services, tasks
from boards.models import Board, BoardSet
from boards.whist.dealing import deal_board
from tests.solving import replace_solver

pytestmark = pytest.mark.django_db
DEALS = {number: deal_board(bytes(32), number) for number in range(1, 4)}


@pytest.fixture(autouse=True)
def disable_solver(monkeypatch):
    replace_solver(monkeypatch)


def test_dealt_boards_are_analysed_at_once(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        board_set = services.create_board_set(name="Tuesday", board_count=3)
    assert None not in board_set.boards.values_list("best_tricks", flat=True)
    assert {} not in board_set.boards.values_list("leads", flat=True)


def test_imported_boards_are_analysed(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        board_set = services.import_board_set(
            name="Tuesday", deals_by_board=DEALS, board_count=3
        )
    assert tasks.list_unanalysed_set_ids() == []
    with django_capture_on_commit_callbacks(execute=True):
        services.replace_deal(
            board_set=board_set, board_number=2, deal=deal_board(bytes(32), 2, version=2)
        )
    assert tasks.list_unanalysed_set_ids() == []


def test_analysis_stopped_by_a_crash_is_found_again():
    board_set = services.import_board_set(name="Tuesday", deals_by_board=DEALS, board_count=3)
    assert tasks.list_unanalysed_set_ids() == [board_set.pk]
    while tasks.analyse_boards(board_set.pk):
        pass
    assert tasks.list_unanalysed_set_ids() == []
    Board.objects.filter(number=2).update(leads={})
    assert tasks.list_unanalysed_set_ids() == [board_set.pk]


def test_replaced_set_is_not_analysed():
    first_board_set = services.import_board_set(
        name="Tuesday", deals_by_board=DEALS, board_count=3
    )
    services.create_board_set(name="Tuesday", board_count=3, replaced_set=first_board_set)
    assert tasks.list_unanalysed_set_ids() == []


def test_boards_that_could_not_be_dealt_are_not_analysed(
    monkeypatch, django_capture_on_commit_callbacks
):
    monkeypatch.setattr("boards.batches.deal_board", lambda *_a, **_k: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        with django_capture_on_commit_callbacks(execute=True):
            board_set = services.create_board_set(name="Tuesday", board_count=3)
    board_set.refresh_from_db()
    assert board_set.state == BoardSet.State.FAILED
    assert board_set.error == (
        "The boards couldn’t be dealt (an error in Overplay, see the log). Try again."
    )
    assert tasks.list_unanalysed_set_ids() == []
