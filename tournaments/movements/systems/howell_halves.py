"""Howell movements in two halves, for sizes without a single cycle of all pairs.

The moving pairs are two cycles a and b of q pairs and a single pair. One more pair is
stationary. The board groups are two cycles c and d of q groups and a single group. In each
half, a, b, c and d move on by one each round, so that the first round defines the half. In the
last round every pair of a meets a pair of b. The sides are those of a Hadamard matrix of
circulants: any two pairs sit in the same direction equally often.

Source: R. E. A. C. Paley, On Orthogonal Matrices (1933), for the sides. The meetings were found
by a computer search; a test in tests/tournaments/movements verifies every meeting.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from tournaments.movements.meetings import Meeting, make_pair_meeting
from tournaments.movements.systems.finite_fields import FiniteField

# North-South (None for the stationary pair), East-West, board group
StarterTable = tuple[int | None, int, int]

# Elements: a is 0 to q - 1, b is q to 2q - 1, the single one is 2q, and likewise for groups.
# Keys are numbers of pairs. Each of the first two texts is the first round of a half: the
# stationary pair's opponent and group, then North-South, East-West and group of the other
# tables. The last text is the meeting of a and b from which the last round is built.
HOWELL_HALVES_BY_PAIR_COUNT = {
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


def develop_howell_halves(pair_count: int) -> tuple[Meeting, ...]:
    """Build both halves and the last round; the stationary pair stays at the last table.

    The other single pair stays at the table before that one until the last round.
    """
    cycle_length = pair_count // 2 - 1
    first_half, second_half, last_round = (
        _parse_tables(tables_text, pair_count)
        for tables_text in HOWELL_HALVES_BY_PAIR_COUNT[pair_count]
    )
    meetings = []
    for (half_index, starter_tables), round_offset in product(
        enumerate((first_half, second_half)), range(cycle_length)
    ):
        for table_number, starter_table in enumerate(
            _iter_later_round_tables(starter_tables, cycle_length, round_offset), 1
        ):
            meetings.append(
                _make_meeting(
                    half_index * cycle_length + round_offset + 1,
                    table_number,
                    starter_table,
                    pair_count,
                )
            )
    for round_offset in range(cycle_length):
        (starter_table,) = _iter_later_round_tables(last_round, cycle_length, round_offset)
        meetings.append(
            _make_meeting(pair_count - 1, round_offset + 1, starter_table, pair_count)
        )
    meetings.append(
        _make_meeting(
            pair_count - 1,
            cycle_length + 1,
            (None, 2 * cycle_length, 2 * cycle_length),
            pair_count,
        )
    )
    return tuple(meetings)


def _parse_tables(tables_text: str, pair_count: int) -> list[StarterTable]:
    """Return the tables of a round, with the tables of the two single pairs last."""
    single_pair_element = pair_count - 2
    starter_tables: list[StarterTable] = []
    for table_text in tables_text.split():
        sides_text, group_text = table_text.split(":")
        ns, _, ew = sides_text.rpartition("-")
        starter_tables.append((int(ns) if ns else None, int(ew), int(group_text)))
    return sorted(
        starter_tables,
        key=lambda starter_table: (
            starter_table[0] is None,
            single_pair_element in starter_table[:2],
        ),
    )


def _iter_later_round_tables(
    starter_tables: list[StarterTable], cycle_length: int, round_offset: int
) -> Iterator[StarterTable]:
    """Yield the tables of the round that is `round_offset` rounds after the half's first."""
    for ns, ew, board_group in starter_tables:
        moved_ns_element = (
            None if ns is None else _move_cycle_element(ns, cycle_length, round_offset)
        )
        yield (
            moved_ns_element,
            _move_cycle_element(ew, cycle_length, round_offset),
            _move_cycle_element(board_group, cycle_length, round_offset),
        )


def _move_cycle_element(cycle_element: int, cycle_length: int, round_offset: int) -> int:
    """Return an element moved on by a step in its cycle; the single element stays."""
    cycle_index, field_element = divmod(cycle_element, cycle_length)
    if cycle_index == 2:
        return cycle_element
    moved_elements = _list_moved_elements(cycle_length, round_offset)
    return cycle_index * cycle_length + moved_elements[field_element]


@lru_cache(maxsize=64)
def _list_moved_elements(cycle_length: int, round_offset: int) -> tuple[int, ...]:
    """Return the sum of each element of a cycle and a step."""
    finite_field = FiniteField.build(cycle_length)
    return tuple(finite_field.add(element, round_offset) for element in range(cycle_length))


def _make_meeting(
    round_number: int, table_number: int, starter_table: StarterTable, pair_count: int
) -> Meeting:
    ns, ew, board_group = starter_table
    return make_pair_meeting(
        round_number,
        table_number,
        pair_count if ns is None else ns + 1,
        ew + 1,
        board_group + 1,
    )
