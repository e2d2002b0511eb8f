"""Spacing of the labels at the ends of lines, without overlap."""

from collections.abc import Sequence


def spread_labels(
    wanted_positions: Sequence[float], gap: float, low: float, high: float
) -> list[float]:
    """Move labels as little as possible to keep their order and a minimum distance.

    Where they do not fit between `low` and `high`, they begin at `low` and continue below
    `high`. Labels never overlap.
    """
    order = sorted(
        range(len(wanted_positions)), key=lambda place: (wanted_positions[place], place)
    )
    room = max(low, high - gap * (len(order) - 1))
    # After subtracting the label distances, the positions only need the right order.
    free = [wanted_positions[place] - gap * rank for rank, place in enumerate(order)]
    positions = [0.0] * len(order)
    for rank, level in enumerate(_pool_to_non_decreasing(free)):
        positions[order[rank]] = min(max(level, low), room) + gap * rank
    return positions


def _pool_to_non_decreasing(figures: Sequence[float]) -> list[float]:
    """Return the nearest non-decreasing numbers, by pooling neighbours in the wrong order."""
    pools: list[tuple[float, int]] = []
    for figure in figures:
        total, size = figure, 1
        while pools and pools[-1][0] / pools[-1][1] > total / size:
            before, count = pools.pop()
            total, size = total + before, size + count
        pools.append((total, size))
    return [total / size for total, size in pools for _ in range(size)]
