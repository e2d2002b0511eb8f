"""Deals boards from a secret: uniformly random, and the same for the same secret."""

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
"""The number of ways to divide a pack into four hands of thirteen cards."""

DEAL_COUNT = HAND_DIVISION_COUNT * 13
"""The number of deals: all divisions of the pack, times the dealer's thirteen turn-ups."""


def deal_board(
    secret: bytes, board: int, *, version: int = 1, public: str = "", dealer: Seat | None = None
) -> Deal:
    """Return the deal of one board from a secret.

    By default, the dealer is determined by the board's number.
    """
    index = draw_deal_index(secret, board, version=version, public=public)
    return get_deal(index, dealer or Seat.dealer_of(board))


def draw_deal_index(secret: bytes, board: int, *, version: int = 1, public: str = "") -> int:
    """Return a board's deal number, uniformly random from 0 to DEAL_COUNT - 1.

    The random numbers are a stream derived from the secret. `version` counts the deals of one
    board from 1. `public` is a value that became known only after the commitment. Raises
    InvalidSecret unless the secret has 32 bytes.
    """
    _check_secret(secret)
    mixed_in = unicodedata.normalize("NFC", public).encode()
    draw = 0
    while True:
        message = b"whist-deal/1\0" + _encode_numbers(board, version, draw) + mixed_in
        index = int.from_bytes(hmac.digest(secret, message, "sha256")[:13], "big") >> 4
        # Larger numbers are drawn again, because taking the remainder would be biased.
        if index < DEAL_COUNT:
            return index
        draw += 1


def get_deal(index: int, dealer: Seat) -> Deal:
    """Return the deal with a number from 0 to DEAL_COUNT - 1; raise ValueError for others."""
    if not 0 <= index < DEAL_COUNT:
        raise ValueError(f"A deal's number lies between 0 and {DEAL_COUNT - 1}, not {index}.")
    division, turn_up_index = divmod(index, 13)
    positions_by_seat = divide_pack(division)
    hands = {
        seat: frozenset([PACK[place] for place in places])
        for seat, places in zip(Seat, positions_by_seat, strict=True)
    }
    return Deal(hands, dealer, PACK[positions_by_seat["NESW".index(dealer)][turn_up_index]])


def divide_pack(division: int) -> tuple[list[int], ...]:
    """Return the pack positions of the cards of North, East, South and West.

    Divisions are numbered from 0 to HAND_DIVISION_COUNT - 1. They are ordered by the owner of
    the ace of spades: North, East, South, West. Divisions with the same owner are ordered by
    the owner of the king of spades, and so on through the pack.
    """
    positions_by_seat: tuple[list[int], ...] = ([], [], [], [])
    free_places, divisions_left = [13, 13, 13, 13], HAND_DIVISION_COUNT
    for cards_left in range(52, 0, -1):
        # the number of divisions in which North has the card
        seat, block = 0, divisions_left * free_places[0] // cards_left
        while division >= block:
            division -= block
            seat, block = seat + 1, divisions_left * free_places[seat + 1] // cards_left
        positions_by_seat[seat].append(52 - cards_left)
        free_places[seat], divisions_left = free_places[seat] - 1, block
    return positions_by_seat


def compute_deal_index(deal: Deal) -> int:
    """Return the number of a deal; this is the inverse of `get_deal` for its dealer."""
    holder = {card: seat for seat, owner in enumerate(Seat) for card in deal.hands[owner]}
    free_places, divisions_left, cards_left, index = (
        [13, 13, 13, 13],
        HAND_DIVISION_COUNT,
        52,
        0,
    )
    for card in PACK:
        seat = holder[card]
        index += sum(
            divisions_left * free_places[earlier_seat] // cards_left
            for earlier_seat in range(seat)
        )
        divisions_left = divisions_left * free_places[seat] // cards_left
        free_places[seat], cards_left = free_places[seat] - 1, cards_left - 1
    return index * 13 + sorted(deal.hands[deal.dealer]).index(deal.turned)


def compute_commitment(
    secret: bytes, *, first: int, size: int, awaits_public: bool = False
) -> str:
    """Return the commitment to a secret and its boards, as 64 hexadecimal digits.

    It is published before play. It also includes whether a public value will be added, which
    no
    one can then decide later.
    """
    _check_secret(secret)
    message = (
        b"whist-commitment/1\0" + secret + _encode_numbers(first, size) + bytes([awaits_public])
    )
    return hashlib.sha256(message).hexdigest()


def parse_secret(text: str) -> bytes:
    """Return a secret from its 64 hexadecimal digits; raise InvalidSecret with the reason."""
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        raise InvalidSecret(
            _("A secret has only the digits 0–9 and the letters a–f.")
        ) from None
    _check_secret(secret)
    return secret


def _check_secret(secret: bytes) -> None:
    if len(secret) != SECRET_BYTES:
        raise InvalidSecret(
            _("A secret has 32 bytes (64 hexadecimal digits), not %(count)s.")
            % {"count": len(secret)}
        )


def _encode_numbers(*numbers: int) -> bytes:
    """Return the numbers as four bytes each, big-endian."""
    return b"".join(number.to_bytes(4, "big") for number in numbers)
