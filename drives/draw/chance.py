"""The random numbers of an evening, all derived from its sealed secret, equal on every machine.

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

Thing = TypeVar("Thing")
_EXACT = 1 << 20
_CHANCES = 1024
_COSTS = [round(-log((k + 0.5) / _CHANCES) * _EXACT) for k in range(_CHANCES)]
"""Limits of extra cost in a search, for 1,024 equally likely draws."""


@lru_cache(32)  # a search uses the limits of each warmth repeatedly
def _steps(warmth: int) -> list[int]:
    """Return the limits at a warmth, for each of the equally likely draws."""
    return [warmth * cost // (100 * _EXACT) for cost in _COSTS]


class Chance:
    """A stream of numbers for one purpose of one secret: equal calls return equal numbers."""

    def __init__(self, secret: bytes, *purpose: object) -> None:
        words = "/".join(str(part) for part in purpose).encode()
        self._key = len(secret).to_bytes(4, "big") + secret + words + b"\0"
        self._calls = 0

    def _bytes(self, count: int) -> bytes:
        self._calls += 1
        return hashlib.shake_256(self._key + self._calls.to_bytes(8, "big")).digest(count)

    def _words(self, count: int) -> "array[int]":
        words = array("H", self._bytes(2 * count))
        if sys.byteorder == "big":
            words.byteswap()
        return words

    def below(self, number: int, count: int) -> list[int]:
        """Draw `count` numbers from 0 to below a number of at most 4,096, quickly.

        They are for searches: their probabilities differ by less than one in sixteen.
        """
        return [word * number >> 16 for word in self._words(count)]

    def shuffled(self, things: Sequence[Thing]) -> list[Thing]:
        """Return the items in random order, with all orders equally likely."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.one_below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def one_below(self, number: int) -> int:
        """Draw one number from 0 to below a number, uniform within one in 10**20."""
        return int.from_bytes(self._bytes(16), "big") % number

    def limits(self, warmth: int, count: int) -> list[int]:
        """Draw `count` limits of extra cost, up to which a change of seats is accepted.

        `warmth` is the mean of the limits, in hundredths of the unit of costs.
        """
        steps = _steps(warmth)
        return [steps[word & (_CHANCES - 1)] for word in self._words(count)]
