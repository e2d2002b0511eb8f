"""Verifiable lots, which anyone can repeat after the close with the published secret.

The commitment to the secret is published before the first hand. docs/drives.md contains ten
lines of code with which anyone can repeat a lot.
"""

import hashlib
import hmac
from collections.abc import Sequence

from drives.draw.participants import PlayerId


def compute_commitment(secret: bytes) -> str:
    """Return the commitment published before play: 64 hex digits that fix the secret."""
    return hashlib.sha256(b"overplay-drive/1\0" + secret).hexdigest()


def compute_ticket(secret: bytes, drive_name: str, prize_number: int, player: PlayerId) -> str:
    """Return a player's ticket for a prize; the lowest ticket is drawn."""
    message = f"overplay-drive-lot/1\0{drive_name}\0{prize_number}\0{player}"
    return hmac.new(secret, message.encode(), hashlib.sha256).hexdigest()


def order_players_by_lot(
    secret: bytes, drive_name: str, prize_number: int, players: Sequence[PlayerId]
) -> list[PlayerId]:
    """Return players in the order in which a prize's lot draws them."""
    return sorted(
        players, key=lambda player: compute_ticket(secret, drive_name, prize_number, player)
    )
