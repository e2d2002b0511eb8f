"""Random numbers derived from a drive's sealed secret, equal on every machine.

The bytes are the SHAKE-256 hash of the secret, the purpose of the numbers, and a counter of
calls. The numbers do not depend on a clock or on a machine's rounding.
"""

import hashlib
import sys
from array import array
from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import TypeVar

Item = TypeVar("Item")
_FIXED_POINT_SCALE = 1 << 20
_EXTRA_COST_LIMIT_COUNT = 1024
_EXTRA_COST_LIMITS = [
    round(-log((k + 0.5) / _EXTRA_COST_LIMIT_COUNT) * _FIXED_POINT_SCALE)
    for k in range(_EXTRA_COST_LIMIT_COUNT)
]
"""The limits of extra cost at temperature 1, as fixed-point numbers: one for each of 1,024
equally likely draws.
"""


@lru_cache(32)  # A search calls this many times with the same temperature.
def _compute_cost_limits(temperature: int) -> list[int]:
    """Return 1,024 equally likely limits for the cost that an exchange may add.

    The limits are in units of cost, and their mean is `temperature` / 100.
    """
    return [
        temperature * unit_limit // (100 * _FIXED_POINT_SCALE)
        for unit_limit in _EXTRA_COST_LIMITS
    ]


class RandomStream:
    """A deterministic stream of random numbers for one purpose of one secret."""

    def __init__(self, secret: bytes, *purpose_parts: object) -> None:
        encoded_purpose = "/".join(str(purpose_part) for purpose_part in purpose_parts).encode()
        self._key = len(secret).to_bytes(4, "big") + secret + encoded_purpose + b"\0"
        self._call_count = 0

    def _read_bytes(self, byte_count: int) -> bytes:
        self._call_count += 1
        return hashlib.shake_256(self._key + self._call_count.to_bytes(8, "big")).digest(
            byte_count
        )

    def _read_words(self, word_count: int) -> "array[int]":
        words = array("H", self._read_bytes(2 * word_count))
        if sys.byteorder == "big":
            words.byteswap()
        return words

    def draw_integers(self, upper_limit: int, count: int) -> list[int]:
        """Draw `count` random integers from 0 to `upper_limit` - 1; `upper_limit` is at most
        4,096.

        The method is fast but slightly uneven: probabilities differ by less than one in
        sixteen.
        """
        return [word * upper_limit >> 16 for word in self._read_words(count)]

    def shuffle(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in random order, with all orders equally likely."""
        shuffled_items = list(items)
        for last_index in range(len(shuffled_items) - 1, 0, -1):
            other_index = self.draw_integer(last_index + 1)
            shuffled_items[last_index], shuffled_items[other_index] = (
                shuffled_items[other_index],
                shuffled_items[last_index],
            )
        return shuffled_items

    def draw_integer(self, upper_limit: int) -> int:
        """Draw one random integer from 0 to `upper_limit` - 1, uniform within one in 10**20."""
        return int.from_bytes(self._read_bytes(16), "big") % upper_limit

    def draw_cost_limits(self, temperature: int, count: int) -> list[int]:
        """Draw `count` random limits for the extra cost that an exchange may have.

        The limits are in units of cost, and their mean is `temperature` / 100.
        """
        limits = _compute_cost_limits(temperature)
        return [
            limits[word & (_EXTRA_COST_LIMIT_COUNT - 1)] for word in self._read_words(count)
        ]
