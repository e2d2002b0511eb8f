"""The reader of DLM files, the newer format of Duplimate dealing machines."""

import re
from functools import reduce
from operator import xor

from django.utils.translation import gettext as _

from boards.whist import PACK, Card, Seat, UnusableBoards
from boards.whist.board_file import (
    MAX_BOARD_COUNT,
    NO_TURN_UPS,
    BoardFile,
    TurnUpsByBoard,
    UncheckedBoard,
    build_too_many_boards_error,
    check_boards,
    decode_text,
    format_board_problem,
)


def read_dlm(file_content: bytes | str, *, turn_ups: TurnUpsByBoard = NO_TURN_UPS) -> BoardFile:
    """Read the boards of a DLM file.

    `turn_ups` supplies the turn-ups, which the format cannot store. Raises UnusableBoards,
    which lists every problem.
    """
    file_text = decode_text(file_content)
    first_number, last_number = (
        _read_range_limit(_FIRST_BOARD_PATTERN, file_text, 1),
        _read_range_limit(_LAST_BOARD_PATTERN, file_text, 9999),
    )
    boards, warnings = list[UncheckedBoard](), list[str]()
    for board_match in _BOARD_PATTERN.finditer(file_text):
        board_number, letters = int(board_match["board"]), board_match["letters"].lower()
        if first_number <= board_number <= last_number:
            if len(boards) == MAX_BOARD_COUNT:
                raise build_too_many_boards_error()
            boards.append(_parse_board(board_number, letters))
            warnings += _list_checksum_warnings(board_number, letters, board_match["check"])
    if not boards:
        raise UnusableBoards(
            [_("This isn’t a DLM file. It has no line such as “Board 01=...”.")]
        )
    return check_boards(boards, warnings=warnings, turn_ups=turn_ups)


def is_dlm(file_content: bytes) -> bool:
    """Return whether a file looks like a DLM file."""
    return "[document]" in decode_text(file_content[:400]).lower()


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


def _read_range_limit(pattern: re.Pattern[str], file_text: str, default_number: int) -> int:
    limit_match = pattern.search(file_text)
    return max(1, int(limit_match[1])) if limit_match else default_number


def _list_checksum_warnings(board_number: int, letters: str, checksum: str | None) -> list[str]:
    """Return a warning if a board's checksum does not match its cards, or an empty list."""
    expected_checksum = reduce(xor, letters.encode(), board_number)
    if checksum is None or int(checksum) == expected_checksum:
        return []
    problem_text = _("the check at the end of its line doesn’t match. Compare its cards.")
    return [format_board_problem(board_number, problem_text)]


def _parse_board(board_number: int, letters: str) -> UncheckedBoard:
    """Return a board from its 26 letters, each of which encodes the owners of two cards."""
    owner_indexes = [
        owner_index for letter in letters for owner_index in divmod(ord(letter) - ord("a"), 4)
    ]
    hands: dict[Seat, list[Card]] = {seat: [] for seat in Seat}
    for card, owner_index in zip(PACK, owner_indexes, strict=True):
        hands[Seat("NESW"[owner_index])].append(card)
    return UncheckedBoard(board_number, Seat.find_dealer(board_number), hands)
