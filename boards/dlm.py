"""The reader of DLM files, the newer format of Duplimate dealing machines."""

import re
from functools import reduce
from operator import xor

from django.utils.translation import gettext as _

from boards.whist import PACK, Card, Seat, UnusableBoards
from boards.whist.board_file import (
    NO_TURN_UPS,
    BoardFile,
    TurnUps,
    WrittenBoard,
    check_boards,
    decode_text,
    format_board_problem,
)


def read_dlm(data: bytes | str, *, turn_ups: TurnUps = NO_TURN_UPS) -> BoardFile:
    """Read the boards of a DLM file; `turn_ups` has the turn-ups, which the file lacks.

    Raises UnusableBoards with every problem.
    """
    text = decode_text(data)
    lowest, highest = (
        _read_limit(_FIRST_BOARD_PATTERN, text, 1),
        _read_limit(_LAST_BOARD_PATTERN, text, 9999),
    )
    boards, warnings = [], []
    for match in _BOARD_PATTERN.finditer(text):
        number, letters = int(match["board"]), match["letters"].lower()
        if lowest <= number <= highest:
            boards.append(_parse_board(number, letters))
            warnings += _list_checksum_warnings(number, letters, match["check"])
    if not boards:
        raise UnusableBoards(
            [_("This isn't a DLM file. It has no line such as “Board 01=...”.")]
        )
    return check_boards(boards, warnings=warnings, turn_ups=turn_ups)


def is_dlm(data: bytes) -> bool:
    """Return whether the data look like a DLM file."""
    return "[document]" in decode_text(data[:400]).lower()


_BOARD_PATTERN = re.compile(
    r"^\s*Board\s+(?P<board>\d{1,4})\s*=\s*(?P<letters>[a-p]{26})(?P<check>\d{3})?",
    re.ASCII
    | re.IGNORECASE
    | re.MULTILINE,  # without ASCII, a Turkish dotless i would match too
)
_FIRST_BOARD_PATTERN = re.compile(
    r"^\s*From board\s*=\s*(\d{1,4})\s*$", re.IGNORECASE | re.MULTILINE
)
_LAST_BOARD_PATTERN = re.compile(
    r"^\s*To board\s*=\s*(\d{1,4})\s*$", re.IGNORECASE | re.MULTILINE
)


def _read_limit(line: re.Pattern[str], text: str, default: int) -> int:
    match = line.search(text)
    return max(1, int(match[1])) if match else default


def _list_checksum_warnings(number: int, letters: str, check: str | None) -> list[str]:
    """Return a warning if a board's checksum does not match its cards, or an empty list."""
    expected = reduce(xor, letters.encode(), number)
    if check is None or int(check) == expected:
        return []
    text = _("the check at the end of its line doesn't match. Compare its cards.")
    return [format_board_problem(number, text)]


def _parse_board(number: int, letters: str) -> WrittenBoard:
    owners = [seat for letter in letters for seat in divmod(ord(letter) - ord("a"), 4)]
    hands: dict[Seat, list[Card]] = {seat: [] for seat in Seat}
    for card, owner in zip(PACK, owners, strict=True):
        hands[Seat("NESW"[owner])].append(card)
    return WrittenBoard(number, Seat.dealer_of(number), hands)
