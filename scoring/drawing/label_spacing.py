"""Placement of the labels at the ends of a chart's lines, so that they do not overlap."""

from collections.abc import Sequence


def spread_labels(
    wanted_positions: Sequence[float], gap: float, lower_limit: float, upper_limit: float
) -> list[float]:
    """Move labels as little as possible to keep their order and a minimum distance.

    Returns the new positions, at least `gap` apart. If there is not enough space between
    `lower_limit` and `upper_limit`, the labels begin at `lower_limit` and continue beyond
    `upper_limit`.
    """
    sorted_indexes = sorted(
        range(len(wanted_positions)), key=lambda index: (wanted_positions[index], index)
    )
    max_position = max(lower_limit, upper_limit - gap * (len(sorted_indexes) - 1))
    # If these differences do not decrease, the positions are at least `gap` apart.
    shifted_positions = [
        wanted_positions[index] - gap * rank for rank, index in enumerate(sorted_indexes)
    ]
    positions = [0.0] * len(sorted_indexes)
    for rank, shifted_position in enumerate(_pool_to_non_decreasing(shifted_positions)):
        positions[sorted_indexes[rank]] = (
            min(max(shifted_position, lower_limit), max_position) + gap * rank
        )
    return positions


def _pool_to_non_decreasing(numbers: Sequence[float]) -> list[float]:
    """Return the nearest non-decreasing numbers, by pooling neighbours in the wrong order."""
    pools: list[tuple[float, int]] = []
    for number in numbers:
        pool_total, pool_size = number, 1
        while pools and pools[-1][0] / pools[-1][1] > pool_total / pool_size:
            previous_total, previous_size = pools.pop()
            pool_total, pool_size = pool_total + previous_total, pool_size + previous_size
        pools.append((pool_total, pool_size))
    return [pool_total / pool_size for pool_total, pool_size in pools for _ in range(pool_size)]
