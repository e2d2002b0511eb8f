"""Deals boards at random from a secret; the same secret always gives the same deals."""

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
PACK_DIVISION_COUNT = factorial(52) // factorial(13) ** 4
"""The number of ways to divide a pack into four hands of thirteen cards."""

DEAL_COUNT = PACK_DIVISION_COUNT * 13
"""The number of deals: all divisions of the pack, times the dealer's thirteen turn-ups."""


def deal_board(
    secret: bytes,
    board_number: int,
    *,
    version: int = 1,
    public_value: str = "",
    dealer: Seat | None = None,
) -> Deal:
    """Return the deal of one board from a secret.

    By default, the dealer is determined by the board's number.
    """
    deal_index = draw_deal_index(
        secret, board_number, version=version, public_value=public_value
    )
    return get_deal(deal_index, dealer or Seat.find_dealer(board_number))


def draw_deal_index(
    secret: bytes, board_number: int, *, version: int = 1, public_value: str = ""
) -> int:
    """Return a board's deal number, uniformly random from 0 to DEAL_COUNT - 1.

    The random numbers are a stream derived from the secret. `version` counts the deals of one
    board from 1. `public_value` is a value that became known only after the commitment. Raises
    InvalidSecret unless the secret has 32 bytes.
    """
    _check_secret(secret)
    public_bytes = unicodedata.normalize("NFC", public_value).encode()
    attempt_number = 0
    while True:
        message = (
            b"whist-deal/1\0"
            + _encode_numbers(board_number, version, attempt_number)
            + public_bytes
        )
        deal_index = int.from_bytes(hmac.digest(secret, message, "sha256")[:13], "big") >> 4
        # Larger numbers are drawn again, because taking the remainder would be biased.
        if deal_index < DEAL_COUNT:
            return deal_index
        attempt_number += 1


def get_deal(deal_index: int, dealer: Seat) -> Deal:
    """Return the deal with a number from 0 to DEAL_COUNT - 1; raise ValueError for others."""
    if not 0 <= deal_index < DEAL_COUNT:
        raise ValueError(
            f"A deal's number lies between 0 and {DEAL_COUNT - 1}, not {deal_index}."
        )
    division_number, turn_up_index = divmod(deal_index, 13)
    positions_by_seat_index = divide_pack(division_number)
    hands = {
        seat: frozenset([PACK[position] for position in positions])
        for seat, positions in zip(Seat, positions_by_seat_index, strict=True)
    }
    return Deal(
        hands, dealer, PACK[positions_by_seat_index["NESW".index(dealer)][turn_up_index]]
    )


def divide_pack(division_number: int) -> tuple[list[int], ...]:
    """Return the positions in the pack of each hand's cards: North, East, South, West.

    Divisions are numbered from 0 to PACK_DIVISION_COUNT - 1. They are ordered by the seat that
    gets the ace of spades: North first, then East, South and West. Divisions in which the same
    seat gets that ace are ordered by the seat that gets the king of spades, and so on through
    the pack.
    """
    positions_by_seat_index: tuple[list[int], ...] = ([], [], [], [])
    free_place_counts, remaining_division_count = [13, 13, 13, 13], PACK_DIVISION_COUNT
    for remaining_card_count in range(52, 0, -1):
        # `seat_division_count` is the number of divisions in which the seat gets the next card.
        seat_index, seat_division_count = (
            0,
            remaining_division_count * free_place_counts[0] // remaining_card_count,
        )
        while division_number >= seat_division_count:
            division_number -= seat_division_count
            seat_index, seat_division_count = (
                seat_index + 1,
                remaining_division_count
                * free_place_counts[seat_index + 1]
                // remaining_card_count,
            )
        positions_by_seat_index[seat_index].append(52 - remaining_card_count)
        free_place_counts[seat_index], remaining_division_count = (
            free_place_counts[seat_index] - 1,
            seat_division_count,
        )
    return positions_by_seat_index


def compute_deal_index(deal: Deal) -> int:
    """Return the number of a deal, from which `get_deal` returns the same deal."""
    seat_indexes_by_card = {
        card: seat_index for seat_index, seat in enumerate(Seat) for card in deal.hands[seat]
    }
    free_card_counts, remaining_division_count, remaining_card_count, division_number = (
        [13, 13, 13, 13],
        PACK_DIVISION_COUNT,
        52,
        0,
    )
    for card in PACK:
        seat_index = seat_indexes_by_card[card]
        division_number += sum(
            remaining_division_count
            * free_card_counts[earlier_seat_index]
            // remaining_card_count
            for earlier_seat_index in range(seat_index)
        )
        remaining_division_count = (
            remaining_division_count * free_card_counts[seat_index] // remaining_card_count
        )
        free_card_counts[seat_index], remaining_card_count = (
            free_card_counts[seat_index] - 1,
            remaining_card_count - 1,
        )
    return division_number * 13 + sorted(deal.hands[deal.dealer]).index(deal.known_turn_up)


def compute_commitment(
    secret: bytes, *, first_number: int, size: int, should_use_public_value: bool = False
) -> str:
    """Return the commitment to a secret and its boards, as 64 hexadecimal digits.

    The commitment is published before play. It depends on `should_use_public_value`, so that no
    one can add a public value later.
    """
    _check_secret(secret)
    message = (
        b"whist-commitment/1\0"
        + secret
        + _encode_numbers(first_number, size)
        + bytes([should_use_public_value])
    )
    return hashlib.sha256(message).hexdigest()


def parse_secret(secret_text: str) -> bytes:
    """Return a secret from its 64 hexadecimal digits; raise InvalidSecret with the reason."""
    try:
        secret = bytes.fromhex(secret_text)
    except ValueError:
        raise InvalidSecret(
            _("The secret can only contain the digits 0–9 and the letters a–f.")
        ) from None
    _check_secret(secret)
    return secret


def _check_secret(secret: bytes) -> None:
    if len(secret) != SECRET_BYTES:
        raise InvalidSecret(
            _("The secret must have 32 bytes (64 hexadecimal digits), not %(count)s.")
            % {"count": len(secret)}
        )


def _encode_numbers(*numbers: int) -> bytes:
    """Return the numbers as four bytes each, big-endian."""
    return b"".join(number.to_bytes(4, "big") for number in numbers)
