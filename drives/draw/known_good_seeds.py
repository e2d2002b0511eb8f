"""The random seeds with which `search_draw_plan` finds the best known plans.

The seeds were found by trying many. They are used if no player has a preference. The secret of
the drive then only decides which player gets which number in the plan, so every secret gives an
equally good evening.
"""

SEEDS_BY_ROUNDS_AND_PLAYERS: dict[int, dict[int, int]] = {
    6: {10: 2, 11: 1, 12: 1, 13: 4},
    8: {11: 1, 14: 155, 15: 2, 16: 2, 18: 1},
    12: {11: 6, 23: 4, 25: 1, 26: 4, 29: 1},
    16: {14: 3, 15: 1, 29: 4, 30: 1, 31: 4, 32: 2, 34: 1, 35: 4, 37: 3, 40: 4, 41: 2, 44: 2},
    20: {
        11: 57,
        18: 1,
        22: 1,
        34: 1,
        35: 2,
        39: 3,
        40: 4,
        42: 3,
        43: 4,
        45: 2,
        46: 4,
        47: 1,
        49: 4,
        50: 2,
        51: 3,
    },
    24: {
        10: 1,
        14: 22,
        15: 1,
        17: 21,
        19: 1,
        22: 4,
        26: 4,
        27: 1,
        43: 3,
        44: 13,
        45: 2,
        46: 2,
        48: 1,
        50: 1,
        51: 1,
        52: 4,
        53: 2,
        55: 4,
        57: 2,
        58: 1,
        62: 3,
        63: 1,
    },
}
"""The best known seed for each number of rounds and number of players.

If no seed is listed, the seed is 0.
"""


def find_seed(player_count: int, round_count: int) -> int:
    """Return the best known random seed for this number of players and rounds, or 0."""
    return SEEDS_BY_ROUNDS_AND_PLAYERS.get(round_count, {}).get(player_count, 0)
