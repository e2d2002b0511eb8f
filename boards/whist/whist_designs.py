"""Designs of whist tournaments for individuals.

Only the tables of round 1 are stored. The tables of the other rounds are computed from them.
"""

from collections.abc import Iterator
from math import prod
from typing import NamedTuple


class WhistDesign(NamedTuple):
    """The tables of round 1 of a whist tournament, from which the later rounds follow.

    `blocks` are tables such as "0 3 x 1:0": the players at North, East, South and West, then
    the group of boards. Player x is the last one, who never changes seats. The other players
    and the board groups are numbered from 0 and added like the elements of a product of cyclic
    groups, whose sizes are `moduli`. Multiplying all numbers of a block by a power of
    `multiplier` gives a further table of round 1.
    """

    moduli: tuple[int, ...]
    multiplier: int
    blocks: str


class DesignTable(NamedTuple):
    """One table in one round of a design, with its board group; all are numbered from 1.

    `player_numbers` are the players in order round the table. The first and third are partners.
    """

    round_number: int
    table_number: int
    player_numbers: tuple[int, int, int, int]
    board_group: int


def iter_design_tables(player_count: int, design: WhistDesign) -> Iterator[DesignTable]:
    """Yield all tables of a design.

    In the round with index n, counted from 0, the element n is added to the number of each
    player and board group (`_shift_elements`). Player x is the same in all rounds.
    """
    first_round_tables = list(enumerate(iter_first_round_tables(design), start=1))
    for round_index in range(prod(design.moduli)):
        shifted_elements_by_element: dict[int | None, int] = dict(
            enumerate(_shift_elements(design.moduli, round_index))
        )
        shifted_elements_by_element[None] = player_count
        for table_number, ((north, east, south, west), board_group) in first_round_tables:
            player_numbers = (
                shifted_elements_by_element[north],
                shifted_elements_by_element[east],
                shifted_elements_by_element[south],
                shifted_elements_by_element[west],
            )
            yield DesignTable(
                round_index + 1,
                table_number,
                player_numbers,
                shifted_elements_by_element[board_group],
            )


def iter_first_round_tables(
    design: WhistDesign,
) -> Iterator[tuple[tuple[int | None, ...], int]]:
    """Yield the tables of round 1 as (players, board group); player x is None.

    These are the blocks, and the blocks multiplied by each power of the multiplier.
    """
    element_count = prod(design.moduli)
    for block in design.blocks.split(", "):
        players_text, group_text = block.split(":")
        base_table = (
            tuple(
                None if player_text == "x" else int(player_text)
                for player_text in players_text.split()
            ),
            int(group_text),
        )
        table = base_table
        while True:
            yield table
            player_numbers, board_group = table
            table = (
                tuple(
                    None
                    if player_number is None
                    else player_number * design.multiplier % element_count
                    for player_number in player_numbers
                ),
                board_group * design.multiplier % element_count,
            )
            if table == base_table:
                break


def _shift_elements(moduli: tuple[int, ...], offset: int) -> list[int]:
    """Return a list with the sum of each element and `offset`, at the index of the element.

    Elements count from 0, but 1 is added to each sum, because players and board groups count
    from 1. With the moduli (5,) and the offset 3, the list is [4, 5, 1, 2, 3].
    """
    element_count = prod(moduli)
    if len(moduli) == 1:
        return [*range(offset + 1, element_count + 1), *range(1, offset + 1)]
    return [1 + _add_elements(moduli, element, offset) for element in range(element_count)]


def _add_elements(moduli: tuple[int, ...], first_element: int, second_element: int) -> int:
    """Return the sum of two elements of the product of the cyclic groups.

    An element is a number with one digit for each modulus, the last one least significant. The
    digits are added without carrying. With the moduli (3, 3), 5 + 1 is 3, because the digits
    1, 2 and 0, 1 give 1, 0.
    """
    sum_element, place_value = 0, 1
    for modulus in reversed(moduli):
        sum_element += place_value * ((first_element + second_element) % modulus)
        first_element, second_element, place_value = (
            first_element // modulus,
            second_element // modulus,
            place_value * modulus,
        )
    return sum_element


DESIGNS_BY_PLAYER_COUNT = {
    4: WhistDesign((3,), 1, "0 1 x 2:0"),
    5: WhistDesign((5,), 1, "1 2 4 3:0"),
    8: WhistDesign((7,), 1, "0 3 x 1:0, 6 5 2 4:0"),
    9: WhistDesign((3, 3), 1, "1 6 2 3:0, 8 5 4 7:0"),
    12: WhistDesign((11,), 1, "1 10 x 6:0, 0 5 9 8:0, 4 7 3 2:0"),
    13: WhistDesign((13,), 3, "12 3 8 5:11"),
    16: WhistDesign((15,), 1, "7 5 x 3:0, 2 1 13 8:2, 14 11 0 6:13, 12 10 9 4:0"),
    17: WhistDesign((17,), 1, "1 2 16 6:0, 8 4 15 9:0, 5 14 11 13:0, 10 3 7 12:0"),
    20: WhistDesign(
        (19,), 1, "4 5 16 x:0, 14 13 18 12:18, 7 9 1 17:8, 10 0 15 3:12, 6 2 8 11:0"
    ),
    21: WhistDesign(
        (21,), 1, "3 15 20 13:0, 12 5 4 10:14, 17 2 6 14:9, 7 19 1 18:12, 11 16 8 9:7"
    ),
    24: WhistDesign(
        (23,),
        1,
        "x 21 20 10:0, 22 5 13 1:22, 15 11 16 8:12, 3 2 18 12:17, 7 19 14 17:2, 0 4 6 9:16",
    ),
    25: WhistDesign(
        (5, 5),
        1,
        "14 19 11 5:10, 21 12 18 16:7, 20 4 1 9:13, 17 24 6 7:14, 15 3 2 13:21, 23 8 22 10:20",
    ),
    28: WhistDesign(
        (27,),
        1,
        "x 6 9 20:0, 23 13 21 3:23, 17 11 16 15:12, 4 0 1 12:15, 2 25 22 7:11, "
        "19 26 14 5:4, 24 18 8 10:16",
    ),
    29: WhistDesign((29,), 7, "3 5 1 27:8"),
    32: WhistDesign(
        (31,),
        1,
        "8 13 x 22:0, 4 10 25 7:7, 14 12 27 5:13, 17 6 2 29:8, 21 15 26 3:19, "
        "28 16 11 18:23, 23 20 19 9:3, 30 0 24 1:20",
    ),
    33: WhistDesign(
        (33,),
        1,
        "24 26 21 2:27, 25 4 20 10:22, 32 12 15 19:23, 7 30 22 31:12, 9 28 29 3:16, "
        "27 6 8 16:25, 17 23 5 1:0, 14 13 18 11:7",
    ),
    36: WhistDesign(
        (35,),
        1,
        "7 15 x 12:0, 1 19 8 33:8, 16 14 31 2:32, 13 0 9 24:26, 21 34 3 5:24, "
        "10 26 18 25:22, 23 22 28 32:2, 6 27 4 11:33, 17 20 30 29:28",
    ),
    37: WhistDesign((37,), 7, "31 22 11 26:4"),
    40: WhistDesign(
        (39,),
        1,
        "0 13 x 26:0, 18 36 19 9:20, 15 27 31 30:8, 28 3 6 12:11, 1 25 29 20:32, "
        "8 35 10 16:5, 14 11 22 4:2, 17 24 32 34:38, 33 5 37 38:23, 2 7 23 21:17",
    ),
    41: WhistDesign((41,), 10, "7 2 19 11:40, 10 25 24 21:6"),
    44: WhistDesign(
        (43,),
        1,
        "x 0 21 28:0, 8 9 20 6:7, 13 22 37 26:39, 15 23 32 25:18, 27 17 14 39:21, "
        "7 12 30 4:35, 24 36 10 2:42, 16 40 41 35:6, 19 42 3 5:15, 38 11 31 1:22, "
        "34 18 33 29:10",
    ),
    45: WhistDesign(
        (45,),
        1,
        "24 33 14 19:20, 3 42 40 30:5, 25 12 26 15:29, 1 4 18 38:23, 31 10 37 8:44, "
        "5 6 34 27:43, 29 16 7 36:2, 41 44 23 35:11, 32 20 28 13:10, 21 22 2 17:1, "
        "11 39 43 9:37",
    ),
    48: WhistDesign(
        (47,),
        1,
        "38 x 41 13:0, 7 42 3 33:7, 30 16 36 32:33, 19 1 46 26:21, 39 18 5 0:10, "
        "17 8 2 27:15, 34 15 10 4:42, 9 20 35 21:46, 43 11 29 6:25, 44 45 14 37:13, "
        "31 28 24 40:17, 23 22 25 12:6",
    ),
    49: WhistDesign(
        (7, 7),
        1,
        "18 28 23 25:19, 29 43 46 7:31, 9 37 36 14:13, 31 41 17 1:20, 13 26 34 2:33, "
        "19 4 12 45:10, 39 11 5 8:16, 3 15 22 16:32, 44 30 6 32:8, 47 21 10 48:14, "
        "38 42 20 40:28, 33 35 27 24:7",
    ),
    52: WhistDesign(
        (51,),
        1,
        "0 17 x 34:0, 21 46 24 16:14, 26 22 41 28:42, 36 31 27 49:23, 19 35 7 8:13, "
        "18 30 4 10:7, 5 32 12 42:27, 1 38 23 43:5, 48 29 47 45:4, 20 11 39 9:41, "
        "3 6 50 44:30, 33 15 25 40:24, 13 37 2 14:25",
    ),
    53: WhistDesign((53,), 10, "49 33 6 35:2"),
    56: WhistDesign(
        (55,),
        1,
        "44 x 11 0:0, 42 33 31 18:9, 47 51 17 46:32, 20 13 30 48:25, 35 50 38 16:3, "
        "10 24 9 32:12, 54 2 27 19:53, 4 25 28 41:34, 5 12 14 6:30, 23 37 21 49:50, "
        "26 22 39 45:43, 43 34 29 53:26, 15 40 8 3:22, 52 36 1 7:46",
    ),
    57: WhistDesign(
        (57,),
        1,
        "51 18 13 27:32, 34 40 31 25:4, 2 22 29 28:25, 33 37 15 49:43, 21 32 45 53:52, "
        "10 11 36 52:19, 46 4 39 26:37, 12 24 35 38:28, 5 50 1 55:27, 47 19 48 8:3, "
        "17 56 54 7:42, 23 44 6 42:24, 16 20 3 30:5, 43 41 14 9:1",
    ),
    60: WhistDesign(
        (59,),
        1,
        "x 23 55 31:0, 32 22 16 27:32, 48 50 0 46:49, 43 36 6 49:38, 13 29 37 9:35, "
        "30 10 56 35:17, 34 57 25 42:6, 26 2 14 44:23, 17 51 40 20:31, 52 15 53 8:27, "
        "18 58 24 28:12, 19 41 5 38:34, 21 12 11 39:56, 54 7 33 47:25, 4 3 45 1:28",
    ),
    61: WhistDesign((61,), 12, "26 60 25 28:39"),
    64: WhistDesign(
        (63,),
        1,
        "x 21 0 42:0, 36 56 20 26:22, 17 35 18 41:25, 9 38 5 14:37, 59 31 8 4:62, "
        "47 61 32 16:59, 2 1 62 55:47, 19 57 45 49:54, 54 39 13 7:27, 27 28 52 30:45, "
        "22 44 51 33:55, 15 6 25 50:31, 60 24 37 11:61, 12 23 40 43:53, 34 29 48 46:23, "
        "10 53 3 58:29",
    ),
    65: WhistDesign(
        (65,),
        1,
        "26 13 39 52:0, 59 25 45 55:56, 24 40 15 30:36, 5 35 34 10:51, 46 3 14 63:17, "
        "11 53 9 8:62, 29 33 21 48:12, 12 22 28 60:32, 17 42 18 20:2, 62 27 58 50:57, "
        "56 41 19 47:9, 54 7 36 31:29, 44 37 51 6:14, 32 64 43 61:1, 2 4 23 16:61, "
        "38 1 57 49:16",
    ),
    73: WhistDesign((73,), 2, "30 55 70 39:29, 48 53 72 31:60"),
    81: WhistDesign(
        (3, 3, 3, 3),
        1,
        "44 69 37 4:42, 50 60 16 51:73, 7 3 10 49:78, 43 19 2 56:27, 24 59 58 80:17, "
        "55 78 9 18:54, 45 27 57 33:22, 41 17 14 25:75, 31 42 53 67:38, 32 73 26 13:39, "
        "64 65 77 22:68, 21 47 12 75:36, 52 15 76 38:65, 72 68 70 39:47, 46 36 5 54:15, "
        "23 8 48 79:5, 20 66 30 62:77, 1 71 6 61:12, 35 28 11 29:76, 74 40 34 63:70",
    ),
    88: WhistDesign(
        (87,),
        1,
        "x 58 0 29:0, 63 21 40 37:38, 76 33 69 61:71, 55 9 3 43:80, 42 72 46 73:35, "
        "70 51 75 31:86, 6 60 19 85:5, 57 48 79 10:62, 16 44 59 5:8, 7 41 53 62:47, "
        "38 52 56 83:26, 1 68 20 71:44, 80 82 8 74:41, 35 25 47 65:56, 86 49 26 23:68, "
        "4 66 14 24:32, 54 67 18 17:14, 78 13 84 2:17, 22 15 77 45:2, 36 64 12 50:77, "
        "81 28 27 11:50, 30 34 39 32:11",
    ),
    89: WhistDesign((89,), 2, "56 66 71 13:7, 42 64 38 50:87"),
    97: WhistDesign(
        (97,),
        35,
        "38 96 58 85:40, 42 28 88 55:45, 72 31 32 75:36, 29 49 20 35:56, 91 8 68 43:3, "
        "76 17 5 84:27, 47 24 25 71:58, 51 34 89 83:57",
    ),
    101: WhistDesign((101,), 5, "35 90 25 14:4"),
    112: WhistDesign(
        (111,),
        10,
        "x 74 0 37:0, 32 35 78 66:34, 20 8 21 69:49, 5 27 57 68:100, 9 110 60 52:55, "
        "88 75 41 93:76, 33 95 72 55:103, 28 22 107 34:40, 49 73 97 53:25, 100 4 19 47:85",
    ),
}
"""The designs for 4n and 4n + 1 players, by the number of players."""

DESIGNS_WITH_TWO_SIT_OUTS = {
    6: WhistDesign((6,), 1, "0 2 1 4:0"),
    10: WhistDesign((10,), 1, "5 3 4 7:5, 8 2 6 9:5"),
    14: WhistDesign((14,), 1, "8 4 7 2:4, 11 13 3 10:2, 9 6 5 1:13"),
    18: WhistDesign((18,), 1, "3 7 17 6:15, 2 4 10 15:7, 16 8 14 13:9, 9 11 12 5:11"),
    22: WhistDesign(
        (22,), 1, "12 4 5 14:12, 20 16 19 3:21, 10 7 2 1:13, 13 17 9 15:8, 21 11 18 6:15"
    ),
    26: WhistDesign(
        (26,),
        1,
        "15 18 14 7:3, 12 6 21 16:13, 10 19 3 24:19, 4 2 1 20:7, 13 11 17 5:15, 8 25 22 23:16",
    ),
    30: WhistDesign(
        (30,),
        1,
        "19 6 16 20:10, 17 22 8 15:1, 14 2 26 27:14, 24 5 11 1:7, 25 4 23 28:26, "
        "29 13 21 3:18, 7 10 18 9:17",
    ),
    34: WhistDesign(
        (34,),
        1,
        "26 10 1 32:28, 18 5 28 24:19, 3 6 19 17:9, 9 16 4 8:20, "
        "27 2 21 22:10, 14 12 7 33:27, 15 29 13 25:0, 30 23 31 20:30",
    ),
    38: WhistDesign(
        (38,),
        1,
        "4 17 1 10:32, 30 16 18 14:17, 22 27 2 33:29, 8 13 3 5:19, 35 28 24 12:7, "
        "11 29 26 25:11, 32 31 23 6:36, 9 20 37 19:28, 21 15 7 36:33",
    ),
    58: WhistDesign(
        (58,),
        1,
        "45 31 15 14:30, 25 43 47 40:36, 1 11 39 48:20, 7 19 41 46:24, 49 17 55 32:52, "
        "53 3 37 50:16, 23 21 27 2:54, 24 42 12 33:34, 52 4 26 57:6, 16 28 8 51:42, "
        "54 22 56 9:4, 30 38 44 5:28, 36 34 18 35:22, 20 6 10 13:38",
    ),
}
"""The designs for 4n + 2 players, of whom two sit out each round.

From 10 players on, except 14, each player partners every other player once and opposes them
twice. Players whose numbers differ by half the number of players never meet. The designs for 6
and 14 players are as close to this as possible.
"""
