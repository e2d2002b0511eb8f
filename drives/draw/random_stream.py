"""Random numbers derived from a drive's sealed secret, equal on every machine.

A stream is SHAKE-256 of the secret, the purpose of the numbers, and a count of the calls. No
number depends on a clock or on a machine's rounding.
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
_LIMIT_COUNT = 1024
_UNIT_LIMITS = [
    round(-log((k + 0.5) / _LIMIT_COUNT) * _FIXED_POINT_SCALE) for k in range(_LIMIT_COUNT)
]
"""Fixed-point limits of extra cost at temperature 1, for 1,024 equally likely draws."""


@lru_cache(32)  # a search uses the limits of each temperature repeatedly
def _compute_cost_limits(temperature: int) -> list[int]:
    """Return the limits of extra cost at a temperature, for each equally likely draw."""
    return [temperature * cost // (100 * _FIXED_POINT_SCALE) for cost in _UNIT_LIMITS]


class RandomStream:
    """A deterministic stream of random numbers for one purpose of one secret."""

    def __init__(self, secret: bytes, *purpose: object) -> None:
        seed = "/".join(str(purpose_part) for purpose_part in purpose).encode()
        self._key = len(secret).to_bytes(4, "big") + secret + seed + b"\0"
        self._calls = 0

    def _read_bytes(self, count: int) -> bytes:
        self._calls += 1
        return hashlib.shake_256(self._key + self._calls.to_bytes(8, "big")).digest(count)

    def _read_words(self, count: int) -> "array[int]":
        words = array("H", self._read_bytes(2 * count))
        if sys.byteorder == "big":
            words.byteswap()
        return words

    def draw_below(self, number: int, count: int) -> list[int]:
        """Draw `count` random integers from 0 to `number` - 1; `number` is at most 4,096.

        The method is fast and uneven: probabilities differ by less than one in sixteen.
        """
        return [word * number >> 16 for word in self._read_words(count)]

    def shuffle(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in random order, with all orders equally likely."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.draw_one_below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def draw_one_below(self, number: int) -> int:
        """Draw one random integer from 0 to `number` - 1, uniform within one in 10**20."""
        return int.from_bytes(self._read_bytes(16), "big") % number

    def draw_cost_limits(self, temperature: int, count: int) -> list[int]:
        """Draw `count` random acceptance thresholds: a swap is accepted if it adds no more
        cost.

        `temperature` is their mean, in hundredths.
        """
        limits = _compute_cost_limits(temperature)
        return [limits[word & (_LIMIT_COUNT - 1)] for word in self._read_words(count)]
