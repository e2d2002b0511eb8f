"""Each service that changes a board set writes its rows, then queues its work."""

import pytest

from boards import services
from boards.models import Board, BoardSet
from boards.services import UnusableBoardSet
from boards.whist.dealing import compute_commitment, deal_board
from tests.solving import replace_solver

pytestmark = pytest.mark.django_db
DEALS = {number: deal_board(bytes(32), number) for number in range(1, 5)}


@pytest.fixture(autouse=True)
def disable_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_solver(monkeypatch)


def test_set_is_dealt_once_after_its_row_is_committed(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        new_board_set = services.create_board_set(name="Tuesday", board_count=28)
        assert new_board_set.state == BoardSet.State.WAITING
        assert not Board.objects.exists()
    board_set = BoardSet.objects.get()
    assert board_set.is_ready
    assert board_set.made == 28
    assert list(board_set.load_deals()) == list(range(1, 29))


def test_each_set_has_its_own_secret_and_publishes_only_its_commitment():
    first_set, second_set = (
        services.create_board_set(name="Tuesday", board_count=2) for _ in range(2)
    )
    assert first_set.secret != second_set.secret
    assert len(first_set.secret) == 32
    assert first_set.commitment == compute_commitment(first_set.secret, first_number=1, size=2)


@pytest.mark.parametrize(("size", "first_number"), [(0, 1), (1001, 1), (4, 0)])
def test_set_with_an_invalid_size_is_refused(size, first_number):
    with pytest.raises(UnusableBoardSet, match="1–1000 boards"):
        services.create_board_set(name="Tuesday", board_count=size, first_number=first_number)


def test_set_waits_for_its_public_value(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        board_set = services.create_board_set(
            name="Tuesday", board_count=2, should_use_public_value=True
        )
        services.retry_board_set(board_set=board_set)
    assert not Board.objects.exists()
    with pytest.raises(UnusableBoardSet, match="Enter the public number"):
        services.add_public_value(board_set=board_set, public_value=" ")
    with django_capture_on_commit_callbacks(execute=True):
        services.add_public_value(board_set=board_set, public_value=" 3 11 19 ")
    board_set.refresh_from_db()
    assert board_set.public_value == "3 11 19"
    assert board_set.load_deals()[1] == deal_board(board_set.secret, 1, public_value="3 11 19")
    with pytest.raises(UnusableBoardSet, match="aren’t waiting"):
        services.add_public_value(board_set=board_set, public_value="4")


def test_extended_set_keeps_its_boards_and_its_secret(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        board_set = services.create_board_set(name="Tuesday", board_count=4)
    board_set.refresh_from_db()
    deals, commitment = board_set.load_deals(), board_set.commitment
    with django_capture_on_commit_callbacks(execute=True):
        for _click in range(2):
            services.add_boards(board_set=board_set, total_board_count=6)
    board_set.refresh_from_db()
    assert board_set.is_ready
    assert {number: board_set.load_deals()[number] for number in deals} == deals
    assert list(board_set.load_deals()) == [1, 2, 3, 4, 5, 6]
    assert board_set.promised_before == [[4, commitment]]
    assert board_set.commitment == compute_commitment(
        bytes(board_set.secret), first_number=1, size=6
    )


def test_extended_typed_set_accepts_more_deals():
    board_set = services.import_board_set(name="Tuesday", deals_by_board=DEALS, board_count=4)
    boards = services.add_boards(board_set=board_set, total_board_count=6)
    assert (boards.size, boards.commitment, boards.is_ready) == (6, "", True)
    services.replace_deal(board_set=boards, board_number=6, deal=deal_board(bytes(32), 6))
    assert list(boards.load_deals()) == [1, 2, 3, 4, 6]


def test_failed_set_can_be_dealt_again(django_capture_on_commit_callbacks):
    board_set = services.create_board_set(name="Tuesday", board_count=2)
    BoardSet.objects.update(state="failed", error="No.")
    with django_capture_on_commit_callbacks(execute=True):
        assert services.retry_board_set(board_set=board_set).error == ""
    board_set.refresh_from_db()
    assert board_set.is_ready
    with django_capture_on_commit_callbacks() as callbacks:
        services.retry_board_set(board_set=board_set)
    assert callbacks == []


def test_imported_deals_are_a_ready_set():
    board_set = services.import_board_set(name="Tuesday", deals_by_board=DEALS, board_count=6)
    assert (board_set.state, board_set.made, board_set.secret) == ("ready", 4, None)
    assert board_set.source == BoardSet.Source.IMPORTED
    assert board_set.load_deals() == DEALS


def test_deal_outside_the_set_is_refused_and_nothing_is_stored():
    with pytest.raises(UnusableBoardSet, match="Board 4 isn’t in this set"):
        services.import_board_set(name="Tuesday", deals_by_board=DEALS, board_count=3)
    assert not BoardSet.objects.exists()


def test_new_deal_keeps_the_replaced_version():
    board_set = services.import_board_set(name="Tuesday", deals_by_board=DEALS, board_count=6)
    new_deal = deal_board(bytes(32), 2, version=2)
    board = services.replace_deal(board_set=board_set, board_number=2, deal=new_deal)
    assert board.version == 2
    assert board_set.load_deals()[2] == new_deal
    assert [board.as_deal() for board in board_set.boards.filter(number=2)] == [
        DEALS[2],
        new_deal,
    ]
    board_set.refresh_from_db()
    assert board_set.made == 4


def test_board_without_a_deal_gets_its_first_deal():
    board_set = services.import_board_set(name="Tuesday", deals_by_board=DEALS, board_count=6)
    deal = deal_board(bytes(32), 6)
    assert services.replace_deal(board_set=board_set, board_number=6, deal=deal).version == 1
    board_set.refresh_from_db()
    assert board_set.made == 5


def test_deal_is_not_replaced_outside_the_set_or_before_it_is_dealt():
    board_set = services.create_board_set(name="Tuesday", board_count=2)
    with pytest.raises(UnusableBoardSet, match="still being dealt"):
        services.replace_deal(board_set=board_set, board_number=1, deal=DEALS[1])
    with pytest.raises(UnusableBoardSet, match="Board 3 isn’t in this set"):
        services.replace_deal(board_set=board_set, board_number=3, deal=DEALS[3])


def test_best_play_is_computed_when_queued(django_capture_on_commit_callbacks, monkeypatch):
    monkeypatch.setattr("boards.solver.compute_best_tricks", lambda deals: [7] * len(deals))
    board_set = services.import_board_set(name="Tuesday", deals_by_board=DEALS, board_count=4)
    with django_capture_on_commit_callbacks(execute=True):
        services.queue_analysis(board_set=board_set)
    assert set(board_set.boards.values_list("best_tricks", flat=True)) == {7}
