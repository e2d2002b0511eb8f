"""Seeding into lines of equal strength: the snake.

North-South and East-West of a section are two lines. Within a line the seeds are placed so that
the best meet late.
"""

from collections.abc import Collection, Hashable, Sequence
from hashlib import sha256
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def deal_snake(seeds: Sequence[Item], lines: int) -> list[list[Item]]:
    """Distribute the seeds over the lines there and back: 1 2 3 4, then 4 3 2 1.

    If the number of rows is even and complete, every line has the same sum of seeds.
    """
    if lines < 1:
        raise ValueError("at least one line is needed")
    seeds_by_line: list[list[Item]] = [[] for _ in range(lines)]
    for place, seed in enumerate(seeds):
        row, line = divmod(place, lines)
        seeds_by_line[line if row % 2 == 0 else lines - 1 - line].append(seed)
    return seeds_by_line


def deal_snake_with_seats(
    seeds: Sequence[Item], lines: int, seated: Collection[Item], seats: Collection[int]
) -> list[list[Item]]:
    """Distribute seeds by the snake, and move stationary entries into the stationary lines.

    Each is exchanged with the seed nearest to it there that need not be stationary. Raises
    ValueError where more must be stationary than these lines have places.
    """
    seeds_by_line = deal_snake(seeds, lines)
    rank = {seed: place for place, seed in enumerate(seeds)}
    place_count = sum(len(seeds_by_line[line]) for line in seats)
    if len(set(seated) & set(seeds)) > place_count:
        raise ValueError(f"{len(seated)} must stay, and the lines that sit hold {place_count}")
    for line, members in enumerate(seeds_by_line):
        for place, seed in enumerate(members):
            if seed not in seated or line in seats:
                continue
            other, index = min(
                (
                    (other, index)
                    for other in seats
                    for index, item in enumerate(seeds_by_line[other])
                    if item not in seated
                ),
                key=lambda spot: (
                    abs(rank[seeds_by_line[spot[0]][spot[1]]] - rank[seed]),
                    spot,
                ),
            )
            members[place], seeds_by_line[other][index] = seeds_by_line[other][index], seed
    return seeds_by_line


def order_by_seed(
    rated: dict[Item, int], unseeded: Collection[Item], lot_seed: str
) -> list[Item]:
    """List entries with a seed by it, then the others by a repeatable lot."""
    first = sorted(rated, key=lambda item: (rated[item], str(item)))
    unrated = [item for item in unseeded if item not in rated]
    return [*first, *sorted(unrated, key=lambda item: (_draw_lot(lot_seed, item), str(item)))]


def spread_seeds(members: Sequence[Item]) -> list[Item]:
    """Return a line's seeds in table order, so that 1, 2 and 3 are far from each other.

    The places are filled in the order of halves, quarters, eighths of the line.
    """
    size = len(members)
    bit_count = max(size - 1, 0).bit_length()
    places = sorted(
        range(size), key=lambda place: int(f"{place:0{max(bit_count, 1)}b}"[::-1], 2)
    )
    member_by_place = dict(zip(places, members, strict=True))
    return [member_by_place[place] for place in range(size)]


def _draw_lot(seed: str, item: object) -> bytes:
    return sha256(f"{seed}|{item}".encode()).digest()
