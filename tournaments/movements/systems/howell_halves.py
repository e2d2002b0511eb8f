"""Howell movements in two halves, for sizes without a single cycle of all pairs.

There are 2q moving pairs (a and b), one more moving pair and a stationary one; and 2q board
groups (c and d) and a single one. In each half, a, b, c and d move on by one each round, so
that its first round defines the half. In the last round every pair of a meets one of b. The
sides are those of a Hadamard matrix of circulants: any two pairs sit the same way equally
often.

Source: R. E. A. C. Paley, On Orthogonal Matrices (1933), for the sides. The meetings were found
by a computer search; tests/tournaments/movements counts each again.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from tournaments.movements.meetings import Meeting, make_pair_meeting
from tournaments.movements.systems.finite_fields import FiniteField

# North-South (None for the stationary pair), East-West, board group
Row = tuple[int | None, int, int]

# Elements: a is 0 to q - 1, b is q to 2q - 1, the single one is 2q, and likewise for groups.
# For each half: the stationary pair's opponent and group, then North-South, East-West and
# group of the other tables. The last item is the meeting of a and b from which the last round
# is built.
HALF_DESIGNS = {
    40: (
        "9:29 1-36:0 31-28:2 37-5:3 26-17:4 35-8:8 32-22:11 11-12:13 6-14:18 4-34:19 "
        "19-13:22 29-33:23 3-38:25 27-7:26 15-30:28 2-20:31 16-10:34 25-18:35 23-21:37 "
        "0-24:38",
        "22:6 9-14:4 19-17:5 20-10:7 0-31:8 7-29:10 38-36:12 26-3:14 33-21:15 6-25:16 "
        "2-12:17 30-13:19 28-34:21 1-18:22 27-35:23 23-24:25 15-11:27 16-4:30 8-5:35 "
        "37-32:37",
        "6-20:0",
    ),
    52: (
        "37:19 20-0:2 23-15:3 50-4:5 28-48:7 11-21:8 42-40:9 29-14:12 45-27:13 36-10:14 "
        "33-24:15 5-3:16 46-39:17 1-17:21 47-26:23 9-7:24 30-6:26 22-25:30 34-16:31 "
        "35-18:34 32-43:36 12-49:38 19-38:41 41-31:42 44-8:43 13-2:45",
        "11:44 14-40:0 32-12:6 23-33:8 28-44:9 8-45:11 0-34:14 2-15:16 42-19:19 25-29:24 "
        "9-39:25 21-20:27 47-6:28 1-18:29 17-35:30 43-22:31 3-7:32 41-49:33 38-24:38 "
        "27-50:39 16-10:40 30-36:43 48-31:46 5-37:47 4-26:48 13-46:50",
        "7-32:0",
    ),
    56: (
        "36:26 30-18:2 16-37:4 35-32:6 21-43:8 27-15:13 48-8:14 13-4:16 29-44:17 33-47:19 "
        "0-2:21 52-39:22 34-26:23 1-7:24 23-9:25 6-53:27 14-22:28 46-54:29 45-20:32 "
        "24-41:38 5-17:39 19-28:40 38-3:41 25-10:43 31-40:46 12-49:47 11-42:49 50-51:52",
        "20:30 17-37:1 49-33:2 48-5:3 54-6:5 4-42:9 27-51:11 22-53:14 30-31:15 15-8:17 "
        "26-18:18 52-10:23 7-0:25 44-11:28 38-40:29 12-41:31 3-29:34 45-14:37 9-25:41 "
        "43-35:43 46-36:45 32-19:46 39-34:47 47-2:48 28-13:49 21-16:50 1-24:52 23-50:54",
        "20-40:0",
    ),
}


def develop_howell_halves(pairs: int) -> tuple[Meeting, ...]:
    """Build both halves and the last round; the stationary pair stays at the last table.

    The other single pair stays at the table before it until the last round.
    """
    q = pairs // 2 - 1
    first, second, last = (_parse_rows(part, pairs) for part in HALF_DESIGNS[pairs])
    meetings = []
    for (half_number, rows), step in product(enumerate((first, second)), range(q)):
        for table, row in enumerate(_move_rows(rows, q, step), 1):
            meetings.append(_make_meeting(half_number * q + step + 1, table, row, pairs))
    for step in range(q):
        (row,) = _move_rows(last, q, step)
        meetings.append(_make_meeting(pairs - 1, step + 1, row, pairs))
    meetings.append(_make_meeting(pairs - 1, q + 1, (None, 2 * q, 2 * q), pairs))
    return tuple(meetings)


def _parse_rows(text: str, pairs: int) -> list[Row]:
    """Parse the tables of a round, with the tables of the two single pairs last."""
    single_element = pairs - 2
    rows: list[Row] = []
    for each in text.split():
        sides, group = each.split(":")
        ns, _, ew = sides.rpartition("-")
        rows.append((int(ns) if ns else None, int(ew), int(group)))
    return sorted(rows, key=lambda row: (row[0] is None, single_element in row[:2]))


def _move_rows(rows: list[Row], q: int, step: int) -> Iterator[Row]:
    """Add a step to every element of a cycle."""
    for ns, ew, group in rows:
        north = None if ns is None else _add_step(ns, q, step)
        yield north, _add_step(ew, q, step), _add_step(group, q, step)


def _add_step(element: int, q: int, step: int) -> int:
    cycle, place = divmod(element, q)
    return element if cycle == 2 else cycle * q + _step_elements(q, step)[place]


@lru_cache(maxsize=64)
def _step_elements(q: int, step: int) -> tuple[int, ...]:
    """Add a step to each element of a cycle."""
    field = FiniteField.of(q)
    return tuple(field.plus(place, step) for place in range(q))


def _make_meeting(number: int, table: int, row: Row, pairs: int) -> Meeting:
    ns, ew, group = row
    return make_pair_meeting(number, table, pairs if ns is None else ns + 1, ew + 1, group + 1)
