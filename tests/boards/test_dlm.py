"""DLM is read letter by letter."""

import pytest

from boards import dlm
from boards.whist import PACK, Seat, UnusableBoards
from boards.whist.dealing import make_deal

BOARDS = {number: make_deal(bytes(32), number) for number in range(1, 101)}
TURN_UPS = {number: deal.turn_up for number, deal in BOARDS.items()}


def letters(deal):
    owner = {card: place for place, seat in enumerate(Seat) for card in deal.hands[seat]}
    pairs = zip(PACK[::2], PACK[1::2], strict=True)
    return "".join(chr(ord("a") + 4 * owner[one] + owner[two]) for one, two in pairs)


FILE = "[Document]\r\nFrom Board=1\r\nTo Board=100\r\n" + "".join(
    f"Board {number:02}={letters(deal)}042\r\n" for number, deal in BOARDS.items()
)


def test_a_hundred_boards_are_read():
    assert dlm.is_dlm(FILE.encode())
    assert dlm.read(FILE, turn_ups=TURN_UPS).boards == BOARDS
    assert dlm.read(FILE.encode("utf-16"), turn_ups=TURN_UPS).boards == BOARDS


def test_the_first_letter_is_the_ace_and_king_of_spades():
    line = "Board 01=b" + letters(BOARDS[1])[1:]
    with pytest.raises(UnusableBoards, match="Board 1: "):
        dlm.read(line + "\nBoard 0=", turn_ups=TURN_UPS)


def test_another_file_is_refused():
    assert not dlm.is_dlm(b"[Event]")
    with pytest.raises(UnusableBoards, match="not a DLM file"):
        dlm.read("[Document]\nBoard 00=" + "a" * 26)
