"""The provable lot: who is drawn follows from the sealed secret, and anyone can draw again.

The commitment is public before the first hand, the secret after the close. docs/drives.md has
ten lines that draw a lot again.
"""

import hashlib
import hmac
from collections.abc import Sequence

from drives.draw.company import Player


def commitment(secret: bytes) -> str:
    """What is published before play: 64 hexadecimal digits that fix the secret."""
    return hashlib.sha256(b"overplay-drive/1\0" + secret).hexdigest()


def ticket(secret: bytes, drive: str, prize: int, player: Player) -> str:
    """A player's ticket for a prize; the lowest is drawn."""
    message = f"overplay-drive-lot/1\0{drive}\0{prize}\0{player}"
    return hmac.new(secret, message.encode(), hashlib.sha256).hexdigest()


def by_lot(secret: bytes, drive: str, prize: int, players: Sequence[Player]) -> list[Player]:
    """Lay players in the order in which a prize's lot draws them."""
    return sorted(players, key=lambda player: ticket(secret, drive, prize, player))
