"""Reproducible random numbers.

They depend only on a seed and on the names of what is drawn, the `seed_parts`. An example is
("pace", "A", 3, 7) for the pace of table 7 in section A and round 3.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate

_RANDOM_RANGE = 1 << 64


def draw_fraction(random_seed: str, *seed_parts: object) -> Fraction:
    """Return a pseudo-random fraction from 0 to less than 1."""
    seed_text = "\0".join([random_seed, *(str(seed_part) for seed_part in seed_parts)])
    random_number = int.from_bytes(hashlib.sha256(seed_text.encode()).digest()[:8], "big")
    return Fraction(random_number, _RANDOM_RANGE)


def draw_integer(limit: int, random_seed: str, *seed_parts: object) -> int:
    """Return a pseudo-random integer from 0 to `limit` - 1."""
    return int(draw_fraction(random_seed, *seed_parts) * limit)


def draw_weighted_key(
    weights_by_key: Mapping[int, int], random_seed: str, *seed_parts: object
) -> int:
    """Return a key of `weights_by_key`, with a probability proportional to its weight."""
    cumulative_weights = list(accumulate(weights_by_key.values()))
    return list(weights_by_key)[
        bisect_right(
            cumulative_weights, draw_integer(cumulative_weights[-1], random_seed, *seed_parts)
        )
    ]
