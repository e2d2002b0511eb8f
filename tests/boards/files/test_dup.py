"""Compare the DUP format with the sample that its maker published."""

import pytest

from boards import dup
from boards.whist import CARDS_BY_CODE, PACK, Seat, UnusableBoards, WhistError
from boards.whist.dealing import deal_board
from boards.whist.notation import format_hands

# This is Jannersten's own example of the format.
SAMPLE_CARDS = "180437272408224221062507175150321516492941264031464543351128302039140152133403"
HANDS = "N:J987.JT7643.A4.Q .KQ2.QT9.AK98543 AQ42.A8.KJ762.J2 KT653.95.853.T76"
BOARDS = {number: deal_board(bytes(32), number) for number in range(5, 37)}
TURN_UPS = {number: deal.turn_up for number, deal in BOARDS.items()}


def test_published_sample_is_read():
    reading = dup.read_dup(SAMPLE_CARDS.encode() + b"\r\n", turn_ups={1: CARDS_BY_CODE["CQ"]})
    assert format_hands(reading.deals_by_board[1]) == HANDS
    assert reading.deals_by_board[1].dealer is Seat.NORTH


def test_record_of_a_32_board_set_ends_as_specified():
    boards = {number: deal_board(bytes(32), number) for number in range(1, 33)}
    assert dup.format_dup(boards)[146:156] == b"YN1  1 32 "


def test_written_boards_are_read_back_unchanged():
    data = dup.format_dup(BOARDS)
    assert len(data) == 32 * 156
    assert dup.is_dup(data)
    assert dup.read_dup(data, turn_ups=TURN_UPS).deals_by_board == BOARDS


def test_each_hand_is_also_written_with_suit_symbols():
    second = dup.format_dup({1: deal_board(bytes(32), 1)})[78:146].decode()
    assert second.startswith("\x06JT953\x03AQ\x04AQ\x05Q742\x06Q4\x03753")
    assert len(second) == 68


@pytest.mark.parametrize("numbers", [[], [1, 3]])
def test_boards_with_a_gap_in_their_numbers_cannot_be_written(numbers):
    with pytest.raises(UnusableBoards, match="numbered without a gap"):
        dup.format_dup(dict.fromkeys(numbers, BOARDS[5]))


def test_file_without_turn_ups_requires_them():
    with pytest.raises(WhistError, match="Board 5: The turn-up is missing"):
        dup.read_dup(dup.format_dup(BOARDS))


def test_duplicate_card_is_named():
    cards_with_duplicate = SAMPLE_CARDS.replace("1804", "0404", 1)
    with pytest.raises(UnusableBoards, match=r"the jack of spades appears twice \(North\)"):
        dup.read_dup(cards_with_duplicate.encode(), turn_ups={1: CARDS_BY_CODE["CQ"]})


@pytest.mark.parametrize("data", [b"", b"nothing", b"0" * 77])
def test_file_of_another_format_is_refused(data):
    assert not dup.is_dup(data)
    with pytest.raises(UnusableBoards, match="isn’t a DUP file"):
        dup.read_dup(data)


def test_invalid_card_number_leaves_the_hand_short():
    with pytest.raises(UnusableBoards, match="North has 0 cards"):
        dup.read_dup(b"99" * 39, turn_ups={1: PACK[0]})


def test_file_with_more_than_a_thousand_boards_is_refused():
    with pytest.raises(UnusableBoards, match="more than 1,000 boards"):
        dup.read_dup(b"0" * 78 * 1_001)
