"""Distributes seeds over lines of equal strength: 1 2 3 4, then 4 3 2 1 (a snake).

North-South and East-West of a section are two lines. Within a line, the seeds are placed so
that the best seeds meet late.
"""

from collections.abc import Collection, Hashable, Sequence
from hashlib import sha256
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def distribute_in_snake_order(seeds: Sequence[Item], line_count: int) -> list[list[Item]]:
    """Distribute the seeds over the lines forwards and backwards: 1 2 3 4, then 4 3 2 1.

    If the number of passes is even and the last pass is complete, every line has the same sum
    of seeds.
    """
    if line_count < 1:
        raise ValueError("at least one line is needed")
    seeds_by_line: list[list[Item]] = [[] for _ in range(line_count)]
    for index, seed in enumerate(seeds):
        pass_index, line_index = divmod(index, line_count)
        seeds_by_line[
            line_index if pass_index % 2 == 0 else line_count - 1 - line_index
        ].append(seed)
    return seeds_by_line


def distribute_with_stationary_seats(
    seeds: Sequence[Item],
    line_count: int,
    stationary_items: Collection[Item],
    stationary_line_indexes: Collection[int],
) -> list[list[Item]]:
    """Distribute seeds by the snake, and move stationary entries into the stationary lines.

    A stationary entry in another line changes places with the nearest seed of a stationary line
    that may move. Raises ValueError if more entries must be stationary than these lines have
    places.
    """
    seeds_by_line = distribute_in_snake_order(seeds, line_count)
    ranks_by_seed = {seed: index for index, seed in enumerate(seeds)}
    place_count = sum(len(seeds_by_line[line_index]) for line_index in stationary_line_indexes)
    if len(set(stationary_items) & set(seeds)) > place_count:
        raise ValueError(
            f"{len(stationary_items)} must stay, and the lines that sit hold {place_count}"
        )
    for line_index, line_seeds in enumerate(seeds_by_line):
        for seed_index, seed in enumerate(line_seeds):
            if seed not in stationary_items or line_index in stationary_line_indexes:
                continue
            other_line_index, index = min(
                (
                    (other_line_index, index)
                    for other_line_index in stationary_line_indexes
                    for index, item in enumerate(seeds_by_line[other_line_index])
                    if item not in stationary_items
                ),
                key=lambda line_and_position: (
                    abs(
                        ranks_by_seed[seeds_by_line[line_and_position[0]][line_and_position[1]]]
                        - ranks_by_seed[seed]
                    ),
                    line_and_position,
                ),
            )
            line_seeds[seed_index], seeds_by_line[other_line_index][index] = (
                seeds_by_line[other_line_index][index],
                seed,
            )
    return seeds_by_line


def order_by_seed(
    seeds_by_item: dict[Item, int], unseeded_items: Collection[Item], lot_seed: str
) -> list[Item]:
    """Return the seeded entries in order of seed, then the others by a repeatable lot."""
    seeded_items = sorted(seeds_by_item, key=lambda item: (seeds_by_item[item], str(item)))
    other_items = [item for item in unseeded_items if item not in seeds_by_item]
    return [
        *seeded_items,
        *sorted(other_items, key=lambda item: (_draw_lot(lot_seed, item), str(item))),
    ]


def spread_seeds(line_seeds: Sequence[Item]) -> list[Item]:
    """Return a line's seeds in table order, so that 1, 2 and 3 are far from each other.

    The seeds are placed at the halves of the line first, then at the quarters and eighths.
    """
    seed_count = len(line_seeds)
    bit_count = max(seed_count - 1, 0).bit_length()
    positions = sorted(
        range(seed_count),
        key=lambda position: int(f"{position:0{max(bit_count, 1)}b}"[::-1], 2),
    )
    seeds_by_position = dict(zip(positions, line_seeds, strict=True))
    return [seeds_by_position[position] for position in range(seed_count)]


def _draw_lot(lot_seed: str, item: object) -> bytes:
    return sha256(f"{lot_seed}|{item}".encode()).digest()
