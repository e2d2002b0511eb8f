"""The reader and writer of DUP files for Duplimate dealing machines.

The format cannot store turn-ups.
"""

import re
from collections.abc import Mapping
from itertools import islice

from django.utils.translation import gettext as _

from boards.whist import PACK, Deal, Seat, Suit, UnusableBoards
from boards.whist.board_file import (
    MAX_BOARD_COUNT,
    NO_TURN_UPS,
    BoardFile,
    TurnUpsByBoard,
    UncheckedBoard,
    build_too_many_boards_error,
    check_boards,
)

SUIT_SYMBOLS = {
    Suit.SPADES: "\x06",
    Suit.HEARTS: "\x03",
    Suit.DIAMONDS: "\x04",
    Suit.CLUBS: "\x05",
}
"""The suit symbols in the DOS character set (code page 437)."""


def format_dup(deals_by_board: Mapping[int, Deal]) -> bytes:
    """Return boards as a DUP file, in the order of their numbers.

    The format stores only the first and last number, so UnusableBoards is raised if the numbers
    have a gap.
    """
    board_numbers = sorted(deals_by_board)
    if not board_numbers or board_numbers != list(
        range(board_numbers[0], board_numbers[-1] + 1)
    ):
        raise UnusableBoards([_("A DUP file needs boards numbered without a gap.")])
    board_range_text = f"YN{board_numbers[0]:<3}1 {board_numbers[-1]:<3}"
    board_records = [
        _format_digits(deals_by_board[board_number])
        + _format_hands(deals_by_board[board_number])
        + board_range_text
        for board_number in board_numbers
    ]
    return "".join(board_records).encode("ascii")


def read_dup(file_content: bytes, *, turn_ups: TurnUpsByBoard = NO_TURN_UPS) -> BoardFile:
    """Read the boards of a DUP file, or of its older version with 78 digits a line.

    `turn_ups` supplies the turn-ups, which the format cannot store. Raises UnusableBoards,
    which lists every problem.
    """
    record_matches = re.finditer(r"\d{78}", file_content.decode("latin-1"))
    board_records = [match[0] for match in islice(record_matches, MAX_BOARD_COUNT + 1)]
    if len(board_records) > MAX_BOARD_COUNT:
        raise build_too_many_boards_error()
    first_number = _find_first_board(file_content)
    boards = [
        _parse_board(first_number + index, digits) for index, digits in enumerate(board_records)
    ]
    if not boards:
        raise UnusableBoards([_("This isn’t a DUP file. It has no board of 78 digits.")])
    return check_boards(boards, turn_ups=turn_ups)


def is_dup(file_content: bytes) -> bool:
    """Return whether a file looks like a DUP file."""
    return re.match(rb"\s*\d{78}", file_content) is not None


def _find_first_board(file_content: bytes) -> int:
    """Return the first board's number; 1 for the older version, which does not store it."""
    first_board_text = file_content[148:151].decode("latin-1").strip()
    return (
        int(first_board_text)
        if len(file_content) % 156 == 0
        and first_board_text.isdecimal()
        and int(first_board_text)
        else 1
    )


def _parse_board(board_number: int, digits: str) -> UncheckedBoard:
    pack_indexes = [int(digits[start : start + 2]) - 1 for start in range(0, 78, 2)]
    cards = [PACK[index] for index in pack_indexes if 0 <= index < 52]
    hands = {
        Seat.NORTH: cards[:13],
        Seat.EAST: cards[13:26],
        Seat.SOUTH: cards[26:],
        Seat.WEST: [card for card in PACK if card not in cards],
    }
    return UncheckedBoard(board_number, Seat.find_dealer(board_number), hands)


def _format_digits(deal: Deal) -> str:
    written_seats = (Seat.NORTH, Seat.EAST, Seat.SOUTH)
    return "".join(
        f"{card.pack_index + 1:02}"
        for seat in written_seats
        for card in sorted(deal.hands[seat])
    )


def _format_hands(deal: Deal) -> str:
    return "".join(
        SUIT_SYMBOLS[suit]
        + "".join(card.rank.letter for card in sorted(deal.hands[seat]) if card.suit is suit)
        for seat in Seat
        for suit in Suit
    )
