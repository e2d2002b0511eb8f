"""The adviser's input: the number of entries, the director's limits, and usual limits."""

from dataclasses import dataclass

from tournaments.movements.systems.system import Unit

USUAL_BOARDS = 24  # "twenty-four trays or as few above as possible": Knickerbocker Whist Club
USUAL_MAX_BOARDS = 28  # the usual limits of a club's evening
USUAL_MAX_MINUTES = 210
USUAL_MAX_ROUNDS = 13
MAX_BOARDS_A_ROUND = 8
MINUTES_A_BOARD = 7  # docs/decisions/0038; the round clock uses the same value
MINUTES_A_MOVE = 2
MAX_SECTION_TABLES = 15  # with more tables, walks are long and announcements hard to hear
MAX_SHORTENED_TABLES = 18  # the most tables of one section in a Mitchell that stops early
MAX_SECTIONS = 10  # each section has one letter


@dataclass(frozen=True, slots=True, kw_only=True)
class Turnout:
    """The adviser's input: `count` entries of a `unit`, and the director's limits.

    `boards` is the maximum that one competitor plays, `boards_at_hand` the number of different
    boards available, and `sets` the number of copies of each. `rounds` is a requested number of
    rounds. None means no limit; `sections` None lets the adviser choose their number.
    `late_pair` includes the cost of a late pair, and `clubs` allows movements for two clubs.
    """

    unit: Unit
    count: int
    boards: int | None = None
    minutes: int | None = None
    boards_at_hand: int | None = None
    stationary: int = 0
    winners: int | None = None
    rounds: int | None = None
    sets: int = 1
    sections: int | None = None
    max_tables: int | None = None
    systems: frozenset[str] | None = None
    late_pair: bool = False
    clubs: bool = False

    @property
    def usual_boards(self) -> int | None:
        """The usual maximum of boards; None if boards were given, or more time than usual."""
        longer = self.minutes is not None and self.minutes > USUAL_MAX_MINUTES
        return USUAL_MAX_BOARDS if self.boards is None and not longer else None

    @property
    def usual_minutes(self) -> int | None:
        """The usual duration; None if minutes were given, or more boards than usual."""
        longer = self.boards is not None and self.boards > USUAL_MAX_BOARDS
        return USUAL_MAX_MINUTES if self.minutes is None and not longer else None

    @property
    def usual_rounds(self) -> int | None:
        """The usual maximum of rounds; None if a number was given."""
        return USUAL_MAX_ROUNDS if self.rounds is None else None


def compute_minutes(rounds: int, boards_a_round: int) -> int:
    """Return the duration of a session in minutes: its boards, and the moves between rounds."""
    return rounds * boards_a_round * MINUTES_A_BOARD + (rounds - 1) * MINUTES_A_MOVE


def count_tables(unit: Unit, count: int) -> int:
    """Return the number of tables for `count` pairs, players or teams.

    A team counts as one table, because its two pairs each take half of a table.
    """
    seats = {Unit.PAIRS: 2, Unit.PLAYERS: 4}.get(unit, 1)
    return -(-count // seats)
