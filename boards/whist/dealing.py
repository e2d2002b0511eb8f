"""Deals from a secret: every deal is equally likely, and anyone can repeat them.

docs/dealing.md specifies each step to the last byte, with test vectors.
"""

import hashlib
import hmac
import unicodedata
from math import factorial

from django.utils.translation import gettext as _

from boards.whist.cards import PACK
from boards.whist.deals import Deal
from boards.whist.errors import InvalidSecret
from boards.whist.seats import Seat

SECRET_BYTES = 32
HAND_DIVISION_COUNT = factorial(52) // factorial(13) ** 4
"""The number of ways to divide a pack among four hands of thirteen cards."""

DEAL_COUNT = HAND_DIVISION_COUNT * 13
"""The number of deals: each division of the pack with each of the dealer's cards as turn-up."""


def deal_board(
    secret: bytes, board: int, *, version: int = 1, public: str = "", dealer: Seat | None = None
) -> Deal:
    """Deal one board of a secret; the dealer follows from the board's number unless given."""
    index = draw_deal_index(secret, board, version=version, public=public)
    return get_deal(index, dealer or Seat.dealer_of(board))


def draw_deal_index(secret: bytes, board: int, *, version: int = 1, public: str = "") -> int:
    """Draw the number of a board's deal, uniform below DEALS, from the secret's stream.

    `version` counts the deals of one board from 1. `public` is a value that became known only
    after the commitment. Raises InvalidSecret unless the secret has 32 bytes.
    """
    _check_secret(secret)
    mixed_in = unicodedata.normalize("NFC", public).encode()
    draw = 0
    while True:
        message = b"whist-deal/1\0" + _encode_numbers(board, version, draw) + mixed_in
        index = int.from_bytes(hmac.digest(secret, message, "sha256")[:13], "big") >> 4
        if index < DEAL_COUNT:  # a draw above is rejected, not reduced: no bias
            return index
        draw += 1


def get_deal(index: int, dealer: Seat) -> Deal:
    """Return the deal with a given number from 0 to DEALS - 1; raise ValueError for others."""
    if not 0 <= index < DEAL_COUNT:
        raise ValueError(f"A deal's number lies between 0 and {DEAL_COUNT - 1}, not {index}.")
    division, turned = divmod(index, 13)
    held = divide_pack(division)
    hands = {
        seat: frozenset([PACK[place] for place in places])
        for seat, places in zip(Seat, held, strict=True)
    }
    return Deal(hands, dealer, PACK[held["NESW".index(dealer)][turned]])


def divide_pack(division: int) -> tuple[list[int], ...]:
    """Return the positions in the pack of North's, East's, South's and West's cards.

    Divisions are numbered from 0 to HANDS - 1. First come those with the ace of spades in
    North's hand, then East's, South's and West's; within each of these groups the king of
    spades decides, and so on.
    """
    held: tuple[list[int], ...] = ([], [], [], [])
    room, ways = [13, 13, 13, 13], HAND_DIVISION_COUNT
    for left in range(52, 0, -1):
        seat, block = 0, ways * room[0] // left  # divisions with the card in North's hand
        while division >= block:
            division -= block
            seat, block = seat + 1, ways * room[seat + 1] // left
        held[seat].append(52 - left)
        room[seat], ways = room[seat] - 1, block
    return held


def compute_deal_index(deal: Deal) -> int:
    """Return the number of a deal; the inverse of `deal_at` for its dealer."""
    holder = {card: seat for seat, who in enumerate(Seat) for card in deal.hands[who]}
    room, ways, left, index = [13, 13, 13, 13], HAND_DIVISION_COUNT, 52, 0
    for card in PACK:
        seat = holder[card]
        index += sum(ways * room[before] // left for before in range(seat))
        ways = ways * room[seat] // left
        room[seat], left = room[seat] - 1, left - 1
    return index * 13 + sorted(deal.hands[deal.dealer]).index(deal.turned)


def compute_commitment(
    secret: bytes, *, first: int, size: int, awaits_public: bool = False
) -> str:
    """Return the commitment to a secret and its boards, as 64 hexadecimal digits.

    It is published before play. It also fixes whether a public value will be mixed in, so that
    no one can decide that later.
    """
    _check_secret(secret)
    message = (
        b"whist-commitment/1\0" + secret + _encode_numbers(first, size) + bytes([awaits_public])
    )
    return hashlib.sha256(message).hexdigest()


def parse_secret(text: str) -> bytes:
    """Parse a secret of 64 hexadecimal digits; raise InvalidSecret with the reason."""
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        raise InvalidSecret(
            _("A secret has only the digits 0-9 and the letters a-f.")
        ) from None
    _check_secret(secret)
    return secret


def _check_secret(secret: bytes) -> None:
    if len(secret) != SECRET_BYTES:
        raise InvalidSecret(
            _("A secret has 32 bytes (64 hexadecimal digits); this one has %(count)s.")
            % {"count": len(secret)}
        )


def _encode_numbers(*numbers: int) -> bytes:
    """Encode each number as four bytes, big-endian."""
    return b"".join(number.to_bytes(4, "big") for number in numbers)
