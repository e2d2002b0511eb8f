"""The reader and writer of DUP files for Duplimate dealing machines.

The format cannot store turn-ups.
"""

import re
from collections.abc import Mapping

from django.utils.translation import gettext as _

from boards.whist import PACK, Deal, Seat, Suit, UnusableBoards
from boards.whist.board_file import NO_TURN_UPS, BoardFile, TurnUps, WrittenBoard, check_boards

SUIT_SIGNS = {
    Suit.SPADES: "\x06",
    Suit.HEARTS: "\x03",
    Suit.DIAMONDS: "\x04",
    Suit.CLUBS: "\x05",
}
"""The suit symbols in the DOS character set (code page 437)."""


def write_dup(boards: Mapping[int, Deal]) -> bytes:
    """Return boards as a DUP file, in the order of their numbers.

    The file does not store board numbers. UnusableBoards is raised if the numbers have a gap.
    """
    numbers = sorted(boards)
    if not numbers or numbers != list(range(numbers[0], numbers[-1] + 1)):
        raise UnusableBoards([_("A DUP file needs boards numbered without a gap.")])
    machine = f"YN{numbers[0]:<3}1 {numbers[-1]:<3}"
    records = [_format_digits(boards[n]) + _format_hands(boards[n]) + machine for n in numbers]
    return "".join(records).encode("ascii")


def read_dup(data: bytes, *, turn_ups: TurnUps = NO_TURN_UPS) -> BoardFile:
    """Read the boards of a DUP file, or of its older version with 78 digits a line.

    `turn_ups` has the turn-ups, which the file lacks. Raises UnusableBoards with every
    problem.
    """
    records = re.findall(r"\d{78}", data.decode("latin-1"))
    first = _find_first_board(data)
    boards = [_parse_board(first + place, text) for place, text in enumerate(records)]
    if not boards:
        raise UnusableBoards([_("This isn't a DUP file. It has no board of 78 digits.")])
    return check_boards(boards, turn_ups=turn_ups)


def is_dup(data: bytes) -> bool:
    """Return whether the data look like a DUP file."""
    return re.match(rb"\s*\d{78}", data) is not None


def _find_first_board(data: bytes) -> int:
    lowest = data[148:151].decode("latin-1").strip()
    return int(lowest) if len(data) % 156 == 0 and lowest.isdecimal() and int(lowest) else 1


def _parse_board(number: int, digits: str) -> WrittenBoard:
    places = [int(digits[start : start + 2]) - 1 for start in range(0, 78, 2)]
    cards = [PACK[place] for place in places if 0 <= place < 52]
    hands = {
        Seat.NORTH: cards[:13],
        Seat.EAST: cards[13:26],
        Seat.SOUTH: cards[26:],
        Seat.WEST: [card for card in PACK if card not in cards],
    }
    return WrittenBoard(number, Seat.dealer_of(number), hands)


def _format_digits(deal: Deal) -> str:
    three = (Seat.NORTH, Seat.EAST, Seat.SOUTH)
    return "".join(
        f"{card.place + 1:02}" for seat in three for card in sorted(deal.hands[seat])
    )


def _format_hands(deal: Deal) -> str:
    return "".join(
        SUIT_SIGNS[suit]
        + "".join(card.rank.letter for card in sorted(deal.hands[seat]) if card.suit is suit)
        for seat in Seat
        for suit in Suit
    )
