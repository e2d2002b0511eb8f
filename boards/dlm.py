"""DLM, the newer file of Duplimate dealing machines → numbered deals; read only.

Each board is one line: 26 letters, each for the owners of two cards from the ace of spades
down to the two of clubs, a = N N, b = N E, ... p = W W; what follows them is a check that is
not published, so none is written. Source: rec.games.bridge, 12 March 2011.
"""

import re
from collections.abc import Mapping

from boards.whist import PACK, Card, Seat, UnusableBoards
from boards.whist.reading import NO_TURN_UPS, Reading, Written, finish, text_of


def read(data: bytes | str, *, turn_ups: Mapping[int, Card] = NO_TURN_UPS) -> Reading:
    """Read the boards of a DLM file; each board's turn-up comes from `turn_ups`.

    Raises UnusableBoards with every fault.
    """
    boards = [
        _board(int(found["board"]), found["letters"].lower())
        for found in _BOARD.finditer(text_of(data))
        if int(found["board"])
    ]
    if not boards:
        raise UnusableBoards(["This is not a DLM file: it has no line such as “Board 01=...”."])
    return finish(boards, turn_ups=turn_ups)


def is_dlm(data: bytes) -> bool:
    """Say whether a file looks like DLM."""
    return "[document]" in text_of(data[:400]).lower()


_BOARD = re.compile(
    r"^\s*Board\s+(?P<board>\d{1,4})\s*=\s*(?P<letters>[a-p]{26})",
    re.IGNORECASE | re.MULTILINE,
)


def _board(number: int, letters: str) -> Written:
    owners = [seat for letter in letters for seat in divmod(ord(letter) - ord("a"), 4)]
    hands: dict[Seat, list[Card]] = {seat: [] for seat in Seat}
    for card, owner in zip(PACK, owners, strict=True):
        hands[Seat("NESW"[owner])].append(card)
    return Written(number, Seat.dealer_of(number), hands)
