"""Lots that a seed and a subject decide: the same question has the same answer for ever."""

import hashlib
from bisect import bisect_right
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate

_ALL = 1 << 64


def lot(seed: str, *about: object) -> Fraction:
    """Draw a number from 0 up to, but not including, 1; each subject has a lot of its own."""
    words = "\0".join([seed, *(str(each) for each in about)])
    drawn = int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big")
    return Fraction(drawn, _ALL)


def whole(below: int, seed: str, *about: object) -> int:
    """Draw a whole number from 0 to `below` less one."""
    return int(lot(seed, *about) * below)


def pick(weights: Mapping[int, int], seed: str, *about: object) -> int:
    """Draw one of the keys, each as likely as its weight says."""
    totals = list(accumulate(weights.values()))
    return list(weights)[bisect_right(totals, whole(totals[-1], seed, *about))]
