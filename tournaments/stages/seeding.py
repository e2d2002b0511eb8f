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
    found: list[list[Item]] = [[] for _ in range(lines)]
    for place, seed in enumerate(seeds):
        row, at = divmod(place, lines)
        found[at if row % 2 == 0 else lines - 1 - at].append(seed)
    return found


def deal_snake_with_seats(
    seeds: Sequence[Item], lines: int, seated: Collection[Item], seats: Collection[int]
) -> list[list[Item]]:
    """Distribute seeds by the snake, and move stationary entries into the stationary lines.

    Each is exchanged with the seed nearest to it there that need not be stationary. Raises
    ValueError where more must be stationary than these lines have places.
    """
    found = deal_snake(seeds, lines)
    rank = {seed: place for place, seed in enumerate(seeds)}
    room = sum(len(found[line]) for line in seats)
    if len(set(seated) & set(seeds)) > room:
        raise ValueError(f"{len(seated)} must stay, and the lines that sit hold {room}")
    for line, members in enumerate(found):
        for place, seed in enumerate(members):
            if seed not in seated or line in seats:
                continue
            other, at = min(
                (
                    (other, at)
                    for other in seats
                    for at, each in enumerate(found[other])
                    if each not in seated
                ),
                key=lambda spot: (abs(rank[found[spot[0]][spot[1]]] - rank[seed]), spot),
            )
            members[place], found[other][at] = found[other][at], seed
    return found


def order_by_seed(rated: dict[Item, int], unseeded: Collection[Item], lot: str) -> list[Item]:
    """List entries with a seed by it, then the others by a repeatable lot."""
    first = sorted(rated, key=lambda item: (rated[item], str(item)))
    rest = [item for item in unseeded if item not in rated]
    return [*first, *sorted(rest, key=lambda item: (_draw_lot(lot, item), str(item)))]


def spread_seeds(members: Sequence[Item]) -> list[Item]:
    """Return a line's seeds in table order, so that 1, 2 and 3 are far from each other.

    The places are filled in the order of halves, quarters, eighths of the line.
    """
    size = len(members)
    bits = max(size - 1, 0).bit_length()
    places = sorted(range(size), key=lambda place: int(f"{place:0{max(bits, 1)}b}"[::-1], 2))
    at = dict(zip(places, members, strict=True))
    return [at[place] for place in range(size)]


def _draw_lot(seed: str, item: object) -> bytes:
    return sha256(f"{seed}|{item}".encode()).digest()
