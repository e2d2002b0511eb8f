"""Board sets and boards have database constraints and computed properties."""

import pytest
from django.db import IntegrityError, transaction

from boards import batches, proof, services
from boards.models import Board, BoardSet
from boards.whist import CARDS_BY_CODE
from boards.whist.dealing import deal_board

pytestmark = pytest.mark.django_db
SECRET = bytes(range(32))


def create_typed_board_set(size=3):
    return BoardSet.objects.create(
        name="Tuesday", size=size, source=BoardSet.Source.TYPED, state=BoardSet.State.READY
    )


@pytest.mark.parametrize(
    ("rule", "fields"),
    [
        ("a_board_set_has_boards", {"size": 0}),
        ("a_board_set_has_boards", {"first": 0}),
        ("a_board_set_has_boards", {"size": 1001}),
        ("no_more_boards_made_than_wanted", {"made": 4}),
        ("a_secret_only_when_generated", {"source": "generated"}),
        ("a_secret_only_when_generated", {"secret": SECRET}),
        ("a_secret_only_when_generated", {"commitment": "00"}),
        ("an_error_only_when_failed", {"error": "No."}),
        ("a_public_value_only_when_awaited", {"public_value": "7"}),
    ],
)
def test_set_that_breaks_a_constraint_is_not_stored(rule, fields):
    row = {"name": "Tuesday", "size": 3, "source": "typed", "state": "ready"} | fields
    with pytest.raises(IntegrityError, match=rule), transaction.atomic():
        BoardSet.objects.create(**row)


@pytest.mark.parametrize(
    ("rule", "fields"),
    [
        ("boards_and_versions_count_from_one", {"number": 0}),
        ("boards_and_versions_count_from_one", {"version": 0}),
        ("the_dealer_is_a_seat", {"dealer": "X"}),
        ("best_tricks_of_thirteen", {"best_tricks": 14}),
        ("UNIQUE|unique", {"number": 2}),
    ],
)
def test_board_that_breaks_a_constraint_is_not_stored(rule, fields):
    board_set = create_typed_board_set()
    Board.from_deal(board_set, 2, deal_board(SECRET, 2)).save()
    board = Board.from_deal(board_set, 1, deal_board(SECRET, 1))
    for name, value in fields.items():
        setattr(board, name, value)
    with pytest.raises(IntegrityError, match=rule), transaction.atomic():
        board.save()


def test_row_converts_back_to_its_deal():
    deal = deal_board(SECRET, 3)
    Board.from_deal(create_typed_board_set(), 3, deal).save()
    board = Board.objects.get()
    assert board.as_deal() == deal
    assert str(board) == "Tuesday, 3"
    assert CARDS_BY_CODE[board.turn_up] is deal.turn_up


def test_current_boards_are_the_latest_versions_by_number():
    board_set = create_typed_board_set()
    deals = {n: deal_board(SECRET, n) for n in (3, 1, 2)}
    for number, deal in deals.items():
        Board.from_deal(board_set, number, deal).save()
    deals[2] = deal_board(SECRET, 2, version=2)
    Board.from_deal(board_set, 2, deals[2], version=2).save()
    Board.from_deal(create_typed_board_set(), 2, deal_board(SECRET, 9), version=5).save()
    assert list(board_set.load_deals()) == [1, 2, 3]
    assert board_set.load_deals() == deals
    assert board_set.boards.count() == 4


def test_all_deals_are_read_in_one_query(django_assert_num_queries):
    board_set = create_typed_board_set()
    Board.from_deal(board_set, 1, deal_board(SECRET, 1)).save()
    with django_assert_num_queries(1):
        assert len(board_set.load_deals()) == 1


def test_board_set_lists_its_board_numbers_and_shows_its_name():
    board_set = BoardSet(name="Tuesday", size=4, first=9)
    assert list(board_set.board_numbers) == [9, 10, 11, 12]
    assert str(board_set) == "Tuesday"


def test_generated_set_is_verifiable_after_a_board_is_replaced():
    board_set = services.create_board_set(name="Tuesday", board_count=4, first_number=5)
    batches.deal_missing_boards(board_set)
    services.replace_deal(board_set=board_set, board_number=6, deal=deal_board(SECRET, 6))
    board_set.refresh_from_db()
    deal_proof = board_set.build_proof()
    assert list(deal_proof.deals_by_board) == [5, 6, 7, 8]
    assert (
        proof.list_differences(proof.parse_deal_proof(proof.format_deal_proof(deal_proof)))
        == []
    )


def test_set_with_a_public_value_is_verifiable():
    board_set = services.create_board_set(
        name="Tuesday", board_count=2, should_use_public_value=True
    )
    board_set = services.add_public_value(board_set=board_set, public_value="3 11 19")
    batches.deal_missing_boards(board_set)
    assert proof.list_differences(board_set.build_proof()) == []
    assert board_set.build_proof().public_value == "3 11 19"


def test_typed_set_has_no_proof():
    assert create_typed_board_set().build_proof() is None
