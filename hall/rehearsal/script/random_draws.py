"""Reproducible random numbers that depend on a seed and a subject."""

import hashlib
from bisect import bisect_right
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate

_RANDOM_RANGE = 1 << 64


def draw_fraction(seed: str, *identity: object) -> Fraction:
    """Draw a fraction from 0 to less than 1, which depends on the seed and the subject."""
    seed_text = "\0".join([seed, *(str(subject) for subject in identity)])
    number = int.from_bytes(hashlib.sha256(seed_text.encode()).digest()[:8], "big")
    return Fraction(number, _RANDOM_RANGE)


def draw_integer(below: int, seed: str, *identity: object) -> int:
    """Draw an integer from 0 to `below` - 1 for a seed and a subject."""
    return int(draw_fraction(seed, *identity) * below)


def draw_key(weights: Mapping[int, int], seed: str, *identity: object) -> int:
    """Draw one of the keys of `weights`, with probabilities proportional to their weights."""
    totals = list(accumulate(weights.values()))
    return list(weights)[bisect_right(totals, draw_integer(totals[-1], seed, *identity))]
