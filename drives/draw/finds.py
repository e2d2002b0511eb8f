"""Where the search finds good evenings: for each size the start from which it found its best.

An evening without wishes is searched from a start of its size, and then the secret deals the
players their numbers in it: so every secret gives an evening as good as the best one known. The
starts were found by `python -m bench.drives --search`; sizes that are not here begin at 0.
"""

FINDS: dict[int, dict[int, int]] = {}
"""By rounds and players."""


def start_of(players: int, rounds: int) -> int:
    """The start of an evening's size."""
    return FINDS.get(rounds, {}).get(players, 0)
