"""Who sits where with which boards: a movement as a value that cannot be wrong."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Meeting:
    """One table in one round: the places in the four seats and the board group they play."""

    round: int
    table: int
    north: int
    east: int
    south: int
    west: int
    board_group: int
